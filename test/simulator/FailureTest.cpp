#include "support/Cuda.h"

#include <cstdlib>

using namespace tg::test;

namespace {

using FailureTest = CudaTest;

TEST_F(FailureTest, TheNthCallFails) {
  EXPECT_TRUE(cuda.fail("cuMemAlloc_v2", 2, CUDA_ERROR_OUT_OF_MEMORY));
  CUdeviceptr address = 0;
  EXPECT_EQ(cuda.cuMemAlloc_v2(&address, 4), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuMemFree_v2(address), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuMemAlloc_v2(&address, 4), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(cuda.cuMemAlloc_v2(&address, 4), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuMemFree_v2(address), CUDA_SUCCESS);
  EXPECT_FALSE(cuda.fail("cuNone", 1, 1));
}

/// Numbers count from the call that plants the failure; other names are the
/// same function.
TEST_F(FailureTest, FailuresCountFromNow) {
  EXPECT_TRUE(cuda.fail("cuCtxSynchronize", 1, 7));
  EXPECT_EQ(cuda.cuCtxSynchronize(), CUresult(7));
  EXPECT_TRUE(cuda.fail("cuCtxSynchronize", 1, 8));
  EXPECT_EQ(cuda.cuCtxSynchronize(), CUresult(8));
  EXPECT_EQ(cuda.cuCtxSynchronize(), CUDA_SUCCESS);
  EXPECT_TRUE(cuda.fail("cuMemGetInfo", 1, 9));
  EXPECT_EQ(cuda.cuMemGetInfo_v2(nullptr, nullptr), CUresult(9));
}

TEST(Failures, OfTheEnvironment) {
  const Cuda &cuda = Cuda::get();
  setenv("TG_SIMULATOR_FAIL", "cuInit:2=3,none:1=1,,cuDeviceGetCount:1=100", 1);
  cuda.reset();
  unsetenv("TG_SIMULATOR_FAIL");
  int count = 0;
  EXPECT_EQ(cuda.cuInit(0), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuInit(0), CUDA_ERROR_NOT_INITIALIZED);
  EXPECT_EQ(cuda.cuDeviceGetCount(&count), CUDA_ERROR_NO_DEVICE);
  EXPECT_EQ(cuda.cuDeviceGetCount(&count), CUDA_SUCCESS);
  cuda.reset();
}

TEST_F(FailureTest, CountersOfWhatExists) {
  CUmodule module = nullptr;
  CUstream stream = nullptr;
  CUevent event = nullptr;
  void *pinned = nullptr;
  std::string text = kernelOf(1, "ld.global.b32 %r1, [%p0];\n"
                                 "st.global.b64 [%p0], 1;\n");
  EXPECT_EQ(cuda.cuModuleLoadData(&module, text.c_str()), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuStreamCreate(&stream, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuEventCreate(&event, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuMemHostAlloc(&pinned, 24, 0), CUDA_SUCCESS);
  {
    Buffer buffer(40);
    CUfunction function = nullptr;
    EXPECT_EQ(cuda.cuModuleGetFunction(&function, module, "k"), CUDA_SUCCESS);
    EXPECT_EQ(launch(function, 1, 5, {buffer.address}), CUDA_SUCCESS);
    buffer.put(std::vector<int>(2, 1));
    EXPECT_EQ(cuda.cuMemsetD8_v2(buffer.address, 0, 1), CUDA_SUCCESS);
    tgSimulatorCounters found = counters();
    EXPECT_EQ(found.allocations, 1u);
    EXPECT_EQ(found.bytes, 40u);
    EXPECT_EQ(found.hostAllocations, 1u);
    EXPECT_EQ(found.hostBytes, 24u);
    EXPECT_EQ(found.modules, 1u);
    EXPECT_EQ(found.streams, 1u);
    EXPECT_EQ(found.events, 1u);
    EXPECT_EQ(found.contexts, 1u);
    EXPECT_EQ(found.launches, 1u);
    EXPECT_EQ(found.copies, 1u);
    EXPECT_EQ(found.fills, 1u);
    EXPECT_EQ(found.waits, 1u);
    // The load of the parameter, two accesses and the return.
    EXPECT_EQ(found.instructions, 4u * 5);
    EXPECT_EQ(found.globalBytes, 12u * 5);
  }
  EXPECT_EQ(cuda.cuModuleUnload(module), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuStreamDestroy_v2(stream), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuEventDestroy_v2(event), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuMemFreeHost(pinned), CUDA_SUCCESS);
}

/// A context takes everything with it.
TEST_F(FailureTest, ReleasedContextsLeaveNothing) {
  CUdeviceptr address = 0;
  CUstream stream = nullptr;
  EXPECT_EQ(cuda.cuMemAlloc_v2(&address, 64), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuStreamCreate(&stream, 0), CUDA_SUCCESS);
  load(kernelOf(0, ""));
  renew();
  tgSimulatorCounters left = counters();
  EXPECT_EQ(left.allocations + left.modules + left.streams, 0u);
  EXPECT_EQ(left.contexts, 1u);
  EXPECT_EQ(cuda.cuStreamSynchronize(stream), CUDA_ERROR_INVALID_HANDLE);
}

} // namespace
