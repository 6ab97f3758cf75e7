/// A pool of threads that spin briefly and then sleep.
///
/// A pool runs one loop at a time. The caller writes the loop, opens it, and
/// works on it like any worker. A worker enters an open loop by adding itself
/// to a count, and takes ranges until none is left. The caller closes the loop
/// when it finds no range, and waits only for the workers inside: a worker that
/// wakes up late finds the loop closed and costs nothing.
/// Every worker has a share of the ranges that depends only on their count, and
/// takes from the shares of others when its own is empty. A repeated loop
/// therefore finds its memory in the caches of the same CPUs. If a loop runs
/// again soon, workers walk back through their shares. A cache that is smaller
/// than a share still has the end of the share, but not the beginning.
#include "Pool.h"

#include "runtime/messages/Error.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <linux/futex.h>
#include <memory>
#include <new>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace tg;

/// The rounds of waiting before a thread sleeps, about 250 microseconds. This
/// is longer than the time that the calling thread needs between two kernels,
/// and longer than the time that a worker waits for the last tiles of other
/// workers. A worker that slept earlier would wake up only after the next
/// kernel.
static constexpr int spinRounds = 5000;
static constexpr uint32_t maximumWorkers = 1024;
/// The number of loops after which the memory of a body may still be cached.
/// The step of a recurrent network has two loops.
static constexpr uint32_t recentLoops = 2;

/// The bits of the gate in addition to the number of workers inside.
static constexpr uint32_t gateOpen = 1u << 31;
static constexpr uint32_t gateWaiting = 1u << 30; // the caller is asleep

namespace {

/// A thread of a pool and its worker number.
struct Worker {
  tg_pool_t *pool;
  uint32_t number;
  pthread_t thread;
};

/// The number of taken ranges of a worker's share: the loop number in the upper
/// 48 bits, so that no reset is needed, and the count in the lower 16 bits.
struct alignas(64) Share {
  std::atomic<uint64_t> taken = 0;
};

/// A recent loop: its body, and whether shares ran from their ends.
struct RecentLoop {
  tg_body_fn *body = nullptr;
  bool backward = false;
};

} // namespace

struct tg_pool_t {
  tg_parallel_t parallel = {};
  std::unique_ptr<Worker[]> workers; // threads 1 .. started
  std::unique_ptr<Share[]> shares;   // of all workers
  uint32_t started = 0;
  int spins = 0;                   // spinRounds, or 0 with too few CPUs
  volatile char *alive = nullptr;  // a page: 1, and 0 in a forked child
  std::atomic<uint32_t> users = 0; // contexts

  // The current loop. Written by the caller while the gate is closed and nobody
  // is inside.
  tg_body_fn *body = nullptr;
  void *task = nullptr;
  int64_t count = 0;
  int64_t rangeSize = 1;
  int64_t ranges = 0;    // of `rangeSize` each; the last may be shorter
  bool backward = false; // runs each share from its end
  uint64_t loop = 0;
  RecentLoop recent[recentLoops]; // by the number of the loop

  alignas(64) std::atomic<bool> busy = false;
  std::atomic<bool> stop = false;
  alignas(64) std::atomic<uint32_t> gate = 0;  // bits, workers inside
  alignas(64) std::atomic<uint32_t> epoch = 0; // counts loops
  std::atomic<uint32_t> sleepers = 0;          // workers that wait on epoch
};

static void sleepWhile(std::atomic<uint32_t> &word, uint32_t value) {
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, nullptr, nullptr, 0);
}

static void wake(std::atomic<uint32_t> &word, uint32_t threads) {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, threads, nullptr, nullptr, 0);
}

/// Returns the first range of a worker's share, which is the end of the share
/// of the worker before it.
static int64_t shareBegin(const tg_pool_t &pool, int64_t worker) {
  return pool.ranges * worker / pool.parallel.worker_count;
}

/// Takes a range of the share of `owner`. Returns false if none is left.
static bool takeRange(tg_pool_t &pool, uint32_t owner, int64_t &range) {
  static constexpr int countBits = 16;
  const int64_t begin = shareBegin(pool, owner);
  const int64_t size = shareBegin(pool, int64_t(owner) + 1) - begin;
  std::atomic<uint64_t> &taken = pool.shares[owner].taken;
  const uint64_t none = pool.loop << countBits;
  uint64_t before = taken.load(std::memory_order_relaxed);
  uint64_t current;
  do {
    current = before >> countBits == pool.loop ? before : none;
    if (static_cast<int64_t>(current - none) == size)
      return false;
  } while (!taken.compare_exchange_weak(before, current + 1,
                                        std::memory_order_relaxed));
  const auto passed = static_cast<int64_t>(current - none);
  range = begin + (pool.backward ? size - 1 - passed : passed);
  return true;
}

/// Runs ranges until none is left: first the worker's own share, then the
/// shares of the following workers.
static void work(tg_pool_t &pool, uint32_t worker) {
  const uint32_t workers = pool.parallel.worker_count;
  for (uint32_t i = 0; i < workers; ++i) {
    int64_t range;
    while (takeRange(pool, (worker + i) % workers, range)) {
      const int64_t first = range * pool.rangeSize;
      pool.body(pool.task, first, std::min(first + pool.rangeSize, pool.count),
                worker);
    }
  }
}

/// Lets a worker enter an open loop. Returns false if the loop is closed.
static bool enter(tg_pool_t &pool) {
  uint32_t gate = pool.gate.load(std::memory_order_relaxed);
  while (gate & gateOpen)
    if (pool.gate.compare_exchange_weak(gate, gate + 1,
                                        std::memory_order_acquire,
                                        std::memory_order_relaxed))
      return true;
  return false;
}

/// Lets a worker leave, and wakes the caller if it waits for the last one.
static void leave(tg_pool_t &pool) {
  const uint32_t before = pool.gate.fetch_sub(1, std::memory_order_release);
  if (before == (gateWaiting | 1))
    wake(pool.gate, 1);
}

/// Waits until the epoch differs from `seen`, and returns it.
static uint32_t awaitEpoch(tg_pool_t &pool, uint32_t seen) {
  for (int round = 0; round < pool.spins; ++round) {
    const uint32_t epoch = pool.epoch.load(std::memory_order_acquire);
    if (epoch != seen)
      return epoch;
    __builtin_ia32_pause();
  }
  // The caller changes the epoch, then reads `sleepers`. A worker increments
  // `sleepers`, then reads the epoch. At least one of the two sees the other's
  // write.
  pool.sleepers.fetch_add(1);
  uint32_t epoch;
  while ((epoch = pool.epoch.load()) == seen)
    sleepWhile(pool.epoch, seen);
  pool.sleepers.fetch_sub(1);
  return epoch;
}

static void *workerMain(void *opaque) {
  const Worker &self = *static_cast<Worker *>(opaque);
  tg_pool_t &pool = *self.pool;
  uint32_t epoch = 0;
  for (;;) {
    epoch = awaitEpoch(pool, epoch);
    if (pool.stop.load(std::memory_order_acquire))
      return nullptr;
    if (!enter(pool))
      continue;
    work(pool, self.number);
    leave(pool);
  }
}

/// Starts a new epoch, and wakes sleeping workers.
static void announce(tg_pool_t &pool, uint32_t threads) {
  pool.epoch.fetch_add(1);
  if (pool.sleepers.load())
    wake(pool.epoch, threads);
}

/// Closes the gate and waits until nobody is inside.
static void closeGate(tg_pool_t &pool) {
  pool.gate.fetch_and(~gateOpen, std::memory_order_acquire);
  for (int round = 0; round < spinRounds; ++round) {
    if (pool.gate.load(std::memory_order_acquire) == 0)
      return;
    __builtin_ia32_pause();
  }
  uint32_t gate =
      pool.gate.fetch_or(gateWaiting, std::memory_order_acquire) | gateWaiting;
  while (gate != gateWaiting) {
    sleepWhile(pool.gate, gate);
    gate = pool.gate.load(std::memory_order_acquire);
  }
  pool.gate.store(0, std::memory_order_relaxed);
}

/// Returns true if the next loop runs backward: opposite to the last direction
/// of its body, if this is among the recent loops. Records the next loop.
static bool chooseDirection(tg_pool_t &pool, tg_body_fn *body) {
  bool backward = false;
  // Starts with the oldest loop, which the next one replaces.
  for (uint64_t age = recentLoops; age > 0; --age) {
    const RecentLoop &loop =
        pool.recent[(pool.loop + 1 + recentLoops - age) % recentLoops];
    if (loop.body == body)
      backward = !loop.backward;
  }
  pool.recent[(pool.loop + 1) % recentLoops] = {body, backward};
  return backward;
}

/// The tg_parallel_t.parallel_for of a pool.
static int32_t parallelFor(void *user, int64_t count, tg_body_fn *body,
                           void *task) {
  tg_pool_t &pool = *static_cast<tg_pool_t *>(user);
  const bool isSerial = count == 1 || pool.started == 0 || !*pool.alive ||
                        pool.busy.exchange(true, std::memory_order_acquire);
  if (isSerial) {
    body(task, 0, count, 0);
    return 0;
  }
  const int64_t workers = pool.parallel.worker_count;
  pool.body = body;
  pool.task = task;
  pool.count = count;
  pool.rangeSize = std::max<int64_t>(1, count / (workers * 8));
  pool.ranges =
      (count + pool.rangeSize - 1) / pool.rangeSize; // below 16 per worker
  pool.backward = chooseDirection(pool, body);
  ++pool.loop;
  pool.gate.store(gateOpen, std::memory_order_release);
  announce(pool, static_cast<uint32_t>(std::min(count, workers) - 1));
  work(pool, 0);
  closeGate(pool);
  pool.busy.store(false, std::memory_order_release);
  return 0;
}

/// Returns the number of CPUs that this process may use.
static uint32_t usableCpus() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) != 0)
    return 1;
  return static_cast<uint32_t>(std::max(1, CPU_COUNT(&set)));
}

/// Starts the threads with all signals blocked. Returns 0 or an error number.
static int startThreads(tg_pool_t &pool) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int number = 0;
  for (uint32_t i = 0; number == 0 && i + 1 < pool.parallel.worker_count; ++i) {
    Worker &worker = pool.workers[i];
    worker.pool = &pool;
    worker.number = i + 1;
    number = pthread_create(&worker.thread, nullptr, workerMain, &worker);
    if (number == 0)
      ++pool.started;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return number;
}

/// Ends the threads, unless fork already has, and frees the pool.
static void freePool(tg_pool_t *pool) {
  if (pool->alive && *pool->alive) {
    pool->stop.store(true, std::memory_order_release);
    announce(*pool, INT_MAX);
    for (uint32_t i = 0; i < pool->started; ++i)
      pthread_join(pool->workers[i].thread, nullptr);
  }
  if (pool->alive)
    munmap(const_cast<char *>(pool->alive), 1);
  delete pool;
}

/// Maps the page `alive`, which fork zeroes in the child.
static tg_status_t mapAlive(tg_pool_t &pool, tg_error_t *error) {
  void *page = mmap(nullptr, 1, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED)
    return fail(error, TG_ERROR_MEMORY, "no memory for a pool");
  pool.alive = static_cast<char *>(page);
  char buffer[128];
  if (madvise(page, 1, MADV_WIPEONFORK) != 0)
    return fail(error, TG_ERROR_MEMORY, "madvise(MADV_WIPEONFORK): %s",
                describeErrno(errno, buffer));
  *pool.alive = 1;
  return TG_OK;
}

tg_status_t tg_pool_create(uint32_t worker_count, tg_pool_t **pool,
                           tg_error_t *error) {
  if (!pool)
    return fail(error, TG_ERROR_NULL, "pool is null");
  *pool = nullptr;
  const uint32_t cpus = usableCpus();
  if (worker_count == 0)
    worker_count = std::min(cpus, maximumWorkers);
  if (worker_count > maximumWorkers)
    return failNumber(error, TG_ERROR_SIZE, worker_count, maximumWorkers,
                      "%u workers, expected at most %u", worker_count,
                      maximumWorkers);
  tg_pool_t *created = new (std::nothrow) tg_pool_t;
  if (created) {
    created->workers.reset(new (std::nothrow) Worker[worker_count]);
    created->shares.reset(new (std::nothrow) Share[worker_count]);
  }
  if (!created || !created->workers || !created->shares) {
    delete created;
    return fail(error, TG_ERROR_MEMORY, "no memory for a pool");
  }
  created->parallel = {sizeof(tg_parallel_t), worker_count, created,
                       parallelFor};
  // With more workers than CPUs, spinning would take a CPU from the awaited
  // thread.
  created->spins = worker_count <= cpus ? spinRounds : 0;
  const tg_status_t status = mapAlive(*created, error);
  const int number = status == TG_OK ? startThreads(*created) : 0;
  if (status == TG_OK && number == 0) {
    *pool = created;
    return TG_OK;
  }
  freePool(created);
  char buffer[128];
  return status != TG_OK
             ? status
             : fail(error, TG_ERROR_MEMORY, "cannot start %u threads: %s",
                    worker_count - 1, describeErrno(number, buffer));
}

tg_status_t tg_pool_destroy(tg_pool_t *pool, tg_error_t *error) {
  if (!pool)
    return fail(error, TG_ERROR_NULL, "pool is null");
  const uint32_t users = pool->users.load();
  if (users)
    return failNumber(error, TG_ERROR_BUSY, users, 0,
                      "%u contexts still use the pool", users);
  freePool(pool);
  return TG_OK;
}

const tg_parallel_t *tg_pool_parallel(const tg_pool_t *pool) {
  return pool ? &pool->parallel : nullptr;
}

void tg::enterPool(const tg_parallel_t &parallel) {
  if (parallel.parallel_for == parallelFor)
    static_cast<tg_pool_t *>(parallel.user)->users.fetch_add(1);
}

void tg::leavePool(const tg_parallel_t &parallel) {
  if (parallel.parallel_for == parallelFor)
    static_cast<tg_pool_t *>(parallel.user)->users.fetch_sub(1);
}
