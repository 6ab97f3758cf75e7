#include "Warp.h"

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
    // Threads that do not wait run one after the other in one state.
    size_t count = launch.kernel->waits ? threadCount() : 1;
    threads.assign(count, Thread(block));
  }

  /// Runs the block of an index. Returns false if it failed.
  bool runBlock(std::array<uint32_t, 3> index);
  Outcome outcome() const {
    return {failure, block.executed, block.globalBytes};
  }

private:
  size_t threadCount() const {
    return size_t(launch.block[0]) * launch.block[1] * launch.block[2];
  }
  std::array<uint32_t, 3> threadIndex(size_t number) const {
    auto x = launch.block[0], y = launch.block[1];
    return {uint32_t(number % x), uint32_t(number / x % y),
            uint32_t(number / x / y)};
  }
  bool advance(Thread &thread);
  bool openBarrier();
  bool runTogether();

  const Launch &launch;
  Block block;
  std::vector<Thread> threads;
  Failure failure;
};

} // namespace

bool Runner::advance(Thread &thread) {
  thread.run();
  if (thread.state == Thread::State::Failed)
    failure = thread.failure;
  return thread.state != Thread::State::Failed;
}

/// Lets threads that wait at a barrier go on if all of them wait at the same.
/// Fails if each of two barriers waits for threads that wait at the other.
/// Returns false if no thread goes on.
bool Runner::openBarrier() {
  const Thread *waiting = nullptr;
  for (Thread &thread : threads) {
    if (thread.state != Thread::State::Waits)
      continue;
    if (waiting && waiting->barrier != thread.barrier) {
      thread.fail(Fault::Timeout, thread.barrier);
      failure = thread.failure;
      return false;
    }
    thread.state = Thread::State::Runs;
    waiting = &thread;
  }
  return waiting;
}

bool Runner::runTogether() {
  for (size_t i = 0; i < threads.size(); ++i)
    threads[i].begin(*launch.kernel, threadIndex(i));
  do {
    for (size_t i = 0; i < threads.size(); i += warpSize) {
      size_t count = std::min<size_t>(warpSize, threads.size() - i);
      const Thread *failed = runWarp(std::span(threads).subspan(i, count));
      if (failed) {
        failure = failed->failure;
        return false;
      }
    }
  } while (openBarrier());
  return failure.fault == Fault::None;
}

bool Runner::runBlock(std::array<uint32_t, 3> index) {
  block.index = index;
  // Shared memory has no defined content: every block begins with bits that
  // show in results.
  block.shared.assign(
      size_t(launch.program->sharedBytes) + launch.dynamicSharedBytes, 0xff);
  if (launch.kernel->waits)
    return runTogether();
  for (size_t i = 0, count = threadCount(); i < count; ++i) {
    threads[0].begin(*launch.kernel, threadIndex(i));
    if (!advance(threads[0]))
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
