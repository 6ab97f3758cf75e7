/// Host functions of models on a device, by libtgrt: memory of the host that
/// the device copies to and from.
#include "support/DeviceModel.h"
#include "support/RecordingHost.h"

using namespace tg::test;

namespace {

/// Makes a context of hosted.mlir, whose host is `host`, and initializes it.
tg::Context makeContext(const tg::Model &model, const RecordingHost &host) {
  return model.context({.host = tg::Host().add(host.table)});
}

/// Runs a step of training.
void trainHosted(tg::Context &context, int64_t rows) {
  std::vector<float> x;
  for (int64_t i = 0; i < 3 * rows; ++i)
    x.push_back(float(i * 7 % 11) / 8);
  context.run("train", {{"x", {x, {rows, 3}}}, {"row", 0}});
}

class DeviceModelHostTest : public testing::Test {
protected:
  ~DeviceModelHostTest() override {
    expectNothingLeft();
    EXPECT_EQ(simulatorCounters().contexts, 0u);
  }
};

} // namespace

TEST_F(DeviceModelHostTest, callsTheHostAsOnTheCpu) {
  Cuda::get(); // libtgrt finds the driver that is loaded already
  RecordingHost onCpu, onDevice;
  const tg::Model cpu = tg::Model::load(TG_HOSTED_SO);
  const tg::Model device =
      tg::Model::load(TG_HOSTED_SO, {.device = {TG_DEVICE_CUDA, 0}});
  tg::Context first = makeContext(cpu, onCpu);
  tg::Context second = makeContext(device, onDevice);
  for (int64_t rows : {1, 200, 5}) {
    trainHosted(first, rows);
    trainHosted(second, rows);
    EXPECT_EQ(onDevice.calls, onCpu.calls);
    EXPECT_EQ(variablesOf(second), variablesOf(first));
  }
}

/// The operations between two waits are a graph.
TEST_F(DeviceModelHostTest, partsBetweenWaitsAreGraphs) {
  Cuda::get();
  RecordingHost onCpu, onDevice;
  const tg::Model cpu = tg::Model::load(TG_HOSTED_SO);
  const tg::Model device =
      tg::Model::load(TG_HOSTED_SO, {.device = {TG_DEVICE_CUDA, 0}});
  tg::Context first = makeContext(cpu, onCpu);
  tg::Context second = makeContext(device, onDevice);
  tgSimulatorCounters before = {}, after = {};
  for (int step = 0; step < 4; ++step) {
    before = simulatorCounters();
    trainHosted(first, 5);
    trainHosted(second, 5);
    after = simulatorCounters();
    EXPECT_EQ(onDevice.calls, onCpu.calls);
    EXPECT_EQ(variablesOf(second), variablesOf(first));
  }
  const uint64_t parts = after.graphLaunches - before.graphLaunches;
  EXPECT_GE(parts, 3u);
  EXPECT_GE(after.graphKernels - before.graphKernels, parts);
  EXPECT_EQ(after.captures, before.captures);
  EXPECT_EQ(after.launches, before.launches);
  EXPECT_EQ(after.copies - before.copies, 5u); // two inputs, three outputs
}

TEST_F(DeviceModelHostTest, everyCopyMayFail) {
  RecordingHost host;
  const auto useDevice = [&]() -> tg_status_t {
    try {
      const tg::Model model =
          tg::Model::load(TG_HOSTED_SO, {.device = {TG_DEVICE_CUDA, 0}});
      tg::Context context = makeContext(model, host);
      trainHosted(context, 4);
      return TG_OK;
    } catch (const tg::RuntimeError &error) {
      return error.status();
    }
  };
  for (const char *function :
       {"cuMemcpyDtoHAsync_v2", "cuMemcpyHtoDAsync_v2", "cuMemHostAlloc"}) {
    const bool isCopy = std::string(function) != "cuMemHostAlloc";
    failEach(function, isCopy ? /*CUDA_ERROR_LAUNCH_FAILED=*/719 : 2,
             isCopy ? TG_ERROR_DEVICE_LOST : TG_ERROR_MEMORY, useDevice);
  }
}

TEST_F(DeviceModelHostTest, namesTheCallThatGrowsTheHostBlock) {
  Cuda::get();
  RecordingHost host;
  const tg::Model model =
      tg::Model::load(TG_HOSTED_SO, {.device = {TG_DEVICE_CUDA, 0}});
  tg::Context context = makeContext(model, host);
  uint32_t train = 0;
  ASSERT_EQ(tg_module_find_function(model.handle(), "train", &train, nullptr),
            TG_OK);
  std::string message;
  // Tensors of this size do not pass through the host block.
  context.reserve("plain", {{"x.0", 5000000}});
  for (int64_t rows = 1; rows < 1000 && message.empty(); ++rows) {
    std::vector<float> x(3 * rows), larger(3 * rows);
    std::vector<char> any(rows);
    int32_t row = 0;
    float loss;
    Arguments inputs, outputs;
    inputs.add(x.data(), {rows, 3}, kF32).add(&row, {}, kI32);
    outputs.add(&loss, {}, kF32)
        .add(larger.data(), {rows, 3}, kF32)
        .add(any.data(), {rows}, {TG_DTYPE_BOOL, 8, 1});
    tg_error_t error = {};
    error.struct_size = sizeof(error);
    if (tg_context_run(context.handle(), train, inputs.data(), inputs.size(),
                       outputs.data(), outputs.size(), &error) != TG_OK)
      message = error.message;
  }
  EXPECT_NE(message.find("train: host_block of device has"), message.npos)
      << message;
  EXPECT_NE(message.find(": call tg_context_reserve first"), message.npos);
}
