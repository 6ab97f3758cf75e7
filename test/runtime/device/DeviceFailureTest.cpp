/// Failures of the driver at every call: each is a status, and leaves nothing
/// on the device.
#include "test/runtime/support/Pair.h"

#include <filesystem>
#include <unistd.h>

using namespace tg::test;

namespace {

/// Calls every function of libtgrt that uses a device, until one fails.
class DeviceFailureTest : public SimulatorTest {
protected:
  void SetUp() override {
    SimulatorTest::SetUp();
    path = testing::TempDir() + "/tg-failure-" + std::to_string(::getpid());
  }
  void TearDown() override {
    std::filesystem::remove(path);
    SimulatorTest::TearDown();
  }

  /// Returns the status of the first failing call, and frees everything.
  tg_status_t useEverything();
  /// Lets each call of a driver function fail once. Expects `status` each time.
  void failEach(const char *function, int result, tg_status_t status);

  std::string path;

private:
  tg_status_t load();
  tg_status_t create(uint32_t flags, tg_context_t *&context);
  tg_status_t run();
  tg_status_t moveVariables();
  tg_status_t publish();
  tg_status_t share();

  tg_module_t *module = nullptr;
  tg_context_t *context = nullptr, *server = nullptr;
};

tg_status_t DeviceFailureTest::load() {
  const tg_load_options_t options = onGpu();
  return tg_module_adopt(pair_tg_model_get, &options, &module, &error);
}

tg_status_t DeviceFailureTest::create(uint32_t flags, tg_context_t *&created) {
  tg_context_options_t options = {};
  options.struct_size = sizeof(options);
  options.flags = flags;
  return tg_context_create(module, &options, &created, &error);
}

tg_status_t DeviceFailureTest::run() {
  float x[] = {1, 2}, y[2], weights[PAIR_WEIGHTS];
  std::vector<int64_t> dims = {2}, weightDims = {PAIR_WEIGHTS};
  const tg_tensor_t in = f32(x, dims), out = f32(y, dims),
                    read = f32(weights, weightDims);
  tg_status_t status = tg_context_init(context, 1, &error);
  if (status == TG_OK)
    status = tg_context_reserve(context, PAIR_TEST, dims.data(), &error);
  if (status == TG_OK)
    status = tg_context_run(context, PAIR_TEST, &in, 1, &out, 1, &error);
  if (status == TG_OK)
    status = tg_context_run(context, PAIR_READ, nullptr, 0, &read, 1, &error);
  return status == TG_OK ? tg_context_run(context, PAIR_TRAIN, nullptr, 0,
                                          nullptr, 0, &error)
                         : status;
}

tg_status_t DeviceFailureTest::moveVariables() {
  std::vector<uint8_t> block(PAIR_SLAB_BYTES);
  tg_status_t status =
      tg_context_export_variables(context, block.data(), block.size(), &error);
  if (status == TG_OK)
    status = tg_context_import_variables(context, block.data(), block.size(),
                                         &error);
  if (status == TG_OK)
    status = tg_context_save_variables(context, path.c_str(), &error);
  return status == TG_OK
             ? tg_context_load_variables(context, path.c_str(), &error)
             : status;
}

tg_status_t DeviceFailureTest::publish() {
  float weights[PAIR_WEIGHTS];
  std::vector<int64_t> dims = {PAIR_WEIGHTS};
  const tg_tensor_t read = f32(weights, dims);
  tg_status_t status = tg_module_publish(module, context, &error);
  if (status == TG_OK)
    status = create(TG_CONTEXT_SHARED, server);
  if (status == TG_OK)
    status = tg_context_run(server, PAIR_READ, nullptr, 0, &read, 1, &error);
  return status == TG_OK ? tg_context_get_variable(server, 0, &read, &error)
                         : status;
}

/// Uses a set of variables and a workspace on the device, which it destroys.
tg_status_t DeviceFailureTest::share() {
  constexpr tg_device_t gpu = {TG_DEVICE_CUDA, 0};
  float weights[PAIR_WEIGHTS] = {};
  std::vector<int64_t> dims = {PAIR_WEIGHTS};
  const tg_tensor_t value = f32(weights, dims);
  const uint32_t index = 0;
  uint32_t count;
  tg_context_options_t options = {};
  options.struct_size = sizeof(options);
  tg_context_t *sharing = nullptr;
  tg_status_t status = tg_device_count(TG_DEVICE_CUDA, &count, &error);
  if (status == TG_OK)
    status =
        tg_variables_create_on(gpu, 0, nullptr, &options.variables, &error);
  if (status == TG_OK)
    status = tg_workspace_create_on(gpu, nullptr, &options.workspace, &error);
  if (status == TG_OK)
    status = tg_context_create(module, &options, &sharing, &error);
  if (status == TG_OK)
    status = tg_variables_set(options.variables, 0, &value, &error);
  if (status == TG_OK)
    status = tg_variables_snapshot(options.variables, &index, 1, &error);
  if (status == TG_OK)
    status = tg_context_run(sharing, PAIR_READ, nullptr, 0, &value, 1, &error);
  if (status == TG_OK)
    status = tg_variables_rollback(options.variables, &error);
  if (status == TG_OK)
    status = tg_variables_get(options.variables, 0, &value, &error);
  tg_context_destroy(sharing);
  if (options.workspace)
    EXPECT_EQ(tg_workspace_destroy(options.workspace, nullptr), TG_OK);
  if (options.variables)
    EXPECT_EQ(tg_variables_destroy(options.variables, nullptr), TG_OK);
  return status;
}

tg_status_t DeviceFailureTest::useEverything() {
  tg_status_t status = load();
  if (status == TG_OK)
    status = create(0, context);
  if (status == TG_OK)
    status = run();
  if (status == TG_OK)
    status = moveVariables();
  if (status == TG_OK)
    status = publish();
  if (status == TG_OK)
    status = share();
  tg_context_destroy(server);
  tg_context_destroy(context);
  if (module) {
    EXPECT_EQ(tg_module_unload(module, nullptr), TG_OK);
  }
  server = context = nullptr;
  module = nullptr;
  return status;
}

void DeviceFailureTest::failEach(const char *function, int result,
                                 tg_status_t status) {
  int failures = 0;
  for (uint64_t nth = 1; nth < 200; ++nth) {
    cuda.reset();
    SimulatorTest::SetUp();
    ASSERT_TRUE(cuda.fail(function, nth, result)) << function;
    error = Error();
    const tg_status_t found = useEverything();
    expectNothingLeft();
    if (found == TG_OK)
      break; // there are fewer calls
    ++failures;
    EXPECT_EQ(tg_status_name(found), std::string(tg_status_name(status)))
        << function << " " << nth << ": " << error.message;
    EXPECT_EQ(error.status, found);
    EXPECT_STRNE(error.message, "");
  }
  EXPECT_GT(failures, 0) << function;
  EXPECT_LT(failures, 199) << function;
}

} // namespace

TEST_F(DeviceFailureTest, everythingWorks) {
  EXPECT_EQ(useEverything(), TG_OK) << error.message;
}

TEST_F(DeviceFailureTest, outOfMemory) {
  for (const char *function :
       {"cuMemAlloc_v2", "cuMemHostAlloc", "cuModuleLoadDataEx",
        "cuStreamCreate", "cuDevicePrimaryCtxRetain", "cuLaunchKernel"})
    failEach(function, CUDA_ERROR_OUT_OF_MEMORY, TG_ERROR_MEMORY);
}

TEST_F(DeviceFailureTest, operationsThatAreNotAccepted) {
  for (const char *function :
       {"cuLaunchKernel", "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2",
        "cuMemcpyDtoDAsync_v2", "cuMemsetD8Async", "cuDeviceGet",
        "cuDeviceGetCount", "cuDeviceGetAttribute"})
    failEach(function, CUDA_ERROR_INVALID_VALUE, TG_ERROR_LAUNCH);
}

TEST_F(DeviceFailureTest, lostDevices) {
  for (const char *function : {"cuStreamSynchronize", "cuLaunchKernel",
                               "cuMemcpyHtoDAsync_v2", "cuMemAlloc_v2"})
    for (int result : {CUDA_ERROR_ILLEGAL_ADDRESS, CUDA_ERROR_LAUNCH_FAILED})
      failEach(function, result, TG_ERROR_DEVICE_LOST);
}

TEST_F(DeviceFailureTest, codeThatDoesNotLoad) {
  failEach("cuModuleLoadDataEx", CUDA_ERROR_INVALID_PTX, TG_ERROR_LOAD);
  failEach("cuModuleLoadDataEx", CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
           TG_ERROR_OLD_DRIVER);
  failEach("cuModuleLoadDataEx", CUDA_ERROR_NO_BINARY_FOR_GPU, TG_ERROR_TARGET);
  failEach("cuModuleGetFunction", CUDA_ERROR_NOT_FOUND, TG_ERROR_LOAD);
}

TEST_F(DeviceFailureTest, driversThatDoNotStart) {
  failEach("cuInit", CUDA_ERROR_UNKNOWN, TG_ERROR_NO_DRIVER);
  failEach("cuDriverGetVersion", CUDA_ERROR_UNKNOWN, TG_ERROR_NO_DRIVER);
  failEach("cuInit", CUDA_ERROR_NO_DEVICE, TG_ERROR_NOT_FOUND);
}

TEST_F(DeviceFailureTest, messagesNameTheOperation) {
  ASSERT_TRUE(cuda.fail("cuLaunchKernel", 1, 701));
  EXPECT_EQ(useEverything(), TG_ERROR_LAUNCH);
  EXPECT_EQ(std::string(error.message)
                .find("init: cannot launch pair_init: "
                      "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES (701), "),
            0u)
      << error.message;
  ASSERT_TRUE(cuda.fail("cuMemcpyDtoHAsync_v2", 1, 999));
  EXPECT_EQ(useEverything(), TG_ERROR_LAUNCH);
  EXPECT_NE(std::string(error.message).find("cannot copy from the GPU: "),
            std::string::npos)
      << error.message;
}

namespace {

using DeviceFaultTest = PairTest;

} // namespace

TEST_F(DeviceFaultTest, aFaultOfAKernelLosesTheDevice) {
  ASSERT_EQ(tg_context_init(context, 1, &error), TG_OK);
  EXPECT_EQ(tg_context_run(context, PAIR_FAULT, nullptr, 0, nullptr, 0, &error),
            TG_ERROR_DEVICE_LOST);
  EXPECT_NE(std::string(error.message).find("CUDA_ERROR_ILLEGAL_ADDRESS"),
            std::string::npos)
      << error.message;
  // Everything else fails in the same way until the module is unloaded.
  EXPECT_EQ(test(context), TG_ERROR_DEVICE_LOST);
  std::vector<uint8_t> exported(PAIR_SLAB_BYTES);
  EXPECT_EQ(tg_context_export_variables(context, exported.data(),
                                        exported.size(), &error),
            TG_ERROR_DEVICE_LOST);
  tg_context_t *other = nullptr;
  EXPECT_EQ(tg_context_create(module, nullptr, &other, &error),
            TG_ERROR_DEVICE_LOST);
  EXPECT_EQ(other, nullptr);
  tg_context_destroy(context);
  context = nullptr;
  EXPECT_EQ(tg_module_unload(module, &error), TG_OK);
  // A new primary context works.
  cuda.reset();
  SimulatorTest::SetUp();
  const tg_load_options_t options = onGpu();
  ASSERT_EQ(tg_module_adopt(pair_tg_model_get, &options, &module, &error),
            TG_OK)
      << error.message;
  context = createContext(module);
  EXPECT_EQ(tg_context_init(context, 1, &error), TG_OK) << error.message;
}
