/// The instructions of PTX that move values, branch, call and wait.
#ifndef TG_TEST_SIMULATOR_PTX_SEMANTICS_CONTROL_H
#define TG_TEST_SIMULATOR_PTX_SEMANTICS_CONTROL_H

#include "Forms.h"
#include "SpecialRegisters.h"

namespace tg::ptx {

/// d = a: a value, an address, a special register, or the parts of a vector.
struct Move {
  static constexpr std::string_view operands = "Mm";
  template <Type T> static void execute(const Thread &t, const Step &s) {
    t.setBits(s.slots[0], t.bits<SlotOf<T>>(s.slots[1]));
  }
};

/// d = the address of a variable.
inline void moveAddress(const Thread &t, const Step &s) {
  t.setBits<uint64_t>(s.slots[0], t.addressOf(s));
}

/// d = a special register.
template <Type T> void moveSpecial(const Thread &t, const Step &s) {
  t.set<T>(s.slots[0],
           static_cast<Native<T>>(specialRegisters[s.target].read(t)));
}

/// d = {a, b, ...}; the first element has the lowest bits.
template <Type Whole, Type Part>
void packElements(const Thread &t, const Step &s) {
  constexpr unsigned bits = 8 * sizeof(Native<Part>);
  Native<Whole> packed = 0;
  for (unsigned i = 0; i < sizeof(Native<Whole>) / sizeof(Native<Part>); ++i)
    packed |= Native<Whole>(t.get<Part>(s.slots[1 + i])) << (bits * i);
  t.set<Whole>(s.slots[0], packed);
}

/// {d, e, ...} = a.
template <Type Whole, Type Part>
void unpackElements(const Thread &t, const Step &s) {
  constexpr unsigned bits = 8 * sizeof(Native<Part>);
  constexpr unsigned count = sizeof(Native<Whole>) / sizeof(Native<Part>);
  Native<Whole> packed = t.get<Whole>(s.slots[count]);
  for (unsigned i = 0; i < count; ++i)
    t.set<Part>(s.slots[i], static_cast<Native<Part>>(packed >> (bits * i)));
}

/// Returns the move between a vector and a register of a number of bytes.
inline Execute partsMove(bool isPack, unsigned bytes, unsigned count) {
  if (bytes == 4)
    return isPack ? &forLanes<packElements<Type::U32, Type::U16>>
                  : &forLanes<unpackElements<Type::U32, Type::U16>>;
  if (count == 2)
    return isPack ? &forLanes<packElements<Type::U64, Type::U32>>
                  : &forLanes<unpackElements<Type::U64, Type::U32>>;
  return isPack ? &forLanes<packElements<Type::U64, Type::U16>>
                : &forLanes<unpackElements<Type::U64, Type::U16>>;
}

struct Branch {
  static constexpr std::string_view operands = "L";
  static void executeLanes(Warp &warp, const Step &s, uint32_t mask) {
    warp.jump(mask, s.target);
  }
};

/// Calls a function with each value that a slot of 32 bits has in lanes of a
/// mask, and with the lanes that have it.
template <class Function>
void forEachValue(Warp &warp, uint32_t slot, uint32_t mask, Function function) {
  std::array<uint32_t, warpSize> values;
  for (uint32_t lane = 0; lane < warpSize; ++lane)
    values[lane] = Thread{&warp, warp.slots, lane}.get<Type::U32>(slot);
  while (mask != 0) {
    uint32_t value = values[std::countr_zero(mask)], same = 0;
    forEachLane(mask, [&](uint32_t lane) {
      same |= uint32_t(values[lane] == value) << lane;
    });
    mask &= ~same;
    function(value, same);
  }
}

/// Branches to the target of an index; an index that has none is a fault.
struct BranchIndexed {
  static constexpr std::string_view operands = "uT";
  static void executeLanes(Warp &warp, const Step &s, uint32_t mask) {
    const std::vector<uint32_t> &targets = warp.code().branchTargets[s.target];
    forEachValue(warp, s.slots[0], mask, [&](uint32_t index, uint32_t lanes) {
      if (index < targets.size())
        warp.jump(lanes, targets[index]);
      else
        warp.fail(std::countr_zero(lanes), Fault::LaunchFailed, index);
    });
  }
};

struct Call {
  static constexpr std::string_view operands = "F";
  static void executeLanes(Warp &warp, const Step &s, uint32_t mask) {
    warp.call(mask, warp.code().calls[s.target]);
  }
};

struct Return {
  static constexpr std::string_view operands = "";
  static void executeLanes(Warp &warp, const Step &, uint32_t mask) {
    warp.leave(mask);
  }
};

/// Ends the thread, also inside of a called function.
struct Exit {
  static constexpr std::string_view operands = "";
  static void executeLanes(Warp &warp, const Step &, uint32_t mask) {
    warp.end(mask);
  }
};

struct Trap {
  static constexpr std::string_view operands = "";
  static void executeLanes(Warp &warp, const Step &, uint32_t mask) {
    warp.fail(std::countr_zero(mask), Fault::LaunchFailed, 0);
  }
};

/// Waits for all threads of the block that have not ended. All lanes of a warp
/// should wait at the same aligned one.
template <bool isAligned> struct Barrier {
  static constexpr std::string_view operands = "b";
  static void executeLanes(Warp &warp, const Step &s, uint32_t mask) {
    forEachValue(warp, s.slots[0], mask, [&](uint32_t barrier, uint32_t lanes) {
      warp.wait(lanes, barrier, isAligned);
    });
  }
};

/// Orders accesses, which already happen in order.
struct Fence {
  static constexpr std::string_view operands = "";
  static void executeLanes(Warp &, const Step &, uint32_t) {}
};

} // namespace tg::ptx

#endif
