/// Errors of data and of the device: each has a status, nothing leaks, and
/// variables are as they were.
#include "support/DeviceModel.h"

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
