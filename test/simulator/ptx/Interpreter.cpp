#include "warp/Warp.h"

#include <algorithm>
#include <cfenv>

using namespace tg::ptx;

namespace {

/// The default rounding and no flushing of subnormal numbers, as kernels
/// expect, whatever the host has set.
class FloatingPointMode {
public:
  FloatingPointMode() {
    std::fegetenv(&saved);
    std::fesetenv(FE_DFL_ENV);
  }
  ~FloatingPointMode() { std::fesetenv(&saved); }
  FloatingPointMode(const FloatingPointMode &) = delete;
  FloatingPointMode &operator=(const FloatingPointMode &) = delete;

private:
  std::fenv_t saved;
};

/// Runs one block after the other.
class Runner {
public:
  explicit Runner(const Launch &launch) : launch(launch), block(launch) {
    block.regions.resize(launch.program->accessCount);
    if (launch.checks)
      block.checker = std::make_unique<Checker>(launch.find);
    // Warps that do not wait run one after the other in one state.
    warps.assign(launch.kernel->waits ? warpCount() : 1, Warp(block));
  }

  /// Runs the block of an index. Returns false if it failed.
  bool runBlock(std::array<uint32_t, 3> index);
  Outcome outcome() const {
    return {failure, block.executed, block.globalBytes};
  }

private:
  uint32_t warpCount() const {
    return (block.threadCount() + warpSize - 1) / warpSize;
  }
  /// Returns the bytes of shared memory of a block.
  size_t sharedBytes() const {
    return launch.dynamicSharedBytes == 0
               ? launch.kernel->sharedBytes
               : size_t(launch.program->dynamicShared) +
                     launch.dynamicSharedBytes;
  }
  void begin(Warp &warp, uint32_t number);
  bool advance(Warp &warp);
  bool checkBarrier();
  bool failWaiting(Warp &waiting, uint32_t ended);
  bool openBarrier();
  bool runTogether();

  const Launch &launch;
  Block block;
  std::vector<Warp> warps;
  Failure failure;
};

} // namespace

/// Begins the warp of a number.
void Runner::begin(Warp &warp, uint32_t number) {
  uint32_t first = number * warpSize;
  warp.begin(*launch.kernel, first,
             std::min(warpSize, block.threadCount() - first));
}

bool Runner::advance(Warp &warp) {
  warp.run();
  failure = warp.failure;
  return !warp.hasFailed();
}

/// Checks that all threads wait if some do, and all lanes of a warp at the same
/// barrier. Returns false if that is not so.
bool Runner::checkBarrier() {
  if (!block.checker)
    return true;
  Warp *waiting = nullptr;
  std::optional<uint32_t> ended;
  for (Warp &warp : warps) {
    warp.checkAlignment();
    if (warp.hasFailed()) {
      failure = warp.failure;
      return false;
    }
    for (uint32_t lane = 0; lane < warpSize; ++lane) {
      bool exists = warp.threadNumber(lane) < block.threadCount();
      if (warp.groupOf(lane))
        waiting = waiting ? waiting : &warp;
      else if (exists && !ended)
        ended = warp.threadNumber(lane);
    }
  }
  return !waiting || !ended || failWaiting(*waiting, *ended);
}

/// Fails a warp that waits for a thread that has ended. Returns false.
bool Runner::failWaiting(Warp &waiting, uint32_t ended) {
  uint32_t lane = std::countr_zero(waiting.groups.front().mask);
  waiting.fail(lane, Fault::LaunchFailed, 0,
               "waits for all threads, of which thread " +
                   std::to_string(ended) + " has ended");
  failure = waiting.failure;
  return false;
}

/// Lets threads that wait at a barrier go on if all of them wait at the same.
/// Fails if each of two barriers waits for threads that wait at the other.
/// Returns false if no thread goes on.
bool Runner::openBarrier() {
  std::optional<uint32_t> barrier;
  for (Warp &warp : warps)
    for (Group &group : warp.groups) {
      if (barrier && *barrier != group.barrier) {
        uint32_t lane = std::countr_zero(group.mask);
        warp.fail(lane, Fault::Timeout, group.barrier);
        failure = warp.failure;
        return false;
      }
      group.state = Group::State::Runs;
      barrier = group.barrier;
    }
  if (block.checker)
    block.checker->passBarrier();
  return barrier.has_value();
}

bool Runner::runTogether() {
  for (size_t i = 0; i < warps.size(); ++i)
    begin(warps[i], i);
  do {
    for (Warp &warp : warps)
      if (!advance(warp))
        return false;
  } while (checkBarrier() && openBarrier());
  return failure.fault == Fault::None;
}

bool Runner::runBlock(std::array<uint32_t, 3> index) {
  block.index = index;
  // Shared memory has no defined content: every block begins with bits that
  // show in results.
  block.shared.assign(sharedBytes(), 0xff);
  if (block.checker)
    block.checker->beginBlock(block.shared.size(), warpCount());
  if (launch.kernel->waits)
    return runTogether();
  for (uint32_t i = 0; i < warpCount(); ++i) {
    begin(warps[0], i);
    if (!advance(warps[0]))
      return false;
  }
  return true;
}

Outcome tg::ptx::run(const Launch &launch) {
  FloatingPointMode mode;
  Runner runner(launch);
  for (uint32_t z = 0; z < launch.grid[2]; ++z)
    for (uint32_t y = 0; y < launch.grid[1]; ++y)
      for (uint32_t x = 0; x < launch.grid[0]; ++x)
        if (!runner.runBlock({x, y, z}))
          return runner.outcome();
  return runner.outcome();
}
