/// The instructions of PTX that access memory.
#ifndef TG_TEST_SIMULATOR_PTX_SEMANTICS_MEMORYACCESS_H
#define TG_TEST_SIMULATOR_PTX_SEMANTICS_MEMORYACCESS_H

#include "Arithmetic.h"
#include "Forms.h"

namespace tg::ptx {

/// Calls a function with the thread and the memory of each lane that updates
/// `bytes` bytes.
template <class Function>
void forEachUpdate(Warp &warp, const Step &step, uint32_t mask, uint32_t bytes,
                   Function function) {
  Pointers pointers;
  warp.access(step, mask, bytes, AccessKind::Update, pointers);
  uint8_t *slots = warp.slots;
  forEachLane(mask, [&](uint32_t lane) {
    function(Thread{&warp, slots, lane}, pointers[lane]);
  });
}

/// Calls a function with each thread of a mask and with a constant that says
/// if its register is wider than the value.
template <class Function>
void forElements(Warp &warp, bool isWide, uint32_t mask, Function function) {
  uint8_t *const slots = warp.slots;
  auto callAll = [&](auto constant) {
    if (mask == UINT32_MAX)
      for (uint32_t lane = 0; lane < warpSize; ++lane)
        function(constant, Thread{&warp, slots, lane});
    else
      forEachLane(mask, [&](uint32_t lane) {
        function(constant, Thread{&warp, slots, lane});
      });
  };
  if (isWide)
    callAll(std::true_type());
  else
    callAll(std::false_type());
}

/// d = [a], or its elements.
struct Load {
  static constexpr std::string_view operands = "VA";
  template <Type T>
  static void executeLanes(Warp &warp, const Step &s, uint32_t mask) {
    constexpr size_t size = sizeof(Native<T>);
    Pointers pointers;
    warp.access(s, mask, size * s.count, AccessKind::Read, pointers);
    for (unsigned i = 0; i < s.count; ++i)
      forElements(warp, s.wide >> i & 1, mask, [&](auto isWide, Thread t) {
        const uint8_t *from = pointers[t.lane] + i * size;
        t.setLow<T, isWide>(s.slots[i], load<Native<T>>(from));
      });
  }
};

/// [a] = b, or its elements.
struct Store {
  static constexpr std::string_view operands = "Av";
  template <Type T>
  static void executeLanes(Warp &warp, const Step &s, uint32_t mask) {
    constexpr size_t size = sizeof(Native<T>);
    Pointers pointers;
    warp.access(s, mask, size * s.count, AccessKind::Write, pointers);
    for (unsigned i = 0; i < s.count; ++i)
      forElements(warp, s.wide >> i & 1, mask, [&](auto isWide, Thread t) {
        uint8_t *to = pointers[t.lane] + i * size;
        store(to, t.getLow<T, isWide>(s.slots[i]));
      });
  }
};

/// Loads a line of a cache, which has no effect.
struct Prefetch {
  static constexpr std::string_view operands = "A";
  static void executeLanes(Warp &, const Step &, uint32_t) {}
};

/// Replaces the value in memory by F of it and an operand. Returns the value
/// before.
template <Type T, class F>
Native<T> exchange(const Thread &t, uint8_t *memory, uint32_t slot) {
  Native<T> before = load<Native<T>>(memory);
  store(memory, F::apply(before, t.get<T>(slot)));
  return before;
}

/// d = [a]; [a] = F([a], b). Other threads do not run in between.
template <class F> struct Atomic {
  static constexpr std::string_view operands = "DAt";
  template <Type T>
  static void executeLanes(Warp &warp, const Step &s, uint32_t mask) {
    forEachUpdate(warp, s, mask, sizeof(Native<T>),
                  [&s](const Thread &t, uint8_t *memory) {
                    t.set<T>(s.slots[0], exchange<T, F>(t, memory, s.slots[1]));
                  });
  }
};

/// [a] = F([a], b).
template <class F> struct Reduce {
  static constexpr std::string_view operands = "At";
  template <Type T>
  static void executeLanes(Warp &warp, const Step &s, uint32_t mask) {
    forEachUpdate(warp, s, mask, sizeof(Native<T>),
                  [&s](const Thread &t, uint8_t *memory) {
                    exchange<T, F>(t, memory, s.slots[0]);
                  });
  }
};

/// d = [a]; [a] = c if [a] was b.
struct CompareAndSwap {
  static constexpr std::string_view operands = "DAtt";
  template <Type T>
  static void executeLanes(Warp &warp, const Step &s, uint32_t mask) {
    forEachUpdate(warp, s, mask, sizeof(Native<T>),
                  [&s](const Thread &t, uint8_t *memory) {
                    Native<T> before = load<Native<T>>(memory);
                    if (before == t.get<T>(s.slots[1]))
                      store(memory, t.get<T>(s.slots[2]));
                    t.set<T>(s.slots[0], before);
                  });
  }
};

/// The new value alone.
struct Replace {
  template <class V> static V apply(V, V b) { return b; }
};

/// The value plus 1, or 0 once it has reached the bound.
struct Increment {
  template <class V> static V apply(V a, V bound) {
    return a >= bound ? 0 : a + 1;
  }
};

/// The value minus 1, or the bound below 0 and above the bound.
struct Decrement {
  template <class V> static V apply(V a, V bound) {
    return a == 0 || a > bound ? bound : a - 1;
  }
};

/// A sum whose operands and result are flushed to zero if they are subnormal,
/// as PTX states for f32 in global memory.
struct FlushingAdd {
  static float flush(float a) {
    return std::fpclassify(a) == FP_SUBNORMAL ? std::copysign(0.0f, a) : a;
  }
  static float apply(float a, float b) {
    return flush(Add::apply(flush(a), flush(b)));
  }
};

/// Returns the old value of an f32 sum, which is flushed in global memory, but
/// not in shared memory.
inline float addFloat(const Thread &t, const Step &s, uint8_t *memory,
                      uint32_t slot) {
  bool isShared =
      s.space == Space::Shared || (s.space == Space::Generic &&
                                   t.addressOf(s) - sharedWindow < windowBytes);
  return isShared ? exchange<Type::F32, Add>(t, memory, slot)
                  : exchange<Type::F32, FlushingAdd>(t, memory, slot);
}

/// d = [a]; [a] = [a] + b for f32.
struct AtomicFloatAdd {
  static constexpr std::string_view operands = "DAt";
  template <Type T>
  static void executeLanes(Warp &warp, const Step &s, uint32_t mask) {
    forEachUpdate(warp, s, mask, sizeof(float),
                  [&s](const Thread &t, uint8_t *memory) {
                    t.set<T>(s.slots[0], addFloat(t, s, memory, s.slots[1]));
                  });
  }
};

/// [a] = [a] + b for f32.
struct ReduceFloatAdd {
  static constexpr std::string_view operands = "At";
  template <Type T>
  static void executeLanes(Warp &warp, const Step &s, uint32_t mask) {
    forEachUpdate(warp, s, mask, sizeof(float),
                  [&s](const Thread &t, uint8_t *memory) {
                    addFloat(t, s, memory, s.slots[0]);
                  });
  }
};

/// d = a as an address in another space.
template <Space space, bool isToGeneric> struct ConvertAddress {
  static constexpr std::string_view operands = "Dt";
  template <Type T> static void execute(const Thread &t, const Step &s) {
    constexpr uint64_t window = space == Space::Shared  ? sharedWindow
                                : space == Space::Local ? localWindow
                                                        : 0;
    uint64_t address = t.get<Type::U64>(s.slots[1]);
    t.set<Type::U64>(s.slots[0],
                     isToGeneric ? address + window : address - window);
  }
};

} // namespace tg::ptx

#endif
