#include "support/Faults.h"

#include <cstdlib>

using namespace tg::test;

namespace {

/// Tests faults that only the checked mode finds. The first line of a body is
/// line 13, %r1 is the thread, and [%d1] its word of the shared array s.
class CheckedModeTest : public FaultTest {
protected:
  void SetUp() override {
    setenv("TG_SIMULATOR_CHECK", "1", 1);
    FaultTest::SetUp();
  }
  void TearDown() override {
    FaultTest::TearDown();
    unsetenv("TG_SIMULATOR_CHECK");
    cuda.reset();
  }

  CUfunction load(const std::string &body) {
    return kernel(kernelOf(1, ".shared .align 16 .b8 s[512];\n"
                              "mov.u32 %r1, %tid.x; mov.b64 %d2, s; "
                              "mad.wide.u32 %d1, %r1, 4, %d2; "
                              "setp.eq.u32 %q1, %r1, 3;\n" +
                                  body),
                  "k");
  }

  /// Expects that a block of threads runs without a fault.
  void expectNone(unsigned threads, const std::string &body) {
    Buffer bytes(512);
    bytes.put(std::vector<int>(128));
    EXPECT_EQ(launch(load(body), 1, threads, {bytes.address}), CUDA_SUCCESS);
    EXPECT_EQ(cuda.cuCtxSynchronize(), CUDA_SUCCESS) << lastLine();
  }

  /// Expects a fault of a block of threads, with memory that nothing has
  /// written at %p0, and what the log says behind the name of the kernel.
  void expectFault(unsigned threads, const std::string &body,
                   const std::string &reason) {
    CUfunction function = load(body);
    CUdeviceptr bytes = 0;
    ASSERT_EQ(cuda.cuMemAlloc_v2(&bytes, 512), CUDA_SUCCESS);
    EXPECT_EQ(launch(function, 1, threads, {bytes}), CUDA_SUCCESS);
    EXPECT_EQ(cuda.cuCtxSynchronize(), CUDA_ERROR_LAUNCH_FAILED) << body;
    renew();
    EXPECT_EQ(lastLine(), "kernel 'k': launch failure " + reason);
  }
};

TEST_F(CheckedModeTest, GlobalMemoryThatNothingHasWritten) {
  expectFault(1, "ld.global.b32 %r2, [%p0];\n",
              "reads global memory that nothing has written in 'k', line 13, "
              "block (0, 0, 0), thread (0, 0, 0)");
  // One of the bytes is missing.
  expectFault(1,
              "st.global.b16 [%p0], %r1;\nst.global.b8 [%p0+2], %r1;\n"
              "ld.global.b32 %r2, [%p0];\n",
              "reads global memory that nothing has written in 'k', line 15, "
              "block (0, 0, 0), thread (0, 0, 0)");
  expectFault(1, "red.global.add.u32 [%p0+8], 1;\n",
              "reads global memory that nothing has written in 'k', line 13, "
              "block (0, 0, 0), thread (0, 0, 0)");
  expectNone(1, "ld.global.v4.b32 {%r2, %r3, %r4, %r5}, [%p0+496];\n");
}

/// Elements of a vector that nobody uses may be read.
TEST_F(CheckedModeTest, UnusedElements) {
  std::string load = "st.global.b64 [%p0], %p0;\nst.global.b32 [%p0+8], %r1;\n"
                     "ld.global.v4.b32 {%r2, %r3, %r4, %r5}, [%p0];\n";
  CUfunction function = this->load(load + "add.s32 %r6, %r2, %r4;\n");
  CUdeviceptr bytes = 0;
  ASSERT_EQ(cuda.cuMemAlloc_v2(&bytes, 16), CUDA_SUCCESS);
  EXPECT_EQ(launch(function, 1, 1, {bytes}), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuCtxSynchronize(), CUDA_SUCCESS) << lastLine();
  EXPECT_EQ(cuda.cuMemFree_v2(bytes), CUDA_SUCCESS);
  expectFault(1, load + "add.s32 %r6, %r2, %r5;\n",
              "reads global memory that nothing has written in 'k', line 15, "
              "block (0, 0, 0), thread (0, 0, 0)");
}

/// A copy of bytes that nothing has written writes none, a fill does.
TEST_F(CheckedModeTest, CopiesAndFills) {
  CUfunction function = load("ld.global.b32 %r2, [%p0];\n");
  CUdeviceptr from = 0, to = 0;
  ASSERT_EQ(cuda.cuMemAlloc_v2(&from, 4), CUDA_SUCCESS);
  ASSERT_EQ(cuda.cuMemAlloc_v2(&to, 4), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuMemsetD32_v2(to, 1, 1), CUDA_SUCCESS);
  EXPECT_EQ(launch(function, 1, 1, {to}), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuCtxSynchronize(), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuMemcpyDtoD_v2(to, from, 4), CUDA_SUCCESS);
  EXPECT_EQ(launch(function, 1, 1, {to}), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuCtxSynchronize(), CUDA_ERROR_LAUNCH_FAILED);
  renew();
}

TEST_F(CheckedModeTest, LocalMemoryThatNothingHasWritten) {
  expectFault(1, ".local .b32 l;\nld.local.b32 %r2, [l];\n",
              "reads local memory that nothing has written in 'k', line 14, "
              "block (0, 0, 0), thread (0, 0, 0)");
  expectNone(1, ".local .b32 l;\nst.local.b32 [l], 1;\n"
                "ld.local.b32 %r2, [l];\n");
}

TEST_F(CheckedModeTest, SharedMemoryThatNothingHasWritten) {
  expectFault(4, "@!%q1 st.shared.b32 [%d1], 1;\nld.shared.b32 %r2, [%d1];\n",
              "reads byte 12 of shared memory, which nothing has written in "
              "'k', line 14, block (0, 0, 0), thread (3, 0, 0)");
}

TEST_F(CheckedModeTest, RacesOnSharedMemory) {
  // A thread reads what another one has written.
  expectFault(64, "st.shared.b32 [%d1], 1;\nld.shared.b32 %r2, [%d2+4];\n",
              "accesses byte 4 of shared memory without a barrier after thread "
              "1 wrote it in 'k', line 14, block (0, 0, 0), thread (0, 0, 0)");
  // A thread writes what another one has read.
  expectFault(64,
              "st.shared.b32 [%d1], 1;\nbar.sync 0;\n"
              "ld.shared.b32 %r2, [s+12];\nst.shared.b32 [%d1], 2;\n",
              "accesses byte 12 of shared memory without a barrier after "
              "thread 31 read it in 'k', line 16, block (0, 0, 0), thread "
              "(3, 0, 0)");
  // Two threads write.
  expectFault(2, "st.shared.b32 [s], %r1;\n",
              "accesses byte 0 of shared memory without a barrier after thread "
              "0 wrote it in 'k', line 13, block (0, 0, 0), thread (1, 0, 0)");
  expectNone(64, "st.shared.b32 [%d1], 1;\nbar.sync 0;\n"
                 "ld.shared.b32 %r2, [s+12];\nbar.sync 0;\n"
                 "st.shared.b32 [%d1], 2;\n");
}

/// Barriers of warps order the lanes of a warp alone.
TEST_F(CheckedModeTest, BarriersOfWarps) {
  std::string body = "st.shared.b32 [%d1], 1;\nbar.warp.sync -1;\n"
                     "ld.shared.b32 %r2, [s+12];\n";
  expectNone(32, body);
  expectFault(64, body,
              "accesses byte 12 of shared memory without a barrier after "
              "thread 3 wrote it in 'k', line 15, block (0, 0, 0), thread "
              "(32, 0, 0)");
}

TEST_F(CheckedModeTest, AtomicOperationsDoNotRace) {
  std::string begin = "@%q1 st.shared.b32 [s], 0;\nbar.sync 0;\n"
                      "red.shared.add.u32 [s], 1;\n";
  expectNone(64, begin + "bar.sync 0;\nld.shared.b32 %r2, [s];\n");
  expectFault(64, begin + "ld.shared.b32 %r2, [s];\n",
              "accesses byte 0 of shared memory without a barrier after thread "
              "31 wrote it in 'k', line 16, block (0, 0, 0), thread (0, 0, 0)");
}

/// The bytes of a copy are there behind the wait, for others behind a barrier.
TEST_F(CheckedModeTest, AsynchronousCopies) {
  std::string copy = "mad.wide.u32 %d3, %r1, 4, %p0;\n"
                     "st.global.b32 [%d3], %r1;\n"
                     "cp.async.ca.shared.global [%d1], [%d3], 4;\n";
  expectNone(64, copy + "cp.async.wait_all;\nbar.sync 0;\n"
                        "ld.shared.b32 %r2, [s+12];\n");
  expectFault(64, copy + "bar.sync 0;\nld.shared.b32 %r2, [s+12];\n",
              "reads byte 12 of shared memory, which nothing has written in "
              "'k', line 17, block (0, 0, 0), thread (0, 0, 0)");
  expectFault(64, copy + "cp.async.wait_all;\nld.shared.b32 %r2, [s+12];\n",
              "accesses byte 12 of shared memory without a barrier after "
              "thread 3 wrote it in 'k', line 17, block (0, 0, 0), thread "
              "(0, 0, 0)");
}

TEST_F(CheckedModeTest, BarriersThatNotAllMeet) {
  expectFault(64, "@%q1 ret;\nbar.sync 0;\n",
              "waits for all threads, of which thread 3 has ended in 'k', line "
              "14, block (0, 0, 0), thread (0, 0, 0)");
  expectFault(4, "@%q1 bar.sync 0;\n@!%q1 bar.sync 0;\n",
              "waits for all lanes of its warp, of which lane 3 waits at line "
              "13 in 'k', line 14, block (0, 0, 0), thread (0, 0, 0)");
  expectNone(4, "@%q1 barrier.sync 0;\n@!%q1 barrier.sync 0;\n");
}

/// Without the variable the same kernels run.
TEST_F(CheckedModeTest, NothingWithoutTheVariable) {
  unsetenv("TG_SIMULATOR_CHECK");
  cuda.reset();
  modules.clear();
  ASSERT_EQ(cuda.cuInit(0), CUDA_SUCCESS);
  ASSERT_EQ(cuda.cuDevicePrimaryCtxRetain(&context, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuda.cuCtxSetCurrent(context), CUDA_SUCCESS);
  expectNone(64, "ld.shared.b32 %r2, [%d2+4];\nst.shared.b32 [s], %r1;\n"
                 "@%q1 ret;\nbar.sync 0;\n");
}

} // namespace
