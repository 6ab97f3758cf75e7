/// Errors of data and of the device: each has a status, nothing leaks, and
/// variables are as they were.
#include "support/DeviceModel.h"

#include <cstdlib>

using namespace tg::test;

namespace {

class DeviceModelErrorTest : public DeviceModelFixture {
protected:
  /// Loads the model, trains a step and unloads it. Returns the status of the
  /// first failure, or TG_OK.
  static tg_status_t useDevice() {
    try {
      const tg::Model model =
          tg::Model::load(TG_MLP_SO, {.device = {TG_DEVICE_CUDA, 0}});
      tg::Context context = model.context({.seed = 1});
      train(context, MlpBatch(2, 1));
      test(context, MlpBatch(2, 1));
      return TG_OK;
    } catch (const tg::RuntimeError &error) {
      EXPECT_NE(std::string(error.what()), "");
      return error.status();
    }
  }
};

} // namespace

TEST_F(DeviceModelErrorTest, aBadLabelLeavesTheVariablesAsTheyWere) {
  tg::Context onCpu = cpu.context({.seed = 5});
  tg::Context onDevice = device.context({.seed = 5});
  for (int step = 0; step < 20; ++step)
    train(onDevice, MlpBatch(2, step)), train(onCpu, MlpBatch(2, step));
  const std::vector<std::byte> before = variablesOf(onDevice);
  MlpBatch bad(8, 20);
  bad.labels[6] = 10;
  std::string expected, found;
  try {
    train(onCpu, bad);
  } catch (const tg::RuntimeError &error) {
    expected = error.what();
  }
  try {
    train(onDevice, bad);
  } catch (const tg::RuntimeError &error) {
    found = error.what();
    EXPECT_EQ(error.status(), TG_ERROR_INDEX);
    EXPECT_EQ(error.details().element, 6);
    EXPECT_EQ(error.details().variables_changed, 0u);
  }
  EXPECT_EQ(found, expected);
  EXPECT_EQ(variablesOf(onDevice), before);
  EXPECT_EQ(train(onDevice, MlpBatch(2, 21)), train(onCpu, MlpBatch(2, 21)));
}

TEST_F(DeviceModelErrorTest, everyAllocationMayFail) {
  device = cpu;
  failEach("cuMemAlloc_v2", /*CUDA_ERROR_OUT_OF_MEMORY=*/2, TG_ERROR_MEMORY,
           useDevice);
  failEach("cuMemHostAlloc", 2, TG_ERROR_MEMORY, useDevice);
}

TEST_F(DeviceModelErrorTest, everyLaunchMayFail) {
  device = cpu;
  failEach("cuLaunchKernel", /*CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES=*/701,
           TG_ERROR_LAUNCH, useDevice);
}

TEST_F(DeviceModelErrorTest, theDeviceMayBeLost) {
  device = cpu;
  failEach("cuStreamSynchronize", /*CUDA_ERROR_LAUNCH_FAILED=*/719,
           TG_ERROR_DEVICE_LOST, useDevice);
}

namespace {

/// The model on two devices and on a CPU.
class TwoDevicesTest : public testing::Test {
protected:
  TwoDevicesTest() {
    setenv("TG_SIMULATOR_DEVICES", "2", 1);
    Cuda::get().reset();
    unsetenv("TG_SIMULATOR_DEVICES");
    for (int32_t id : {0, 1})
      devices.push_back(
          tg::Model::load(TG_MLP_SO, {.device = {TG_DEVICE_CUDA, id}}));
  }
  ~TwoDevicesTest() override {
    devices.clear();
    expectNothingLeft();
    EXPECT_EQ(simulatorCounters().contexts, 0u);
    Cuda::get().reset();
  }

  /// Returns the message of a failure, and expects its status.
  template <typename Call>
  static std::string refuse(tg_status_t expected, Call call) {
    try {
      call();
    } catch (const tg::RuntimeError &error) {
      EXPECT_EQ(error.status(), expected) << error.what();
      return error.what();
    }
    ADD_FAILURE() << "expected an error";
    return "";
  }

  tg::Model cpu = tg::Model::load(TG_MLP_SO, {.target = TG_TARGET_X86_64_V3});
  std::vector<tg::Model> devices;
};

} // namespace

/// A device that is pulled fails from then on, with a name; nothing else does.
TEST_F(TwoDevicesTest, othersGoOnWithoutALostOne) {
  tg::Context onCpu = cpu.context({.seed = 3});
  tg::Context lost = devices[0].context({.seed = 3});
  tg::Context other = devices[1].context({.seed = 3});
  for (tg::Context *context : {&onCpu, &lost, &other})
    for (int step = 0; step < 3; ++step)
      train(*context, MlpBatch(2, step));
  ASSERT_TRUE(Cuda::get().lose(0, /*CUDA_ERROR_DEVICE_UNAVAILABLE=*/46));
  for (int i = 0; i < 2; ++i)
    EXPECT_NE(refuse(TG_ERROR_DEVICE_LOST, [&] { train(lost, MlpBatch(2, 3)); })
                  .find("(46)"),
              std::string::npos);
  refuse(TG_ERROR_DEVICE_LOST, [&] { lost.snapshot(); });
  refuse(TG_ERROR_DEVICE_LOST, [&] { devices[0].context(); });
  refuse(TG_ERROR_DEVICE_LOST,
         [&] { tg::Model::load(TG_MLP_SO, {.device = {TG_DEVICE_CUDA, 0}}); });
  EXPECT_EQ(train(other, MlpBatch(2, 3)), train(onCpu, MlpBatch(2, 3)));
  EXPECT_EQ(variablesOf(other), variablesOf(onCpu));
}

TEST_F(TwoDevicesTest, refusesTensorsOfTheOtherDevice) {
  tg::Context context = devices[0].context({.seed = 3});
  std::vector<float> x(784);
  int64_t dims[] = {1, 784};
  tg_tensor_t tensor = {};
  tensor.data = x.data();
  tensor.ndim = 2;
  tensor.dtype = kF32;
  tensor.shape = dims;
  const auto run = [&](tg::Context &of) { of.run("test", {{"x", tensor}}); };
  tensor.device = {TG_DEVICE_CUDA, 1};
  EXPECT_NE(refuse(TG_ERROR_DEVICE, [&] { run(context); })
                .find("input 'x' is on device 1, expected device 0"),
            std::string::npos);
  tg::Context onCpu = cpu.context({.seed = 3});
  EXPECT_NE(refuse(TG_ERROR_DEVICE, [&] { run(onCpu); }).find("input 'x'"),
            std::string::npos);
}

TEST_F(TwoDevicesTest, refusesAStreamOfTheOtherDevice) {
  const Cuda &cuda = Cuda::get();
  CUcontext primary;
  CUstream stream;
  ASSERT_EQ(cuda.cuDevicePrimaryCtxRetain(&primary, 1), CUDA_SUCCESS);
  ASSERT_EQ(cuda.cuCtxPushCurrent_v2(primary), CUDA_SUCCESS);
  ASSERT_EQ(cuda.cuStreamCreate(&stream, 0), CUDA_SUCCESS);
  EXPECT_NE(
      refuse(TG_ERROR_DEVICE, [&] { devices[0].context({.stream = stream}); })
          .find("belongs to another context of the driver"),
      std::string::npos);
  tg::Context context = devices[1].context({.seed = 3, .stream = stream});
  tg::Context onCpu = cpu.context({.seed = 3});
  EXPECT_EQ(test(context, MlpBatch(2, 1)), test(onCpu, MlpBatch(2, 1)));
  context = std::move(onCpu);
  EXPECT_EQ(cuda.cuStreamDestroy_v2(stream), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuCtxPopCurrent_v2(&primary), CUDA_SUCCESS);
  EXPECT_EQ(cuda.cuDevicePrimaryCtxRelease_v2(1), CUDA_SUCCESS);
}
