/// Checks that a run allocates nothing, makes no system call and changes no
/// mode. This is a program of its own because it replaces malloc.
#include "support/Line.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <dlfcn.h>
#include <functional>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xmmintrin.h>

using namespace tg::test;

static std::atomic<long> allocations = 0;
static std::atomic<long> locks = 0;

// libtgrt and the models must also link to these definitions.
#pragma GCC visibility push(default)
extern "C" {
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);
void __libc_free(void *memory);

void *malloc(size_t bytes) {
  ++allocations;
  return __libc_malloc(bytes);
}
void *calloc(size_t count, size_t bytes) {
  ++allocations;
  return __libc_calloc(count, bytes);
}
void *realloc(void *memory, size_t bytes) {
  ++allocations;
  return __libc_realloc(memory, bytes);
}
void *aligned_alloc(size_t alignment, size_t bytes) {
  ++allocations;
  return __libc_memalign(alignment, bytes);
}
void free(void *memory) {
  allocations += memory != nullptr;
  __libc_free(memory);
}
int pthread_mutex_lock(pthread_mutex_t *mutex) noexcept {
  static int (*real)(pthread_mutex_t *) = nullptr;
  if (!real)
    *reinterpret_cast<void **>(&real) = dlsym(RTLD_NEXT, "pthread_mutex_lock");
  ++locks;
  return real(mutex);
}
}
#pragma GCC visibility pop

namespace {

/// Waits until every thread of a pool has started, since starting a thread
/// makes system calls in the C library.
void awaitThreads(const tg_parallel_t *parallel) {
  std::atomic<uint32_t> seen[64] = {};
  struct Task {
    std::atomic<uint32_t> *seen;
    uint32_t workers;
  } task = {seen, parallel->worker_count};
  const auto body = [](void *opaque, int64_t, int64_t, uint32_t worker) {
    const Task &task = *static_cast<Task *>(opaque);
    task.seen[worker] = 1;
    for (uint32_t i = 0; i < task.workers; ++i)
      while (!task.seen[i])
        ::usleep(100);
  };
  parallel->parallel_for(parallel->user, task.workers, body, &task);
}

/// Installs a filter that kills the process if any of its threads makes a
/// system call other than exit_group and `allowed`. Returns false if the system
/// cannot do that.
bool allowOnly(int allowed) {
  sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 2, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(allowed), 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const sock_fprog program = {5, code};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                   SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
}

/// Runs the task in a child that any system call other than exit_group and
/// `allowed` kills. Returns true if the child survived.
template <typename Task> bool survives(Task task, int allowed = -1) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (!allowOnly(allowed))
      ::_exit(3);
    task();
    ::syscall(SYS_exit_group, 0);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_FALSE(WIFEXITED(status) && WEXITSTATUS(status) == 3)
      << "the system has no seccomp";
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

class QuietTest : public LineTest {
protected:
  void SetUp() override {
    LineTest::SetUp();
    ASSERT_EQ(tg_context_init(context, 1, &error), TG_OK);
    trainIndex = function("train"), testIndex = function("test");
  }
  /// Runs all kinds of functions: training, testing with repacking, a failure.
  void runEverything(tg_context_t *on) {
    const tg_tensor_t inputs[] = {
        f32(x.data(), xDims), f32(target.data(), rowDims), f32(&rate, none)};
    const tg_tensor_t lossOut = f32(&loss, none);
    const tg_tensor_t yOut = f32(y.data(), rowDims);
    const tg_named_tensor_t named[] = {{"x", inputs[0]}, {"y", yOut}};
    for (int i = 0; i < 10; ++i) {
      ok &= tg_context_run(on, trainIndex, inputs, 3, &lossOut, 1, &error) ==
            TG_OK;
      ok &= tg_context_run(on, testIndex, inputs, 1, &yOut, 1, &error) == TG_OK;
      ok &= tg_context_run_named(on, "test", named, 2, &error) == TG_OK;
      ok &= tg_context_run(on, testIndex, inputs, 2, &yOut, 1, &error) ==
            TG_ERROR_COUNT;
    }
  }
  uint32_t trainIndex = 0, testIndex = 0;
  bool ok = true;
};

} // namespace

TEST_F(QuietTest, nothingIsAllocated) {
  const long before = allocations;
  runEverything(context);
  const long after = allocations;
  EXPECT_EQ(before, after);
  EXPECT_TRUE(ok);
  // Check that allocations of the program and of libtgrt are counted.
  std::free(std::malloc(1));
  EXPECT_EQ(allocations, after + 2);
  tg_context_t *made = nullptr;
  EXPECT_EQ(tg_context_create(module, nullptr, &made, &error), TG_OK);
  EXPECT_GT(allocations, after + 2);
  tg_context_destroy(made);
}

TEST_F(QuietTest, nothingIsLocked) {
  const long before = locks;
  runEverything(context);
  EXPECT_EQ(before, locks);
  EXPECT_TRUE(ok);
  tg_context_destroy(createContext()); // takes the module's lock
  EXPECT_GT(locks, before);
}

TEST_F(QuietTest, sharedMemoryIsNoException) {
  tg_context_options_t options = {};
  options.struct_size = sizeof(options);
  tg_context_t *sharing[2] = {};
  ASSERT_EQ(tg_variables_create(0, nullptr, &options.variables, &error), TG_OK);
  ASSERT_EQ(tg_workspace_create(nullptr, &options.workspace, &error), TG_OK);
  const int64_t symbols[] = {batch};
  for (tg_context_t *&each : sharing) {
    ASSERT_EQ(tg_context_create(module, &options, &each, &error), TG_OK);
    ASSERT_EQ(tg_context_reserve(each, trainIndex, symbols, &error), TG_OK);
  }
  ASSERT_EQ(tg_context_init(sharing[0], 1, &error), TG_OK);
  const uint32_t both[] = {0, 1};
  ASSERT_EQ(tg_variables_snapshot(options.variables, both, 2, &error), TG_OK);
  const auto runAll = [&] {
    for (tg_context_t *each : sharing) {
      ok &= tg_variables_snapshot(options.variables, both, 2, &error) == TG_OK;
      runEverything(each);
      ok &= tg_variables_rollback(options.variables, &error) == TG_OK;
    }
  };
  const long before = allocations;
  runAll();
  EXPECT_EQ(before, allocations);
  EXPECT_TRUE(ok) << error.message;
  EXPECT_TRUE(survives(runAll));
  for (tg_context_t *each : sharing)
    tg_context_destroy(each);
  EXPECT_EQ(tg_variables_destroy(options.variables, &error), TG_OK);
  EXPECT_EQ(tg_workspace_destroy(options.workspace, &error), TG_OK);
}

TEST_F(QuietTest, noSystemCallWithoutAPool) {
  EXPECT_TRUE(survives([&] { runEverything(context); }));
  EXPECT_FALSE(survives([] { ::syscall(SYS_getppid); })); // the filter works
}

TEST_F(QuietTest, aPoolOnlyWakesAndParksItsThreads) {
  const pid_t child = ::fork(); // the filter needs a process of its own
  if (child == 0) {
    tg_pool_t *pool = nullptr;
    bool started = tg_pool_create(3, &pool, nullptr) == TG_OK;
    tg_context_t *user = createContext(0, tg_pool_parallel(pool));
    started &= tg_context_init(user, 1, nullptr) == TG_OK;
    ::alarm(20);
    awaitThreads(tg_pool_parallel(pool));
    started &= allowOnly(SYS_futex);
    for (int i = 0; i < 100; ++i)
      runEverything(user);
    ::syscall(SYS_exit_group, started && ok ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST_F(QuietTest, modesAndHandlersAreLeftAlone) {
  const unsigned modes = _mm_getcsr() & ~0x3fu; // without the sticky flags
  sigset_t maskBefore, maskAfter;
  pthread_sigmask(SIG_SETMASK, nullptr, &maskBefore);
  struct sigaction before[32] = {}, after[32] = {};
  for (int i = 1; i < 32; ++i)
    ::sigaction(i, nullptr, &before[i]);
  tg_module_t *again = nullptr;
  ASSERT_EQ(tg_module_load(linePath.c_str(), nullptr, &again, &error), TG_OK);
  runEverything(context);
  EXPECT_EQ(tg_module_unload(again, &error), TG_OK);
  EXPECT_EQ(_mm_getcsr() & ~0x3fu, modes);
  pthread_sigmask(SIG_SETMASK, nullptr, &maskAfter);
  for (int i = 1; i < 32; ++i) {
    EXPECT_EQ(sigismember(&maskBefore, i), sigismember(&maskAfter, i));
    ::sigaction(i, nullptr, &after[i]);
    EXPECT_EQ(before[i].sa_handler, after[i].sa_handler);
  }
}

TEST_F(QuietTest, aRunFitsASmallStack) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 128 * 1024);
  pthread_t thread;
  std::function<void()> task = [&] { runEverything(context); };
  const auto main = [](void *run) -> void * {
    (*static_cast<std::function<void()> *>(run))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, main, &task), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  EXPECT_TRUE(ok) << error.message;
}
