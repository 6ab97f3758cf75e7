/// A thread as instructions on values see it: a lane of a warp.
#ifndef TG_TEST_SIMULATOR_PTX_WARP_THREAD_H
#define TG_TEST_SIMULATOR_PTX_WARP_THREAD_H

#include "Warp.h"

namespace tg::ptx {

/// Returns the value at an address of the host.
template <class Value> Value load(const uint8_t *from) {
  Value value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}

/// Stores a value at an address of the host.
template <class Value> void store(uint8_t *to, Value value) {
  std::memcpy(to, &value, sizeof(value));
}

/// The host type of a slot that holds values of a type.
template <Type T>
using SlotOf = std::conditional_t<sizeof(Native<T>) == 8, uint64_t, uint32_t>;

/// A lane of a warp with the slots of its frame.
struct Thread {
  /// Returns the value of a slot.
  template <Type T> Native<T> get(uint32_t slot) const {
    return fromBits<T>(bits<SlotOf<T>>(slot));
  }
  /// Stores a value into a slot.
  template <Type T> void set(uint32_t slot, Native<T> value) const {
    setBits(slot, toBits<T, SlotOf<T>>(value));
  }

  /// Returns the value of a slot of a register that may be wider.
  template <Type T, bool isWide> Native<T> getLow(uint32_t slot) const {
    if constexpr (isWide)
      return fromBits<T>(bits<uint64_t>(slot));
    return get<T>(slot);
  }
  /// Stores a value into a slot of a register that may be wider, which gets it
  /// extended as its type says.
  template <Type T, bool isWide>
  void setLow(uint32_t slot, Native<T> value) const {
    if constexpr (isWide)
      setBits(slot, toBits<T, uint64_t>(value));
    else
      set<T>(slot, value);
  }

  /// Returns the value of operand `i`, whose register may be wider.
  template <Type T> Native<T> getLow(const Step &step, unsigned i) const {
    return step.wide >> i & 1 ? getLow<T, true>(step.slots[i])
                              : getLow<T, false>(step.slots[i]);
  }
  /// Stores a value into operand `i`, whose register may be wider.
  template <Type T>
  void setLow(const Step &step, unsigned i, Native<T> value) const {
    if (step.wide >> i & 1)
      setLow<T, true>(step.slots[i], value);
    else
      setLow<T, false>(step.slots[i], value);
  }

  /// Returns the bits of a slot of 32 or 64 bits.
  template <class Bits> Bits bits(uint32_t slot) const {
    return load<Bits>(slots + slot * slotBytes + lane * sizeof(Bits));
  }
  template <class Bits> void setBits(uint32_t slot, Bits bits) const {
    store(slots + slot * slotBytes + lane * sizeof(Bits), bits);
  }

  /// Returns the address that a step accesses, in the step's space.
  uint64_t addressOf(const Step &step) const {
    return bits<uint64_t>(step.base) + static_cast<uint64_t>(step.offset);
  }

  /// Returns the address beside another one, in shared memory.
  uint64_t sharedAddressOf(const Step &step) const {
    return bits<uint64_t>(step.sharedBase) +
           static_cast<uint64_t>(step.sharedOffset);
  }

  Warp *warp;
  uint8_t *slots;
  uint32_t lane;

private:
  template <Type T, class Bits> static Native<T> fromBits(Bits bits) {
    if constexpr (T == Type::F32)
      return std::bit_cast<float>(static_cast<uint32_t>(bits));
    else if constexpr (T == Type::F64)
      return std::bit_cast<double>(bits);
    else
      return static_cast<Native<T>>(bits);
  }
  template <Type T, class Bits> static Bits toBits(Native<T> value) {
    if constexpr (T == Type::F32)
      return std::bit_cast<uint32_t>(value);
    else if constexpr (T == Type::F64)
      return std::bit_cast<uint64_t>(value);
    else
      return static_cast<Bits>(value);
  }
};

/// Executes a step of one thread after the other. All operands of a thread are
/// its own, so the order does not matter.
template <auto execute>
void forLanes(Warp &warp, const Step &shared, uint32_t mask) {
  // Copies that no store changes.
  const Step step = shared;
  Warp *const owner = &warp;
  uint8_t *const slots = warp.slots;
  if (mask == UINT32_MAX) {
#pragma clang loop vectorize(assume_safety)
    for (uint32_t lane = 0; lane < warpSize; ++lane)
      execute(Thread{owner, slots, lane}, step);
    return;
  }
  forEachLane(
      mask, [&](uint32_t lane) { execute(Thread{owner, slots, lane}, step); });
}

/// The lanes of a warp that execute an instruction together.
struct Lanes {
  Warp &warp;
  /// The lanes that take part.
  uint32_t mask = 0;
  /// The slots of the frame of each lane.
  std::array<uint8_t *, warpSize> slots = {};

  /// Calls a function with the number and the thread of each lane.
  template <class Function> void forEach(Function function) const {
    forEachLane(mask, [&](uint32_t lane) {
      function(lane, Thread{&warp, slots[lane], lane});
    });
  }
};

} // namespace tg::ptx

#endif
