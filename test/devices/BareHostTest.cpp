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

/// A table of operations may enqueue a run again, as after a recording that
/// failed: the repetition contains all operations.
TEST_F(BareHostTest, enqueuesAllOperationsAgain) {
  BareHost device;
  MlpCalls calls(device);
  ASSERT_EQ(calls.init(3), TG_OK) << device.error.message;
  const MlpBatch batch(4, 7);
  device.operations = 0;
  ASSERT_EQ(calls.test(batch), TG_OK) << device.error.message;
  const uint64_t operations = device.operations - 1; // without the wait
  const std::vector<float> once = calls.probabilities;
  device.operations = 0;
  device.repetitions = 3;
  ASSERT_EQ(calls.test(batch), TG_OK) << device.error.message;
  EXPECT_EQ(device.operations, 3 * operations + 1);
  EXPECT_EQ(calls.probabilities, once);
}

namespace {

/// Runs `train` in two calls: the first one enqueues it, the second one waits.
class AsyncTest : public CudaTest {
protected:
  void SetUp() override {
    CudaTest::SetUp();
    owned = std::make_unique<BareHost>();
  }
  void TearDown() override {
    owned.reset();
    CudaTest::TearDown();
  }

  tg_status_t init() { return MlpCalls(*owned).init(42); }
  tg_status_t run(uint32_t flags) {
    BareHost &device = *owned;
    device.deviceCall.flags = flags;
    return device.table.function("train").run(&device.table.function("train"),
                                              call);
  }
  void prepare(MlpBatch &batch) {
    inputs = outputs = {};
    inputs.add(batch.x.data(), {batch.size, 784}, kF32)
        .add(batch.labels.data(), {batch.size}, kI32)
        .add(&rate, {}, kF32);
    outputs.add(&loss, {}, kF32);
    call = &owned->prepare("train", inputs, outputs);
    loss = -1;
  }

  std::unique_ptr<BareHost> owned;
  Arguments inputs, outputs;
  float rate = 0.01f, loss = -1;
  tg_call_t *call = nullptr;
};

} // namespace

TEST_F(AsyncTest, theSecondCallWaits) {
  BareHost &device = *owned;
  CpuHost cpu(TG_TARGET_X86_64_V3);
  MlpCalls onCpu(cpu);
  ASSERT_EQ(onCpu.init(42), TG_OK);
  ASSERT_EQ(init(), TG_OK);
  for (int step = 0; step < 3; ++step) {
    MlpBatch batch(2 + step, step);
    ASSERT_EQ(onCpu.train(batch), TG_OK);
    prepare(batch);
    const uint64_t generation = device.header.generation;
    device.waits = 0;
    ASSERT_EQ(run(TG_DEVICE_ASYNC), TG_OK) << device.error.message;
    EXPECT_EQ(device.waits, 0u);
    EXPECT_EQ(loss, -1);
    EXPECT_EQ(device.header.generation, generation);
    ASSERT_EQ(run(TG_DEVICE_FINISH), TG_OK) << device.error.message;
    EXPECT_EQ(device.waits, 1u);
    EXPECT_EQ(loss, onCpu.loss);
    EXPECT_EQ(device.header.generation, generation + 1);
    EXPECT_EQ(device.variables(), cpu.variables());
  }
}

TEST_F(AsyncTest, theSecondCallReportsErrorsInData) {
  BareHost &device = *owned;
  ASSERT_EQ(init(), TG_OK);
  MlpBatch bad(6, 20);
  bad.labels[3] = 12;
  EXPECT_EQ(MlpCalls(device).train(bad), TG_ERROR_INDEX);
  const std::string expected = device.error.message;
  const std::vector<char> before = device.variables();
  const uint64_t generation = device.header.generation;
  prepare(bad);
  ASSERT_EQ(run(TG_DEVICE_ASYNC), TG_OK) << device.error.message;
  EXPECT_EQ(run(TG_DEVICE_FINISH), TG_ERROR_INDEX);
  EXPECT_EQ(device.error.message, expected);
  EXPECT_EQ(device.error.found, 12);
  EXPECT_EQ(device.error.variables_changed, 0u);
  EXPECT_EQ(device.variables(), before);
  EXPECT_EQ(device.header.generation, generation);
  EXPECT_EQ(loss, -1);
}

TEST_F(AsyncTest, aFailureToEnqueueEndsTheRun) {
  BareHost &device = *owned;
  ASSERT_EQ(init(), TG_OK);
  MlpBatch batch(2, 1);
  prepare(batch);
  device.operations = 0;
  ASSERT_EQ(run(TG_DEVICE_ASYNC), TG_OK);
  const uint64_t count = device.operations;
  ASSERT_EQ(run(TG_DEVICE_FINISH), TG_OK);
  for (uint64_t failing : {uint64_t(1), count / 2, count}) {
    device.operations = device.waits = 0;
    device.failing = failing;
    EXPECT_EQ(run(TG_DEVICE_ASYNC), TG_ERROR_LAUNCH) << failing;
    EXPECT_EQ(device.waits, 1u);
  }
  device.operations = 0;
  device.failing = count + 1; // the wait of the second call
  EXPECT_EQ(run(TG_DEVICE_ASYNC), TG_OK);
  EXPECT_EQ(run(TG_DEVICE_FINISH), TG_ERROR_LAUNCH);
}
