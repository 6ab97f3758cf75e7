#include "support/Faults.h"

using namespace tg::test;

namespace {

/// Tests faults of kernels.
class KernelFaultTest : public FaultTest {
protected:
  /// Runs a kernel with an address. Expects a fault, which the launch does not
  /// report, but all calls after it.
  void expectFault(const std::string &body, uint64_t address,
                   CUresult expected) {
    CUfunction function = kernel(kernelOf(1, body), "k");
    EXPECT_EQ(launch(function, 1, 1, {address}), CUDA_SUCCESS) << body;
    EXPECT_EQ(cuda.cuCtxSynchronize(), expected) << body;
    CUdeviceptr allocated = 0;
    EXPECT_EQ(cuda.cuMemAlloc_v2(&allocated, 4), expected) << body;
    renew();
    EXPECT_EQ(cuda.cuCtxSynchronize(), CUDA_SUCCESS);
  }

  /// Allocates memory that the renewal of the context frees.
  CUdeviceptr allocate(size_t bytes) {
    CUdeviceptr address = 0;
    EXPECT_EQ(cuda.cuMemAlloc_v2(&address, bytes), CUDA_SUCCESS);
    return address;
  }
};

TEST_F(KernelFaultTest, OutOfBounds) {
  const char *load = "ld.global.b32 %r1, [%p0+64];\n";
  CUdeviceptr first = allocate(64);
  allocate(64);
  expectFault(load, first, CUDA_ERROR_ILLEGAL_ADDRESS);
  expectFault("ld.b32 %r1, [%p0+-4];\n", allocate(64),
              CUDA_ERROR_ILLEGAL_ADDRESS);
  expectFault("st.global.v2.b32 [%p0+64], {0, 0};\n", allocate(68),
              CUDA_ERROR_ILLEGAL_ADDRESS);
  expectFault("ld.global.b32 %r1, [%p0];\n", 0, CUDA_ERROR_ILLEGAL_ADDRESS);
}

TEST_F(KernelFaultTest, FreedAndForeignMemory) {
  CUdeviceptr freed = allocate(64);
  EXPECT_EQ(cuda.cuMemFree_v2(freed), CUDA_SUCCESS);
  expectFault("ld.global.b32 %r1, [%p0];\n", freed, CUDA_ERROR_ILLEGAL_ADDRESS);
  int host = 0;
  expectFault("ld.global.b32 %r1, [%p0];\n", reinterpret_cast<uint64_t>(&host),
              CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(host, 0);
}

TEST_F(KernelFaultTest, LocalSharedAndParameters) {
  expectFault(".local .b32 l;\nst.local.b32 [l+4], 1;\n", 0,
              CUDA_ERROR_ILLEGAL_ADDRESS);
  expectFault(".shared .b32 s;\nst.shared.b32 [s+4], 1;\n", 0,
              CUDA_ERROR_ILLEGAL_ADDRESS);
  expectFault("ld.param.b32 %r1, [p0+8];\n", 0, CUDA_ERROR_ILLEGAL_ADDRESS);
}

TEST_F(KernelFaultTest, MisalignedAddresses) {
  expectFault("ld.global.b32 %r1, [%p0+2];\n", allocate(64),
              CUDA_ERROR_MISALIGNED_ADDRESS);
  expectFault("ld.global.v2.b32 {%r1, %r2}, [%p0+4];\n", allocate(64),
              CUDA_ERROR_MISALIGNED_ADDRESS);
  expectFault("red.add.u64 [%p0+4], 1;\n", allocate(64),
              CUDA_ERROR_MISALIGNED_ADDRESS);
}

TEST_F(KernelFaultTest, Copies) {
  std::string shared = ".shared .align 16 .b8 s[16];\n";
  CUdeviceptr from = allocate(24);
  expectFault(shared + "cp.async.cg.shared.global [s], [%p0+16], 16;\n", from,
              CUDA_ERROR_ILLEGAL_ADDRESS);
  expectFault(shared + "cp.async.ca.shared.global [s+16], [%p0], 4;\n",
              allocate(24), CUDA_ERROR_ILLEGAL_ADDRESS);
  expectFault(shared + "cp.async.ca.shared.global [s+4], [%p0], 8;\n",
              allocate(24), CUDA_ERROR_MISALIGNED_ADDRESS);
}

/// The rows of matrices have 16 bytes.
TEST_F(KernelFaultTest, Matrices) {
  for (auto [offset, status] : {std::pair("8", CUDA_ERROR_MISALIGNED_ADDRESS),
                                std::pair("512", CUDA_ERROR_ILLEGAL_ADDRESS)}) {
    CUfunction function =
        kernel(kernelOf(0, ".shared .align 16 .b8 s[512];\n"
                           "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, "
                           "[s+" +
                               std::string(offset) + "];\n"),
               "k");
    EXPECT_EQ(launch(function, 1, 32, {}), CUDA_SUCCESS);
    EXPECT_EQ(cuda.cuCtxSynchronize(), status);
    renew();
  }
}

TEST_F(KernelFaultTest, EndlessLoops) {
  expectFault("L: bra L;\n", 0, CUDA_ERROR_LAUNCH_TIMEOUT);
}

TEST_F(KernelFaultTest, TrapsAndDeepStacks) {
  expectFault("trap;\n", 0, CUDA_ERROR_LAUNCH_FAILED);
  expectFault("T: .branchtargets L;\nmov.b32 %r1, 1;\nbrx.idx %r1, T;\nL:\n", 0,
              CUDA_ERROR_LAUNCH_FAILED);
  CUfunction function =
      kernel(moduleOf(".func f() { .local .b8 l[65536]; call f; ret; }\n"
                      ".visible .entry k() { call f; ret; }\n"),
             "k");
  EXPECT_EQ(launch(function, 1, 1, {}), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuCtxSynchronize(), CUDA_ERROR_LAUNCH_FAILED);
  renew();
}

/// Threads that wait at different barriers wait for each other.
TEST_F(KernelFaultTest, BarriersThatDiffer) {
  CUfunction function = kernel(kernelOf(0, R"(
mov.u32 %r1, %tid.x;
bar.sync %r1;
)"),
                               "k");
  EXPECT_EQ(launch(function, 1, 2, {}), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuCtxSynchronize(), CUDA_ERROR_LAUNCH_TIMEOUT);
  renew();
}

TEST_F(KernelFaultTest, TheLogNamesThePlace) {
  const char *body = "mov.u32 %r1, %tid.x;\n"
                     "setp.eq.u32 %q1, %r1, 2;\n"
                     "@%q1 ld.global.b32 %r1, [%p0+16];\n";
  CUfunction function = kernel(kernelOf(1, body), "k");
  EXPECT_EQ(launch(function, 2, 4, {0}), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
  renew();
  EXPECT_EQ(lastLine(),
            "kernel 'k': illegal address 0x10 in 'k', line 13, block "
            "(0, 0, 0), thread (2, 0, 0)");
}

/// Work that follows a fault does nothing.
TEST_F(KernelFaultTest, NothingRunsAfterAFault) {
  Buffer *kept = new Buffer(4);
  kept->put(std::vector<int>{1});
  void *pinned = nullptr;
  ASSERT_EQ(cuda.cuMemHostAlloc(&pinned, 4, 0), CUDA_SUCCESS);
  *static_cast<int *>(pinned) = 5;
  CUfunction function = kernel(kernelOf(1, "trap;\n"), "k");
  EXPECT_EQ(launch(function, 1, 1, {0}), CUDA_SUCCESS);
  EXPECT_EQ(launch(function, 1, 1, {0}), CUDA_ERROR_LAUNCH_FAILED);
  EXPECT_EQ(cuda.cuMemcpyDtoHAsync_v2(pinned, kept->address, 4, nullptr),
            CUDA_ERROR_LAUNCH_FAILED);
  EXPECT_EQ(*static_cast<int *>(pinned), 5);
  EXPECT_EQ(cuda.cuMemFree_v2(kept->address), CUDA_ERROR_LAUNCH_FAILED);
  // The context has freed it: only the object of the host is left.
  renew();
  kept->address = 0;
  delete kept;
}

} // namespace
