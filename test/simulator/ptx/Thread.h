/// The state of a thread of a kernel, on which instructions work.
#ifndef TG_TEST_SIMULATOR_PTX_THREAD_H
#define TG_TEST_SIMULATOR_PTX_THREAD_H

#include "Interpreter.h"
#include "Program.h"

#include <bit>
#include <cstring>

namespace tg::ptx {

/// The generic addresses of shared and local memory. No host address and no
/// address of device memory lies in their windows.
inline constexpr uint64_t sharedWindow = 0x0100'0000'0000'0000;
inline constexpr uint64_t localWindow = 0x0200'0000'0000'0000;
inline constexpr uint64_t windowBytes = 1ull << 32;

/// The number of lanes of a warp.
inline constexpr uint32_t warpSize = 32;

/// The state that the threads of a block share.
struct Block {
  explicit Block(const Launch &launch) : launch(launch) {}

  const Launch &launch;
  std::array<uint32_t, 3> index = {};
  std::vector<uint8_t> shared;
  /// The last region that each step accessed.
  std::vector<Region> regions;
  /// The instructions that the launch has executed.
  uint64_t executed = 0;
  /// The bytes of global memory that the launch has read and written.
  uint64_t globalBytes = 0;
};

/// A function that has begun.
struct Frame {
  const Code *code;
  /// The step at which the function goes on.
  const Step *next;
  /// The beginnings of its slots, its parameters and its local memory.
  size_t slots, parameters, local;
};

/// A thread.
struct Thread {
  enum class State : uint8_t {
    Runs,
    /// Waits at a barrier of the block.
    Waits,
    /// Waits for lanes of its warp.
    Meets,
    Ended,
    Failed
  };

  explicit Thread(Block &block) : block(&block) {}

  /// Begins the kernel with the thread's index in its block.
  void begin(const Code &kernel, std::array<uint32_t, 3> threadIndex);
  /// Executes steps until the thread waits, meets others, ends or fails.
  void run();

  /// Returns the value of a slot.
  template <Type T> Native<T> get(uint32_t slot) const {
    using Value = Native<T>;
    if constexpr (T == Type::F32)
      return std::bit_cast<float>(static_cast<uint32_t>(registers[slot]));
    else if constexpr (T == Type::F64)
      return std::bit_cast<double>(registers[slot]);
    else
      return static_cast<Value>(registers[slot]);
  }

  /// Stores a value into a slot: extended to 64 bits as its type says, so that
  /// a wider register reads what PTX says.
  template <Type T> void set(uint32_t slot, Native<T> value) {
    if constexpr (T == Type::F32)
      registers[slot] = std::bit_cast<uint32_t>(value);
    else if constexpr (T == Type::F64)
      registers[slot] = std::bit_cast<uint64_t>(value);
    else if constexpr (std::is_signed_v<Native<T>>)
      registers[slot] = static_cast<uint64_t>(static_cast<int64_t>(value));
    else
      registers[slot] = value;
  }

  /// Returns the address that a step accesses, in the step's space.
  uint64_t addressOf(const Step &step) const {
    return registers[step.base] + static_cast<uint64_t>(step.offset);
  }
  /// Returns the host memory of `bytes` bytes at the address of a step. Fails
  /// and returns memory that nobody reads if the access is not allowed.
  uint8_t *access(const Step &step, uint64_t bytes);

  /// Ends the thread with a fault at the current step.
  uint8_t *fail(Fault fault, uint64_t address);
  /// Begins a called function.
  void call(const CallSite &site);
  /// Returns from the current function; ends the thread in a kernel.
  void leave();
  /// Goes on at a step of the current function.
  void jump(uint32_t step) { next = frames.back().code->steps.data() + step; }

  Block *block;
  /// The slots of the current frame.
  uint64_t *registers = nullptr;
  const Step *next = nullptr;
  State state = State::Runs;
  /// The carry flag of add.cc and its like.
  bool carry = false;
  /// The barrier at which the thread waits.
  uint32_t barrier = 0;
  std::array<uint32_t, 3> index = {};
  std::vector<Frame> frames;
  std::vector<uint64_t> slots;
  std::vector<uint8_t> parameters;
  std::vector<uint8_t> local;
  Failure failure;
  /// The target of accesses that failed.
  std::array<uint8_t, 64> discarded = {};

private:
  void push(const Code &code);
  uint8_t *accessGlobal(const Step &step, uint64_t address, uint64_t bytes);
};

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

} // namespace tg::ptx

#endif
