#include "support/Cuda.h"

#include <cstdlib>
#include <cstring>

using namespace tg::test;

namespace {

using CopyTest = CudaTest;
using CopyDeathTest = CudaTest;

/// A host cannot follow a device pointer.
TEST_F(CopyDeathTest, DeviceMemoryIsNotTheHosts) {
  Buffer buffer(64);
  volatile int *pointer = reinterpret_cast<int *>(buffer.address);
  EXPECT_DEATH(static_cast<void>(*pointer), "");
  EXPECT_DEATH(*pointer = 1, "");
}

TEST_F(CopyTest, CopiesBetweenAllMemories) {
  Buffer a(16), b(16);
  void *pinned = nullptr;
  ASSERT_EQ(cuda.cuMemHostAlloc(&pinned, 16, 3), CUDA_SUCCESS);
  auto address = [](const void *host) {
    return reinterpret_cast<CUdeviceptr>(host);
  };
  int host[4] = {1, 2, 3, 4}, back[4] = {};
  EXPECT_EQ(cuda.cuMemcpyHtoD_v2(a.address + 4, host, 12), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuMemcpyDtoD_v2(b.address, a.address + 4, 12), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuMemcpy(address(pinned), b.address, 12), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuMemcpy(address(back), address(pinned), 12), CUDA_SUCCESS);
  EXPECT_EQ(std::memcmp(host, back, 12), 0);
  EXPECT_EQ(cuda.cuMemcpyAsync(address(back), address(host), 16, nullptr),
            CUDA_SUCCESS);
  EXPECT_EQ(back[3], 4);
  EXPECT_EQ(cuda.cuMemFreeHost(pinned), CUDA_SUCCESS);
}

TEST_F(CopyTest, RangesMustLieInOneAllocation) {
  Buffer a(16);
  int host[8] = {};
  EXPECT_EQ(cuda.cuMemcpyHtoD_v2(a.address + 4, host, 16),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuda.cuMemcpyDtoH_v2(host, a.address + 16, 1),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuda.cuMemcpyHtoD_v2(reinterpret_cast<CUdeviceptr>(host), host, 1),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuda.cuMemcpyHtoD_v2(a.address, nullptr, 1),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuda.cuMemcpyHtoD_v2(a.address, host, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuMemcpyDtoHAsync_v2(host, a.address, 4,
                                      reinterpret_cast<CUstream>(host)),
            CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(CopyTest, Fills) {
  Buffer a(16);
  EXPECT_EQ(cuda.cuMemsetD32_v2(a.address, 0x01020304, 4), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuMemsetD16_v2(a.address + 4, 0x0506, 3), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuMemsetD8Async(a.address + 15, 7, 1, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(
      a.take<uint32_t>(4),
      (std::vector<uint32_t>{0x01020304, 0x05060506, 0x01020506, 0x07020304}));
  EXPECT_EQ(cuda.cuMemsetD32_v2(a.address + 2, 0, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuda.cuMemsetD32_v2(a.address, 0, 5), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(CopyTest, Allocations) {
  CUdeviceptr address = 0;
  EXPECT_EQ(cuda.cuMemAlloc_v2(&address, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuda.cuMemAlloc_v2(nullptr, 4), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuda.cuMemAlloc_v2(&address, uint64_t(5) << 30),
            CUDA_ERROR_OUT_OF_MEMORY);
  Buffer a(100), b(1);
  EXPECT_EQ(a.address % 256, 0u);
  EXPECT_EQ(b.address % 256, 0u);
  EXPECT_EQ(cuda.cuMemFree_v2(a.address + 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuda.cuMemFree_v2(0), CUDA_SUCCESS);
  // Memory that was not written shows.
  EXPECT_EQ(a.take<uint8_t>(100), std::vector<uint8_t>(100, 0xff));
  size_t free = 0, total = 0;
  EXPECT_EQ(cuda.cuMemGetInfo_v2(&free, &total), CUDA_SUCCESS);
  EXPECT_EQ(total - free, 101u);
}

/// Memory runs out, and comes back.
TEST(Heap, MemoryRunsOut) {
  const Cuda &cuda = Cuda::get();
  setenv("TG_SIMULATOR_MEMORY", "1000000", 1);
  cuda.reset();
  unsetenv("TG_SIMULATOR_MEMORY");
  CUcontext context = nullptr;
  ASSERT_EQ(cuda.cuInit(0), CUDA_SUCCESS);
  ASSERT_EQ(cuda.cuDevicePrimaryCtxRetain(&context, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuda.cuCtxSetCurrent(context), CUDA_SUCCESS);
  for (int round = 0; round < 3; ++round) {
    std::vector<CUdeviceptr> all;
    CUdeviceptr address = 0;
    while (cuda.cuMemAlloc_v2(&address, 100000) == CUDA_SUCCESS)
      all.push_back(address);
    EXPECT_EQ(all.size(), 10u);
    for (CUdeviceptr allocated : all)
      EXPECT_EQ(cuda.cuMemFree_v2(allocated), CUDA_SUCCESS);
  }
  cuda.reset();
}

TEST_F(CopyTest, AttributesOfPointers) {
  Buffer a(100);
  unsigned type = 0;
  CUdeviceptr start = 0;
  size_t bytes = 0;
  auto get = [&](void *value, CUpointer_attribute attribute,
                 CUdeviceptr address) {
    return cuda.cuPointerGetAttribute(value, attribute, address);
  };
  CUdeviceptr inside = a.address + 5;
  EXPECT_EQ(get(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, inside), CUDA_SUCCESS);
  EXPECT_EQ(type, unsigned(CU_MEMORYTYPE_DEVICE));
  EXPECT_EQ(get(&start, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, inside),
            CUDA_SUCCESS);
  EXPECT_EQ(start, a.address);
  EXPECT_EQ(get(&bytes, CU_POINTER_ATTRIBUTE_RANGE_SIZE, inside), CUDA_SUCCESS);
  EXPECT_EQ(bytes, 100u);
  auto host = reinterpret_cast<CUdeviceptr>(&bytes);
  EXPECT_EQ(get(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, host),
            CUDA_ERROR_INVALID_VALUE);
  CUpointer_attribute attributes[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                      CU_POINTER_ATTRIBUTE_DEVICE_POINTER};
  void *values[] = {&type, &start};
  EXPECT_EQ(cuda.cuPointerGetAttributes(2, attributes, values, host),
            CUDA_SUCCESS);
  EXPECT_EQ(type, 0u);
  EXPECT_EQ(start, 0u);
}

} // namespace
