/// Runs mlp on a device by abi.h alone: the bits are those of the CPU.
#include "support/BareHost.h"
#include "support/Mlp.h"

using namespace tg::test;

namespace {

class BareHostTest : public CudaTest {};

} // namespace

TEST_F(BareHostTest, trainsWithTheBitsOfTheCpu) {
  CpuHost cpu(TG_TARGET_X86_64_V3);
  BareHost device;
  MlpCalls onCpu(cpu);
  MlpCalls onDevice(device);
  ASSERT_EQ(onCpu.init(42), TG_OK) << cpu.error.message;
  ASSERT_EQ(onDevice.init(42), TG_OK) << device.error.message;
  ASSERT_EQ(cpu.variables(), device.variables());
  for (int step = 0; step < 50; ++step) {
    const MlpBatch batch(1 + step % 3, step);
    ASSERT_EQ(onCpu.train(batch), TG_OK) << cpu.error.message;
    ASSERT_EQ(onDevice.train(batch), TG_OK) << device.error.message;
    ASSERT_EQ(onCpu.loss, onDevice.loss) << "in step " << step;
    ASSERT_EQ(cpu.variables(), device.variables()) << "in step " << step;
  }
  EXPECT_EQ(device.header.generation, 51u);
  const MlpBatch batch(5, 99);
  ASSERT_EQ(onCpu.test(batch), TG_OK) << cpu.error.message;
  ASSERT_EQ(onDevice.test(batch), TG_OK) << device.error.message;
  EXPECT_EQ(onCpu.probabilities, onDevice.probabilities);
  EXPECT_EQ(onCpu.digits, onDevice.digits);
}

TEST_F(BareHostTest, waitsOnceInARun) {
  BareHost device;
  MlpCalls calls(device);
  ASSERT_EQ(calls.init(1), TG_OK) << device.error.message;
  const MlpBatch batch(2, 0);
  device.waits = 0;
  ASSERT_EQ(calls.train(batch), TG_OK) << device.error.message;
  EXPECT_EQ(device.waits, 1u);
  ASSERT_EQ(device.keys.size(), 2u);
  EXPECT_TRUE(device.keys[1].second);
  EXPECT_STREQ(device.keys[1].first->name, "train");
}

TEST_F(BareHostTest, usesTensorsOfTheDeviceInPlace) {
  CpuHost cpu(TG_TARGET_X86_64_V3);
  BareHost device;
  MlpCalls onCpu(cpu);
  MlpCalls onDevice(device);
  ASSERT_EQ(onCpu.init(3), TG_OK);
  ASSERT_EQ(onDevice.init(3), TG_OK);
  MlpBatch batch(4, 7);
  ASSERT_EQ(onCpu.test(batch), TG_OK);
  Buffer x(batch.x.size() * 4), probabilities(4 * 10 * 4);
  x.put(batch.x);
  Arguments inputs, outputs;
  inputs.add(reinterpret_cast<void *>(x.address), {4, 784}, kF32);
  std::vector<int64_t> digits(4);
  outputs.add(reinterpret_cast<void *>(probabilities.address), {4, 10}, kF32)
      .add(digits.data(), {4}, kI64);
  inputs[0].device = outputs[0].device = {TG_DEVICE_CUDA, 0};
  ASSERT_EQ(device.run("test", inputs, outputs), TG_OK) << device.error.message;
  EXPECT_EQ(probabilities.take<float>(40), onCpu.probabilities);
  EXPECT_EQ(digits, onCpu.digits);
  inputs[0].device.device_id = 1;
  EXPECT_EQ(device.run("test", inputs, outputs), TG_ERROR_DEVICE);
  EXPECT_STREQ(device.error.message,
               "test: input 'x' is on device 1, expected device 0");
}
