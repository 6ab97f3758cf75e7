/// Pools: every range runs once, worker numbers are unique, fork, sharing.
#include "support/Line.h"

#include <atomic>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace tg::test;

namespace {

/// A loop body that counts the runs of each range and detects two concurrent
/// bodies with the same worker number.
struct Tally {
  explicit Tally(size_t count) : ran(count), busy(64) {}
  std::vector<std::atomic<int>> ran;
  std::vector<std::atomic<int>> busy; // by worker
  std::atomic<int> shared = 0;        // two bodies with one worker number
  std::atomic<uint32_t> mostWorker = 0;

  static void body(void *opaque, int64_t first, int64_t last, uint32_t worker) {
    Tally &self = *static_cast<Tally *>(opaque);
    self.shared += self.busy[worker].exchange(1);
    for (int64_t i = first; i < last; ++i)
      ++self.ran[static_cast<size_t>(i)];
    uint32_t most = self.mostWorker;
    while (most < worker &&
           !self.mostWorker.compare_exchange_weak(most, worker))
      ;
    self.busy[worker] = 0;
  }
};

/// A loop body that records the first range of the caller's share. Other
/// workers wait for it.
struct FirstRange {
  std::atomic<int64_t> first = -1;

  static void body(void *opaque, int64_t first, int64_t, uint32_t worker) {
    FirstRange &self = *static_cast<FirstRange *>(opaque);
    int64_t none = -1;
    if (worker == 0)
      self.first.compare_exchange_strong(none, first);
    while (self.first == -1)
      std::this_thread::yield();
  }
};

/// A different loop body with the same behavior.
void otherBody(void *task, int64_t first, int64_t last, uint32_t worker) {
  FirstRange::body(task, first, last, worker);
}

int64_t runFirst(const tg_parallel_t *parallel, tg_body_fn *body) {
  FirstRange range;
  EXPECT_EQ(parallel->parallel_for(parallel->user, 16, body, &range), 0);
  return range.first;
}

void runTally(const tg_parallel_t *parallel, int64_t count) {
  Tally tally(static_cast<size_t>(count));
  EXPECT_EQ(parallel->parallel_for(parallel->user, count, Tally::body, &tally),
            0);
  for (const std::atomic<int> &ran : tally.ran)
    ASSERT_EQ(ran, 1);
  EXPECT_EQ(tally.shared, 0);
  EXPECT_LT(tally.mostWorker, parallel->worker_count);
}

class PoolTest : public LineTest {
protected:
  tg_pool_t *createPool(uint32_t workers) {
    tg_pool_t *pool = nullptr;
    EXPECT_EQ(tg_pool_create(workers, &pool, &error), TG_OK) << error.message;
    return pool;
  }
};

} // namespace

TEST_F(PoolTest, coversEveryRangeOnce) {
  for (uint32_t workers : {1u, 2u, 5u}) {
    tg_pool_t *pool = createPool(workers);
    const tg_parallel_t *parallel = tg_pool_parallel(pool);
    EXPECT_EQ(parallel->worker_count, workers);
    for (int64_t count : {1, 2, 3, 7, 64, 1000})
      for (int repeat = 0; repeat < 200; ++repeat)
        runTally(parallel, count);
    EXPECT_EQ(tg_pool_destroy(pool, &error), TG_OK);
  }
}

// The shares of the workers are the ranges 0 to 7 and 8 to 15.
TEST_F(PoolTest, walksBackWhenALoopRunsAgainSoon) {
  tg_pool_t *pool = createPool(2);
  const tg_parallel_t *parallel = tg_pool_parallel(pool);
  tg_body_fn *one = FirstRange::body, *other = otherBody;
  for (int64_t first : {0, 7, 0, 7})
    EXPECT_EQ(runFirst(parallel, one), first);
  // Alternating loops: each reverses its direction.
  for (int64_t first : {0, 7, 0, 7}) {
    EXPECT_EQ(runFirst(parallel, other), first);
    EXPECT_EQ(runFirst(parallel, one), first);
  }
  // After two other loops the reversal is forgotten.
  for (int repeat = 0; repeat < 2; ++repeat)
    runTally(parallel, 16);
  EXPECT_EQ(runFirst(parallel, one), 0);
  EXPECT_EQ(tg_pool_destroy(pool, &error), TG_OK);
}

TEST_F(PoolTest, wakesSleepingThreads) {
  tg_pool_t *pool = createPool(2);
  for (int repeat = 0; repeat < 20; ++repeat) {
    ::usleep(2000); // longer than a thread spins
    runTally(tg_pool_parallel(pool), 50);
  }
  EXPECT_EQ(tg_pool_destroy(pool, &error), TG_OK);
}

TEST_F(PoolTest, defaultIsOneWorkerPerCpu) {
  tg_pool_t *pool = createPool(0);
  cpu_set_t set;
  ASSERT_EQ(sched_getaffinity(0, sizeof(set), &set), 0);
  EXPECT_EQ(tg_pool_parallel(pool)->worker_count,
            static_cast<uint32_t>(CPU_COUNT(&set)));
  EXPECT_EQ(tg_pool_destroy(pool, &error), TG_OK);
  EXPECT_EQ(tg_pool_create(1 << 20, &pool, &error), TG_ERROR_SIZE);
  EXPECT_EQ(pool, nullptr);
  EXPECT_EQ(tg_pool_create(1, nullptr, &error), TG_ERROR_NULL);
}

TEST_F(PoolTest, isBusyWhileContextsUseIt) {
  tg_pool_t *pool = createPool(2);
  tg_context_t *user = createContext(0, tg_pool_parallel(pool));
  EXPECT_EQ(tg_pool_destroy(pool, &error), TG_ERROR_BUSY);
  tg_context_destroy(user);
  EXPECT_EQ(tg_pool_destroy(pool, &error), TG_OK);
}

TEST_F(PoolTest, bitsDoNotDependOnThreads) {
  ASSERT_EQ(tg_context_init(context, 3, &error), TG_OK);
  for (int step = 0; step < 100; ++step)
    ASSERT_EQ(train(context), TG_OK);
  const std::vector<uint8_t> expected = variables(context);
  for (uint32_t workers : {1u, 2u, 5u}) {
    tg_pool_t *pool = createPool(workers);
    tg_context_t *user = createContext(0, tg_pool_parallel(pool));
    ASSERT_EQ(tg_context_init(user, 3, &error), TG_OK);
    for (int step = 0; step < 100; ++step)
      ASSERT_EQ(train(user), TG_OK);
    EXPECT_EQ(variables(user), expected);
    tg_context_destroy(user);
    EXPECT_EQ(tg_pool_destroy(pool, &error), TG_OK);
  }
}

TEST_F(PoolTest, threadsThatShareAPoolDoNotWaitForEachOther) {
  tg_pool_t *pool = createPool(3);
  const tg_parallel_t *parallel = tg_pool_parallel(pool);
  std::vector<std::thread> callers;
  for (int t = 0; t < 4; ++t)
    callers.emplace_back([=] {
      for (int repeat = 0; repeat < 500; ++repeat)
        runTally(parallel, 40);
    });
  for (std::thread &caller : callers)
    caller.join();
  EXPECT_EQ(tg_pool_destroy(pool, &error), TG_OK);
}

TEST_F(PoolTest, aBodyMayFindThePoolBusy) {
  // A nested loop on a busy pool must not wait for the outer one.
  tg_pool_t *pool = createPool(2);
  const tg_parallel_t *parallel = tg_pool_parallel(pool);
  const auto outer = [](void *user, int64_t first, int64_t last, uint32_t) {
    const auto *nested = static_cast<const tg_parallel_t *>(user);
    for (int64_t i = first; i < last; ++i)
      runTally(nested, 10);
  };
  EXPECT_EQ(parallel->parallel_for(parallel->user, 20, outer,
                                   const_cast<tg_parallel_t *>(parallel)),
            0);
  EXPECT_EQ(tg_pool_destroy(pool, &error), TG_OK);
}

TEST_F(PoolTest, worksInAForkedChild) {
  tg_pool_t *pool = createPool(3);
  tg_context_t *user = createContext(0, tg_pool_parallel(pool));
  ASSERT_EQ(tg_context_init(user, 3, &error), TG_OK);
  ASSERT_EQ(train(user), TG_OK);
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(20);
    const bool works = train(user) == TG_OK && test(user) == TG_OK;
    tg_context_destroy(user);
    ::_exit(works && tg_pool_destroy(pool, nullptr) == TG_OK ? 0 : 1);
  }
  int status;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  ASSERT_EQ(train(user), TG_OK); // the parent's pool still works
  runTally(tg_pool_parallel(pool), 100);
  tg_context_destroy(user);
  EXPECT_EQ(tg_pool_destroy(pool, &error), TG_OK);
}

TEST_F(PoolTest, itsThreadsTakeNoSignals) {
  sigset_t before, after;
  pthread_sigmask(SIG_SETMASK, nullptr, &before);
  tg_pool_t *pool = createPool(4);
  pthread_sigmask(SIG_SETMASK, nullptr, &after);
  for (int number = 1; number < 32; ++number)
    EXPECT_EQ(sigismember(&before, number), sigismember(&after, number));
  const auto body = [](void *blocked, int64_t, int64_t, uint32_t worker) {
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, nullptr, &mask);
    if (worker)
      *static_cast<std::atomic<int> *>(blocked) &= sigismember(&mask, SIGTERM);
    ::usleep(100);
  };
  std::atomic<int> blocked = 1;
  const tg_parallel_t *parallel = tg_pool_parallel(pool);
  EXPECT_EQ(parallel->parallel_for(parallel->user, 64, body, &blocked), 0);
  EXPECT_EQ(blocked, 1);
  EXPECT_EQ(tg_pool_destroy(pool, &error), TG_OK);
}
