/// The lanes of a warp, which execute steps together.
///
/// Lanes at the same step of the same calls are a group. A group executes a
/// step once for all its lanes; a branch that they do not all take divides it.
/// The group that is farthest behind runs first, so that groups come together
/// again.
#ifndef TG_TEST_SIMULATOR_PTX_WARP_WARP_H
#define TG_TEST_SIMULATOR_PTX_WARP_WARP_H

#include "LaneMemory.h"
#include "PendingCopies.h"
#include "test/simulator/ptx/Interpreter.h"
#include "test/simulator/ptx/observe/Checker.h"

#include <bit>
#include <memory>

namespace tg::ptx {

/// The generic addresses of shared and local memory. No host address and no
/// address of device memory lies in their windows.
inline constexpr uint64_t sharedWindow = 0x0100'0000'0000'0000;
inline constexpr uint64_t localWindow = 0x0200'0000'0000'0000;
inline constexpr uint64_t windowBytes = 1ull << 32;

/// The bytes that a slot of 32 bits takes for all lanes.
inline constexpr size_t slotBytes = warpSize * 4;

/// An address of the host for each lane.
using Pointers = std::array<uint8_t *, warpSize>;

/// The state that the threads of a block share.
struct Block {
  explicit Block(const Launch &launch) : launch(launch) {}

  /// Returns the number of threads of a block.
  uint32_t threadCount() const {
    return launch.block[0] * launch.block[1] * launch.block[2];
  }

  const Launch &launch;
  std::array<uint32_t, 3> index = {};
  std::vector<uint8_t> shared;
  /// The last region that each step accessed.
  std::vector<Region> regions;
  /// The instructions that the launch has executed.
  uint64_t executed = 0;
  /// The bytes of global memory that the launch has read and written.
  uint64_t globalBytes = 0;
  /// Checks accesses, or null.
  std::unique_ptr<Checker> checker;
};

/// A function that lanes have begun.
struct Frame {
  const Code *code = nullptr;
  /// The step at which the caller goes on, or null.
  const Step *caller = nullptr;
  /// The beginnings of its slots, its parameters and its local memory.
  size_t slots = 0, parameters = 0, local = 0;

  bool operator==(const Frame &) const = default;
};

/// The lanes that are at one step.
struct Group {
  enum class State : uint8_t {
    Runs,
    /// Waits at a barrier of the block.
    Waits,
    /// Waits for lanes of its warp.
    Meets
  };

  uint32_t mask = 0;
  State state = State::Runs;
  /// The barrier at which the lanes wait.
  uint32_t barrier = 0;
  /// True if all lanes of the warp should wait at the same step.
  bool isAligned = false;
  /// The number of times that the group has let others go first.
  uint32_t turns = 0;
  const Step *next = nullptr;
  std::vector<Frame> frames;

  /// Returns the step that was executed last, at which lanes wait.
  const Step &last() const { return next[-1]; }
  /// Returns true if lanes of two groups can go on together.
  bool isTogether(const Group &other) const {
    return next == other.next && frames == other.frames;
  }
};

struct Thread;

/// A warp.
class Warp {
public:
  explicit Warp(Block &block) : block(&block) {}

  /// Begins the kernel with the threads of the block from a number on, of
  /// which the last warp of a block may have fewer than 32.
  void begin(const Code &kernel, uint32_t first, uint32_t count);
  /// Runs until each lane waits at a barrier of the block or has ended, or
  /// until one has failed.
  ///
  /// The lanes of a mask meet when all of them wait at the same instruction
  /// with the same mask. A lane that can never arrive is a fault of those that
  /// wait for it.
  void run();

  bool hasFailed() const { return failure.fault != Fault::None; }
  /// Returns the index of the thread of a lane in its block.
  std::array<uint32_t, 3> threadIndex(uint32_t lane) const;
  /// Returns the number of the thread of a lane in its block.
  uint32_t threadNumber(uint32_t lane) const { return firstThread + lane; }

  // The effects of steps on the group that executes them, for lanes of a mask.

  /// Ends the launch with a fault of a lane at the current step.
  void fail(uint32_t lane, Fault fault, uint64_t address,
            std::string reason = "");
  void jump(uint32_t mask, uint32_t step);
  void call(uint32_t mask, const CallSite &site);
  /// Returns from the current function; ends the lanes in a kernel.
  void leave(uint32_t mask);
  void end(uint32_t mask);
  void wait(uint32_t mask, uint32_t barrier, bool isAligned);
  /// Executes the current step for lanes that have met, or lets them wait.
  void meet(const Step &step, uint32_t mask);
  /// Stores the host memory of `bytes` bytes, a power of two, at the address
  /// that each lane accesses. Fails where an access is not allowed; the memory
  /// of such a lane is read and written by nobody.
  void access(const Step &step, uint32_t mask, uint32_t bytes, AccessKind kind,
              Pointers &pointers);
  /// Shows an access to what counts and checks. Fails if a check finds a fault.
  void observe(const Request &request);
  /// Shows a copy to shared memory that is on its way.
  void observeCopy(const Request &request);
  /// Lets the copies of a lane arrive but the last groups of a number.
  void awaitCopies(uint32_t lane, uint32_t last);
  /// Orders the accesses of the lanes before and behind, for checks.
  void passBarrier() {
    if (block->checker)
      block->checker->passWarpBarrier(number());
  }
  /// Fails if lanes wait at an aligned barrier and others of the warp wait
  /// elsewhere.
  void checkAlignment();

  /// Returns the shared memory at `step.sharedBase` of a thread. Fails if the
  /// thread may not access it.
  uint8_t *accessShared(const Thread &thread, const Step &step, uint32_t bytes);
  /// Returns the memory at the address of a step, which must be aligned for
  /// `bytes` bytes. Fails if the thread may not access the first `read` ones.
  uint8_t *accessPart(const Thread &thread, const Step &step, uint32_t bytes,
                      uint32_t read);

  Group &current() { return groups[running]; }
  /// Returns the group of a lane, or null if the lane has ended.
  Group *groupOf(uint32_t lane);
  const Code &code() { return *current().frames.back().code; }

  Block *block;
  /// The slots of the current frame. The values of a slot lie lane by lane.
  uint8_t *slots = nullptr;
  /// The carry flags of add.cc and its like.
  std::array<bool, warpSize> carry = {};
  std::array<PendingCopies, warpSize> copies;
  std::vector<Group> groups;
  Failure failure;

  /// Returns the slots of a frame.
  uint8_t *slotsOf(const Frame &frame) {
    return storage.data() + frame.slots * slotBytes;
  }

private:
  void push(Group &group, const Code &code, const Step *caller);
  void clearSlots(const Frame &frame);
  /// Returns the running group, or the lanes of a mask as a group of their own
  /// if the group has others.
  Group &take(uint32_t mask);
  void merge();
  bool choose();
  void execute();
  /// Lets other groups run before the next step.
  void yield() { stop = nullptr; }
  void observeSpaces(const Step &step, uint32_t mask, uint32_t bytes,
                     AccessKind kind, const Addresses &addresses);
  void accessApart(const Step &step, uint32_t mask, uint32_t bytes,
                   const Addresses &addresses, Pointers &pointers);
  Region likelyRegion(const Step &step);
  uint8_t *accessOne(const Step &step, uint32_t lane, uint64_t address,
                     uint32_t bytes);
  uint8_t *accessGlobal(const Step &step, uint64_t address, uint32_t bytes);
  void checkLocal(const Request &request);
  void failCheck(const std::optional<Finding> &finding);
  uint32_t number() const { return firstThread / warpSize; }

  uint32_t firstThread = 0;
  uint32_t running = 0;
  /// The running group yields at this step and behind it.
  const Step *stop = nullptr;
  /// The jumps backward of the running group while others wait for it.
  uint32_t jumpsBack = 0;
  std::vector<uint8_t> storage;
  LaneMemory parameters;
  LaneMemory local;
  /// For each byte of local memory 1 if it was written, where that is checked.
  LaneMemory localWritten;
  /// The target of accesses that failed.
  std::array<uint8_t, 64> discarded = {};
};

/// Calls a function with each lane of a mask.
template <class Function>
inline void forEachLane(uint32_t mask, Function function) {
  for (; mask != 0; mask &= mask - 1)
    function(static_cast<uint32_t>(std::countr_zero(mask)));
}

} // namespace tg::ptx

#endif
