#include "support/Cuda.h"

#include <cstdlib>
#include <fstream>
#include <unistd.h>

using namespace tg::test;

namespace {

/// Tests what kernels with known accesses count.
class CountTest : public CudaTest {
protected:
  void SetUp() override {
    path = testing::TempDir() + "counts-" + std::to_string(getpid()) + ".txt";
    std::ofstream(path, std::ios::trunc);
    setenv("TG_SIMULATOR_COUNT", path.c_str(), 1);
    CudaTest::SetUp();
    if (!cuda.isSimulator)
      GTEST_SKIP() << "a driver that counts nothing";
  }
  void TearDown() override {
    CudaTest::TearDown();
    unsetenv("TG_SIMULATOR_COUNT");
    std::remove(path.c_str());
    cuda.reset();
  }

  /// Forgets all counts.
  void restart() {
    cuda.reset();
    modules.clear();
    EXPECT_EQ(cuda.cuInit(0), CUDA_SUCCESS);
    EXPECT_EQ(cuda.cuDevicePrimaryCtxRetain(&context, 0), CUDA_SUCCESS);
    EXPECT_EQ(cuda.cuCtxSetCurrent(context), CUDA_SUCCESS);
  }

  /// Returns the counts of a launch of one block. Its body has the thread in
  /// %r1, 4096 bytes of global memory at %p0 and of shared memory at %d1.
  tgSimulatorKernelCounters count(unsigned threads, const std::string &body) {
    restart();
    CUfunction function =
        kernel(kernelOf(1, ".shared .align 16 .b8 s[4096];\nmov.b64 %d1, s;\n"
                           "mov.u32 %r1, %tid.x;\n" +
                               body),
               "k");
    Buffer bytes(4096);
    run(function, 1, threads, {bytes.address});
    tgSimulatorKernelCounters found = {};
    EXPECT_EQ(cuda.kernelCounts("k", &found, sizeof(found)), 1u);
    return found;
  }

  /// Returns the counts of loads or stores of a warp, each lane `stride` bytes
  /// behind the one before it.
  tgSimulatorKernelCounters strided(const std::string &access,
                                    unsigned stride) {
    return count(32, "mul.wide.u32 %d2, %r1, " + std::to_string(stride) +
                         ";\nadd.s64 %d3, %d2, %p0;\nadd.s64 %d4, %d2, %d1;\n" +
                         access + "\n");
  }

  std::string path;
};

TEST_F(CountTest, Instructions) {
  auto found = count(40, "setp.lt.u32 %q1, %r1, 8;\n"
                         ".reg .f32 %f<3>;\n"
                         "mov.b32 %f1, 0f3F800000;\n"
                         "@%q1 fma.rn.f32 %f1, %f1, %f1, %f1;\n"
                         "fma.rn.f32 %f1, %f1, %f1, %f1;\n");
  EXPECT_EQ(found.launches, 1u);
  // The parameter and the two moves before the body, and the return.
  EXPECT_EQ(found.instructions, 40u * 8);
  EXPECT_EQ(found.warpInstructions, 2u * 8);
  EXPECT_EQ(found.multiplyAdds, 80u);
  EXPECT_EQ(found.globalLoads + found.globalStores + found.sharedLoads, 0u);
}

TEST_F(CountTest, SectorsOfNeighbours) {
  auto found = strided("ld.global.b32 %r2, [%d3];", 4);
  EXPECT_EQ(found.globalLoads, 1u);
  EXPECT_EQ(found.globalBytesRead, 128u);
  EXPECT_EQ(found.globalBytesWritten, 0u);
  EXPECT_EQ(found.sectorsTouched, 4u);
  EXPECT_EQ(found.sectorsNeeded, 4u);
  found = strided("st.global.v4.b32 [%d3], {%r1, %r1, %r1, %r1};", 16);
  EXPECT_EQ(found.globalStores, 1u);
  EXPECT_EQ(found.globalBytesWritten, 512u);
  EXPECT_EQ(found.sectorsTouched, 16u);
  EXPECT_EQ(found.sectorsNeeded, 16u);
  // One sector more than needed, as the first begins before.
  found = strided("ld.global.b32 %r2, [%d3+16];", 4);
  EXPECT_EQ(found.sectorsTouched, 5u);
  EXPECT_EQ(found.sectorsNeeded, 4u);
}

TEST_F(CountTest, SectorsOfStrides) {
  auto found = strided("ld.global.b32 %r2, [%d3];", 32);
  EXPECT_EQ(found.sectorsTouched, 32u);
  EXPECT_EQ(found.sectorsNeeded, 4u);
  // All lanes read one word.
  found = strided("ld.global.b32 %r2, [%d3];", 0);
  EXPECT_EQ(found.globalBytesRead, 4u);
  EXPECT_EQ(found.sectorsTouched, 1u);
  EXPECT_EQ(found.sectorsNeeded, 1u);
  // Generic addresses of global memory count as well.
  found = strided("st.b32 [%d3], %r1;", 8);
  EXPECT_EQ(found.globalStores, 1u);
  EXPECT_EQ(found.sectorsTouched, 8u);
}

TEST_F(CountTest, AtomicOperationsReadAndWrite) {
  auto found = strided("red.global.add.u32 [%d3], 1;", 4);
  EXPECT_EQ(found.globalLoads, 1u);
  EXPECT_EQ(found.globalStores, 1u);
  EXPECT_EQ(found.globalBytesRead, 128u);
  EXPECT_EQ(found.globalBytesWritten, 128u);
}

TEST_F(CountTest, BanksOfWords) {
  const std::pair<unsigned, uint64_t> conflicts[] = {
      {0, 0}, {4, 0}, {8, 1}, {16, 3}, {20, 0}, {64, 15}, {128, 31}};
  for (auto [stride, expected] : conflicts) {
    auto found = strided("ld.shared.b32 %r2, [%d4];", stride);
    EXPECT_EQ(found.sharedLoads, 1u);
    EXPECT_EQ(found.bankConflicts, expected) << stride;
    EXPECT_EQ(strided("st.shared.b32 [%d4], %r1;", stride).bankConflicts,
              expected);
  }
  // Lanes that share a word do not conflict, bytes of one word neither.
  EXPECT_EQ(strided("ld.shared.u8 %r2, [%d4];", 1).bankConflicts, 0u);
}

/// Vectors go in parts of the warp.
TEST_F(CountTest, BanksOfVectors) {
  EXPECT_EQ(strided("ld.shared.b64 %d2, [%d4];", 8).bankConflicts, 0u);
  EXPECT_EQ(strided("ld.shared.b64 %d2, [%d4];", 16).bankConflicts, 2u);
  const char *four = "ld.shared.v4.b32 {%r2, %r3, %r4, %r5}, [%d4];";
  EXPECT_EQ(strided(four, 16).bankConflicts, 0u);
  EXPECT_EQ(strided(four, 0).bankConflicts, 0u);
  EXPECT_EQ(strided(four, 32).bankConflicts, 4u);
  EXPECT_EQ(strided(four, 128).bankConflicts, 28u);
}

TEST_F(CountTest, CopiesAndMatrices) {
  auto found =
      strided("cp.async.cg.shared.global [%d4], [%d3], 16;\n"
              "cp.async.wait_all;\nbar.warp.sync -1;\n"
              "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r2, %r3}, [%d4];",
              16);
  EXPECT_EQ(found.globalLoads, 1u);
  EXPECT_EQ(found.globalBytesRead, 512u);
  EXPECT_EQ(found.sharedStores, 1u);
  EXPECT_EQ(found.sharedLoads, 2u);
  EXPECT_EQ(found.bankConflicts, 0u);
}

/// Each launch, copy, fill and wait appends a line.
TEST_F(CountTest, TheFile) {
  strided("ld.global.b32 %r2, [%d3];", 4);
  Buffer bytes(8);
  bytes.put(std::vector<int>{1, 2});
  EXPECT_EQ(cuda.cuMemsetD32_v2(bytes.address, 0, 2), CUDA_SUCCESS);
  std::ifstream in(path);
  std::string line;
  ASSERT_TRUE(std::getline(in, line));
  EXPECT_EQ(line, "kernel k launches=1 instructions=256 warp_instructions=8 "
                  "multiply_adds=0 global_loads=1 global_stores=0 "
                  "global_bytes_read=128 global_bytes_written=0 "
                  "sectors_touched=4 sectors_needed=4 shared_loads=0 "
                  "shared_stores=0 bank_conflicts=0");
  // The test waits for the launch. The copy waits itself.
  for (const char *expected : {"wait", "copy", "wait", "fill"}) {
    ASSERT_TRUE(std::getline(in, line));
    EXPECT_EQ(line, expected);
  }
  tgSimulatorKernelCounters all = {};
  EXPECT_EQ(cuda.kernelCounts(nullptr, &all, sizeof(all)), 1u);
}

/// Kernels that do nothing are launched.
TEST_F(CountTest, KernelsThatAreSkipped) {
  setenv("TG_SIMULATOR_SKIP", "1", 1);
  auto found = strided("st.global.b32 [%d3], %r1;", 4);
  unsetenv("TG_SIMULATOR_SKIP");
  EXPECT_EQ(found.launches, 1u);
  EXPECT_EQ(found.instructions, 0u);
  EXPECT_EQ(found.globalStores, 0u);
}

/// Without the variable nothing is counted.
TEST_F(CountTest, NothingWithoutTheVariable) {
  unsetenv("TG_SIMULATOR_COUNT");
  restart();
  run(kernel(kernelOf(0, ""), "k"), 1, 1, {});
  tgSimulatorKernelCounters found = {};
  EXPECT_EQ(cuda.kernelCounts("k", &found, sizeof(found)), 0u);
}

} // namespace
