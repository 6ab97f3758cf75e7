/// Steps that libtgrt repeats as graphs of the driver: their counts, bits and
/// errors.
#include "support/DeviceModel.h"

using namespace tg::test;

namespace {

class DeviceModelGraphTest : public DeviceModelFixture {};

/// Returns how much each counter has grown since `before`.
tgSimulatorCounters since(const tgSimulatorCounters &before) {
  tgSimulatorCounters grown = simulatorCounters();
  auto *counts = reinterpret_cast<uint64_t *>(&grown);
  auto *old = reinterpret_cast<const uint64_t *>(&before);
  for (size_t i = 0; i < sizeof(grown) / sizeof(uint64_t); ++i)
    counts[i] -= old[i];
  return grown;
}

/// Expects that a run was one graph and one wait. The graph has one copy of all
/// inputs and one of all outputs, which also have the report of errors.
void expectOneGraph(const tgSimulatorCounters &counts) {
  EXPECT_EQ(counts.graphLaunches, 1u);
  EXPECT_GE(counts.graphKernels, 3u);
  EXPECT_EQ(counts.graphCopies, 2u);
  EXPECT_EQ(counts.launches, 0u);
  EXPECT_EQ(counts.copies, 0u);
  EXPECT_EQ(counts.fills, 0u);
  EXPECT_EQ(counts.waits, 1u);
  EXPECT_EQ(counts.allocations, 0u);
  EXPECT_EQ(counts.hostAllocations, 0u);
  EXPECT_EQ(counts.captures, 0u);
}

} // namespace

TEST_F(DeviceModelGraphTest, aStepIsOneGraph) {
  tg::Context onCpu = cpu.context({.seed = 7});
  tg::Context onDevice = device.context({.seed = 7});
  for (int step = 0; step < 6; ++step) {
    const MlpBatch batch(3, step);
    const double expected = train(onCpu, batch);
    const tgSimulatorCounters before = simulatorCounters();
    ASSERT_EQ(train(onDevice, batch), expected) << "in step " << step;
    if (step >= 2)
      expectOneGraph(since(before));
  }
  EXPECT_EQ(variablesOf(onDevice), variablesOf(onCpu));
  for (int i = 0; i < 4; ++i) {
    const MlpBatch batch(3, i);
    const std::vector<float> expected = test(onCpu, batch);
    const tgSimulatorCounters before = simulatorCounters();
    EXPECT_EQ(test(onDevice, batch), expected);
    if (i >= 2)
      expectOneGraph(since(before));
  }
}

TEST_F(DeviceModelGraphTest, eachShapeHasItsGraph) {
  tg::Context onCpu = cpu.context({.seed = 7});
  tg::Context onDevice = device.context({.seed = 7});
  onDevice.reserve("train", {{"batch", 4}}); // the addresses stay
  const tgSimulatorCounters before = simulatorCounters();
  for (int step = 0; step < 16; ++step) {
    const MlpBatch batch(1 + step % 4, step);
    ASSERT_EQ(train(onDevice, batch), train(onCpu, batch)) << step;
  }
  EXPECT_EQ(variablesOf(onDevice), variablesOf(onCpu));
  EXPECT_EQ(since(before).captures, 4u);
  EXPECT_EQ(since(before).graphLaunches, 12u);
}

TEST_F(DeviceModelGraphTest, errorsInDataAreThoseOfTheCpu) {
  tg::Context onCpu = cpu.context({.seed = 5});
  tg::Context onDevice = device.context({.seed = 5});
  for (int step = 0; step < 3; ++step)
    ASSERT_EQ(train(onDevice, MlpBatch(4, step)),
              train(onCpu, MlpBatch(4, step)));
  const std::vector<std::byte> before = variablesOf(onDevice);
  const tgSimulatorCounters counts = simulatorCounters();
  MlpBatch bad(4, 9);
  bad.labels[2] = 10;
  std::string messages[2];
  for (int i = 0; i < 2; ++i)
    try {
      train(i ? onDevice : onCpu, bad);
    } catch (const tg::RuntimeError &error) {
      messages[i] = error.what();
      EXPECT_EQ(error.status(), TG_ERROR_INDEX);
      EXPECT_EQ(error.details().variables_changed, 0u);
    }
  EXPECT_NE(messages[0], "");
  EXPECT_EQ(messages[1], messages[0]);
  EXPECT_EQ(since(counts).graphLaunches, 1u);
  EXPECT_EQ(variablesOf(onDevice), before);
  EXPECT_EQ(train(onDevice, MlpBatch(4, 3)), train(onCpu, MlpBatch(4, 3)));
  EXPECT_EQ(since(counts).graphLaunches, 2u);
}

namespace {

/// Runs of `test` with inputs on the device.
class DeviceInputs : public DeviceModelGraphTest {
protected:
  void SetUp() override {
    const Cuda &cuda = Cuda::get();
    ASSERT_EQ(cuda.cuDevicePrimaryCtxRetain(&primary, 0), CUDA_SUCCESS);
    ASSERT_EQ(cuda.cuCtxPushCurrent_v2(primary), CUDA_SUCCESS);
  }
  void TearDown() override {
    const Cuda &cuda = Cuda::get();
    EXPECT_EQ(cuda.cuCtxPopCurrent_v2(&primary), CUDA_SUCCESS);
    EXPECT_EQ(cuda.cuDevicePrimaryCtxRelease_v2(0), CUDA_SUCCESS);
  }

  /// Runs `steps` steps, step i with input i % count. Returns how the counters
  /// grew.
  tgSimulatorCounters run(size_t count, int steps) {
    tg::Context onCpu = cpu.context({.seed = 7});
    tg::Context context = device.context({.seed = 7});
    context.reserve("test", {{"batch", 2}});
    uint32_t function = 0;
    EXPECT_EQ(
        tg_module_find_function(device.handle(), "test", &function, nullptr),
        TG_OK);
    std::vector<std::unique_ptr<Buffer>> x;
    for (size_t i = 0; i < count; ++i)
      x.push_back(std::make_unique<Buffer>(2 * 784 * 4));
    std::vector<float> y(20);
    std::vector<int64_t> digits(2);
    const tgSimulatorCounters before = simulatorCounters();
    for (int step = 0; step < steps; ++step) {
      const MlpBatch batch(2, step);
      Buffer &input = *x[step % count];
      input.put(batch.x);
      Arguments inputs, outputs;
      inputs.add(reinterpret_cast<void *>(input.address), {2, 784}, kF32);
      inputs[0].device = {TG_DEVICE_CUDA, 0};
      outputs.add(y.data(), {2, 10}, kF32).add(digits.data(), {2}, kI64);
      EXPECT_EQ(tg_context_run(context.handle(), function, inputs.data(), 1,
                               outputs.data(), 2, nullptr),
                TG_OK);
      EXPECT_EQ(y, test(onCpu, batch));
    }
    return since(before);
  }

  CUcontext primary = nullptr;
};

} // namespace

/// A graph contains the addresses of tensors on the device.
TEST_F(DeviceInputs, someHaveGraphsOfTheirOwn) {
  const tgSimulatorCounters counts = run(/*count=*/4, /*steps=*/12);
  EXPECT_EQ(counts.captures, 4u);
  EXPECT_EQ(counts.graphExecs, 4u);
  EXPECT_EQ(counts.graphLaunches, 8u);
  EXPECT_EQ(counts.graphUpdates, 0u);
}

/// Beyond that, each run puts its addresses into a graph that exists.
TEST_F(DeviceInputs, furtherOnesAreUpdatedInAGraph) {
  const tgSimulatorCounters counts = run(/*count=*/12, /*steps=*/12);
  EXPECT_EQ(counts.captures, 8u);
  EXPECT_EQ(counts.graphExecs, 1u);
  EXPECT_EQ(counts.graphLaunches, 8u);
  EXPECT_EQ(counts.graphUpdates, 7u);
}

TEST_F(DeviceInputs, aRefusedUpdateMakesANewGraph) {
  ASSERT_TRUE(Cuda::get().fail("cuGraphExecUpdate", 2,
                               CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE));
  const tgSimulatorCounters counts = run(/*count=*/12, /*steps=*/12);
  EXPECT_EQ(counts.captures, 8u);
  EXPECT_EQ(counts.graphExecs, 1u);
  EXPECT_EQ(counts.graphLaunches, 8u);
  EXPECT_EQ(counts.graphUpdates, 6u);
}

TEST_F(DeviceModelGraphTest, aRefusedGraphChangesNoBit) {
  tg::Context onCpu = cpu.context({.seed = 7});
  for (int step = 0; step < 3; ++step)
    train(onCpu, MlpBatch(2, step));
  for (const char *function :
       {"cuStreamBeginCapture_v2", "cuStreamEndCapture",
        "cuGraphInstantiate_v2", "cuGraphLaunch", "cuLaunchKernel"}) {
    SCOPED_TRACE(function);
    tg::Context onDevice = device.context({.seed = 7});
    train(onDevice, MlpBatch(2, 0));
    ASSERT_TRUE(Cuda::get().fail(function, 1, /*CUDA_ERROR_OUT_OF_MEMORY=*/2));
    for (int step = 1; step < 3; ++step)
      train(onDevice, MlpBatch(2, step));
    EXPECT_EQ(variablesOf(onDevice), variablesOf(onCpu));
    EXPECT_EQ(simulatorCounters().graphExecs, 0u);
  }
}

TEST_F(DeviceModelGraphTest, aLostDeviceIsAStatus) {
  tg::Context context = device.context({.seed = 7});
  for (int step = 0; step < 3; ++step)
    train(context, MlpBatch(2, step));
  ASSERT_TRUE(Cuda::get().fail("cuStreamSynchronize", 1,
                               /*CUDA_ERROR_ILLEGAL_ADDRESS=*/700));
  try {
    train(context, MlpBatch(2, 3));
    ADD_FAILURE() << "expected an error";
  } catch (const tg::RuntimeError &error) {
    EXPECT_EQ(error.status(), TG_ERROR_DEVICE_LOST);
  }
}
