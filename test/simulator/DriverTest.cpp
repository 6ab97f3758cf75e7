#include "support/Cuda.h"

#include <cstdlib>
#include <thread>

using namespace tg::test;

namespace {

/// Tests the driver before and after `cuInit`.
class DriverTest : public testing::Test {
protected:
  void SetUp() override { cuda.reset(); }
  void TearDown() override {
    unsetenv("TG_SIMULATOR_DEVICES");
    unsetenv("TG_SIMULATOR_VERSION");
    cuda.reset();
  }

  const Cuda &cuda = Cuda::get();
};

/// Every function and every other name of one is exported, and cuGetProcAddress
/// finds it.
TEST_F(DriverTest, FunctionsHaveAddresses) {
#define FUNCTION(name, parameters) EXPECT_NE(cuda.name, nullptr) << #name;
#define ALIAS(name, function)                                                  \
  EXPECT_EQ(cuda.name, cuda.function) << #name;                                \
  {                                                                            \
    void *found = nullptr;                                                     \
    EXPECT_EQ(cuda.cuGetProcAddress(#name, &found, 12000, 0), CUDA_SUCCESS);   \
    EXPECT_EQ(found, reinterpret_cast<void *>(cuda.function)) << #name;        \
  }
#include "test/simulator/driver/CudaFunctions.def"
#undef FUNCTION
#undef ALIAS
}

TEST_F(DriverTest, ProcAddresses) {
  void *found = nullptr;
  CUdriverProcAddressQueryResult status = {};
  EXPECT_EQ(cuda.cuGetProcAddress_v2("cuInit", &found, 11030, 0, &status),
            CUDA_SUCCESS);
  EXPECT_EQ(found, reinterpret_cast<void *>(cuda.cuInit));
  EXPECT_EQ(status, CU_GET_PROC_ADDRESS_SUCCESS);
  EXPECT_EQ(cuda.cuGetProcAddress_v2("cuNone", &found, 12000, 0, &status),
            CUDA_ERROR_NOT_FOUND);
  EXPECT_EQ(found, nullptr);
  EXPECT_EQ(status, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  EXPECT_EQ(cuda.cuGetProcAddress("cuGetProcAddress", &found, 11030, 0),
            CUDA_SUCCESS);
  EXPECT_EQ(found, reinterpret_cast<void *>(cuda.cuGetProcAddress));
}

TEST_F(DriverTest, NothingWorksBeforeInit) {
  int count = 0;
  CUcontext context = nullptr;
  EXPECT_EQ(cuda.cuDeviceGetCount(&count), CUDA_ERROR_NOT_INITIALIZED);
  EXPECT_EQ(cuda.cuCtxGetCurrent(&context), CUDA_ERROR_NOT_INITIALIZED);
  EXPECT_EQ(cuda.cuCtxSynchronize(), CUDA_ERROR_NOT_INITIALIZED);
  EXPECT_EQ(cuda.cuInit(1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuda.cuInit(0), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuInit(0), CUDA_SUCCESS);
}

TEST_F(DriverTest, HasNoTablesOfFunctions) {
  const CUuuid id = {};
  const void *table = &id;
  EXPECT_EQ(cuda.cuGetExportTable(&table, &id), CUDA_ERROR_NOT_FOUND);
  EXPECT_EQ(table, nullptr);
  EXPECT_EQ(cuda.cuGetExportTable(nullptr, &id), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverTest, SettingsOfTheEnvironment) {
  setenv("TG_SIMULATOR_DEVICES", "0", 1);
  setenv("TG_SIMULATOR_VERSION", "11040", 1);
  cuda.reset();
  int version = 0;
  EXPECT_EQ(cuda.cuDriverGetVersion(&version), CUDA_SUCCESS);
  EXPECT_EQ(version, 11040);
  EXPECT_EQ(cuda.cuInit(0), CUDA_ERROR_NO_DEVICE);
}

TEST_F(DriverTest, Devices) {
  setenv("TG_SIMULATOR_DEVICES", "2", 1);
  cuda.reset();
  ASSERT_EQ(cuda.cuInit(0), CUDA_SUCCESS);
  int count = 0, value = 0;
  CUdevice device = -1;
  EXPECT_EQ(cuda.cuDeviceGetCount(&count), CUDA_SUCCESS);
  EXPECT_EQ(count, 2);
  EXPECT_EQ(cuda.cuDeviceGet(&device, 1), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuDeviceGet(&device, 2), CUDA_ERROR_INVALID_DEVICE);
  EXPECT_EQ(cuda.cuDeviceGetAttribute(
                &value, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device),
            CUDA_SUCCESS);
  EXPECT_EQ(value, 8);
  EXPECT_EQ(cuda.cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 7),
            CUDA_ERROR_INVALID_DEVICE);
  char name[8] = "";
  EXPECT_EQ(cuda.cuDeviceGetName(name, sizeof(name), 0), CUDA_SUCCESS);
  EXPECT_STREQ(name, "tgc PTX");
  CUuuid first, second;
  EXPECT_EQ(cuda.cuDeviceGetUuid_v2(&first, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuDeviceGetUuid_v2(&second, 1), CUDA_SUCCESS);
  EXPECT_NE(first.bytes[15], second.bytes[15]);
  size_t bytes = 0;
  EXPECT_EQ(cuda.cuDeviceTotalMem_v2(&bytes, 0), CUDA_SUCCESS);
  EXPECT_EQ(bytes, uint64_t(4) << 30);
}

TEST_F(DriverTest, ErrorTexts) {
  const char *text = nullptr;
  EXPECT_EQ(cuda.cuGetErrorName(CUDA_ERROR_ILLEGAL_ADDRESS, &text),
            CUDA_SUCCESS);
  EXPECT_STREQ(text, "CUDA_ERROR_ILLEGAL_ADDRESS");
  EXPECT_EQ(cuda.cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text),
            CUDA_SUCCESS);
  EXPECT_STREQ(text, "out of memory");
  EXPECT_EQ(cuda.cuGetErrorName(CUresult(12345), &text),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(text, nullptr);
}

TEST_F(DriverTest, ContextsAreCountedAndCurrentPerThread) {
  ASSERT_EQ(cuda.cuInit(0), CUDA_SUCCESS);
  CUcontext context = nullptr, current = nullptr;
  EXPECT_EQ(cuda.cuCtxSynchronize(), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cuda.cuDevicePrimaryCtxRelease_v2(0), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cuda.cuDevicePrimaryCtxRetain(&context, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuDevicePrimaryCtxRetain(&current, 0), CUDA_SUCCESS);
  EXPECT_EQ(context, current);
  EXPECT_EQ(cuda.cuCtxPushCurrent_v2(context), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuCtxSynchronize(), CUDA_SUCCESS);
  std::thread([&] {
    EXPECT_EQ(cuda.cuCtxSynchronize(), CUDA_ERROR_INVALID_CONTEXT);
    EXPECT_EQ(cuda.cuCtxSetCurrent(context), CUDA_SUCCESS);
    EXPECT_EQ(cuda.cuCtxSynchronize(), CUDA_SUCCESS);
  }).join();
  unsigned flags = 0;
  int isActive = 0;
  EXPECT_EQ(cuda.cuDevicePrimaryCtxRelease_v2(0), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuDevicePrimaryCtxGetState(0, &flags, &isActive),
            CUDA_SUCCESS);
  EXPECT_EQ(isActive, 1);
  EXPECT_EQ(cuda.cuDevicePrimaryCtxRelease_v2(0), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuCtxSynchronize(), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  EXPECT_EQ(cuda.cuCtxPopCurrent_v2(&current), CUDA_SUCCESS);
  EXPECT_EQ(current, context);
  EXPECT_EQ(cuda.cuCtxPopCurrent_v2(&current), CUDA_ERROR_INVALID_CONTEXT);
}

/// Calls from several threads do not disturb each other.
TEST_F(DriverTest, Threads) {
  ASSERT_EQ(cuda.cuInit(0), CUDA_SUCCESS);
  CUcontext context = nullptr;
  ASSERT_EQ(cuda.cuDevicePrimaryCtxRetain(&context, 0), CUDA_SUCCESS);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      EXPECT_EQ(cuda.cuCtxSetCurrent(context), CUDA_SUCCESS);
      for (int round = 0; round < 100; ++round) {
        Buffer buffer(64);
        buffer.put(std::vector<int>(16, i));
        EXPECT_EQ(buffer.take<int>(16), std::vector<int>(16, i));
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

} // namespace
