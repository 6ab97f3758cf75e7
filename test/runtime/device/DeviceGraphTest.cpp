/// Runs that are repeated as graphs of the driver: which ones, how many, and
/// what happens when the driver refuses one.
#include "test/runtime/support/Pair.h"

#include <thread>

using namespace tg::test;

namespace {

/// A run of the function of these tests, which fills bytes of the workspace.
struct Fills {
  int64_t symbol = 0;    // of the key
  uint64_t count = 2;    // of operations
  uint64_t enqueued = 0; // the times that the run was enqueued
  bool isCopied = false; // the run copies `outside` to the device
  uint64_t outside = 0;
  const tg_call_t *call = nullptr;
};

/// The run that the function of a thread does.
thread_local Fills *current;

tg_status_t enqueueFills(void *argument) {
  Fills &fills = *static_cast<Fills *>(argument);
  const tg_device_call_t &device = *fills.call->device;
  ++fills.enqueued;
  tg_status_t status = TG_OK;
  for (uint64_t i = 0; i < fills.count && status == TG_OK; ++i)
    status = device.ops->fill(device.device, device.stream,
                              fills.call->workspace, uint8_t(i), 8);
  if (status == TG_OK && fills.isCopied)
    status =
        device.ops->copy(device.device, device.stream, fills.call->workspace,
                         &fills.outside, 8, TG_COPY_TO_DEVICE);
  return status;
}

/// Runs enqueueFills, and copies the result to `outside`.
tg_status_t runFills(const tg_function_t *function, const tg_call_t *call) {
  const tg_device_call_t &device = *call->device;
  current->call = call;
  const tg_device_key_t key = {sizeof(key), 1, function, &current->symbol};
  tg_status_t status = device.ops->run(device.device, device.stream, &key,
                                       enqueueFills, current);
  if (status == TG_OK)
    status = device.ops->copy(device.device, device.stream, &current->outside,
                              call->workspace, 8, TG_COPY_FROM_DEVICE);
  return status == TG_OK ? device.ops->wait(device.device, device.stream)
                         : status;
}

/// The table of pair on a device, whose last function is runFills.
tg_status_t getModel(uint32_t version, uint32_t target,
                     const tg_model_t **model) {
  static tg_model_t made;
  static tg_function_t function;
  static const tg_function_t *functions[PAIR_FAULT + 1];
  const tg_status_t status = pair_tg_model_get(version, target, model);
  if (status != TG_OK || target != TG_TARGET_CUDA_80)
    return status;
  made = **model;
  function = *made.functions[PAIR_FAULT];
  function.run = runFills;
  std::copy_n(made.functions, PAIR_FAULT, functions);
  functions[PAIR_FAULT] = &function;
  made.functions = functions;
  *model = &made;
  return TG_OK;
}

class DeviceGraphTest : public SimulatorTest {
protected:
  void SetUp() override {
    SimulatorTest::SetUp();
    tg_load_options_t options = onGpu();
    options.target = TG_TARGET_CUDA_80;
    ASSERT_EQ(tg_module_adopt(getModel, &options, &module, &error), TG_OK)
        << error.message;
    ASSERT_EQ(tg_context_create(module, nullptr, &context, &error), TG_OK)
        << error.message;
  }
  void TearDown() override {
    tg_context_destroy(context);
    EXPECT_EQ(tg_module_unload(module, &error), TG_OK) << error.message;
    SimulatorTest::TearDown();
  }

  tg_status_t run(Fills &fills) { return run(fills, context, error); }
  static tg_status_t run(Fills &fills, tg_context_t *context, Error &error) {
    current = &fills;
    fills.outside = 0;
    return tg_context_run(context, PAIR_FAULT, nullptr, 0, nullptr, 0, &error);
  }
  /// Expects a run that succeeds, and the bytes of its last fill.
  void expectRun(Fills &fills) {
    ASSERT_EQ(run(fills), TG_OK) << error.message;
    EXPECT_EQ(fills.outside, (fills.count - 1) % 256 * 0x0101010101010101u);
  }

  tg_module_t *module = nullptr;
  tg_context_t *context = nullptr;
};

} // namespace

TEST_F(DeviceGraphTest, theSecondRunIsCaptured) {
  Fills fills;
  expectRun(fills);
  EXPECT_EQ(counters().captures, 0u);
  EXPECT_EQ(counters().fills, 2u);
  for (uint64_t runs = 1; runs < 5; ++runs) {
    expectRun(fills);
    const tgSimulatorCounters found = counters();
    EXPECT_EQ(found.captures, 1u);
    EXPECT_EQ(found.graphLaunches, runs);
    EXPECT_EQ(found.graphFills, 2 * runs);
    EXPECT_EQ(found.fills, 2u);
    EXPECT_EQ(found.graphs, 0u); // only what is launched is kept
    EXPECT_EQ(found.graphExecs, 1u);
  }
  EXPECT_EQ(fills.enqueued, 2u);
}

TEST_F(DeviceGraphTest, longRunsAreEnqueued) {
  Fills most, more;
  most.count = 20000;
  more.count = 20001;
  more.symbol = 1;
  for (int i = 0; i < 3; ++i) {
    expectRun(most);
    expectRun(more);
  }
  EXPECT_EQ(most.enqueued, 2u);
  EXPECT_EQ(more.enqueued, 3u);
  EXPECT_EQ(counters().captures, 1u);
}

TEST_F(DeviceGraphTest, theLeastRecentlyUsedGraphGoes) {
  Fills fills[17];
  for (int i = 0; i < 17; ++i)
    fills[i].symbol = i;
  for (int i = 0; i < 16; ++i) {
    expectRun(fills[i]);
    expectRun(fills[i]);
  }
  EXPECT_EQ(counters().graphExecs, 16u);
  expectRun(fills[0]); // now 1 is the oldest
  expectRun(fills[16]);
  EXPECT_EQ(counters().graphExecs, 15u);
  expectRun(fills[16]);
  EXPECT_EQ(counters().graphExecs, 16u);
  expectRun(fills[0]);
  EXPECT_EQ(fills[0].enqueued, 2u);
  expectRun(fills[1]);
  EXPECT_EQ(fills[1].enqueued, 3u);
  expectRun(fills[1]);
  EXPECT_EQ(fills[1].enqueued, 4u); // captured anew
  expectRun(fills[1]);
  EXPECT_EQ(fills[1].enqueued, 4u);
  EXPECT_EQ(counters().graphExecs, 16u);
}

TEST_F(DeviceGraphTest, contextsHaveGraphsOfTheirOwn) {
  tg_context_t *other = nullptr;
  ASSERT_EQ(tg_context_create(module, nullptr, &other, &error), TG_OK);
  Fills first, second;
  second.count = 3;
  std::thread thread([&] {
    Error mistake;
    for (int i = 0; i < 50; ++i) {
      EXPECT_EQ(run(second, other, mistake), TG_OK) << mistake.message;
      EXPECT_EQ(second.outside, 0x0202020202020202u);
    }
  });
  for (int i = 0; i < 50; ++i)
    expectRun(first);
  thread.join();
  EXPECT_EQ(first.enqueued, 2u);
  EXPECT_EQ(second.enqueued, 2u);
  EXPECT_EQ(counters().graphExecs, 2u);
  tg_context_destroy(other);
  EXPECT_EQ(counters().graphExecs, 1u);
}

/// A graph would copy from the address that the memory had at its capture.
TEST_F(DeviceGraphTest, runsThatCopyOtherMemoryAreEnqueued) {
  Fills fills;
  fills.isCopied = true;
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(run(fills), TG_OK) << error.message;
  EXPECT_EQ(fills.enqueued, 3u);
  EXPECT_EQ(counters().captures, 0u);
}

TEST_F(DeviceGraphTest, aRunWhoseGraphIsRefusedIsEnqueued) {
  int64_t symbol = 0;
  for (const char *function : {"cuStreamBeginCapture_v2", "cuStreamEndCapture",
                               "cuGraphInstantiate_v2", "cuGraphLaunch"})
    for (int code : {CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_INVALID_VALUE}) {
      SCOPED_TRACE(function);
      Fills fills;
      fills.symbol = ++symbol;
      expectRun(fills);
      ASSERT_TRUE(cuda.fail(function, 1, code));
      const uint64_t before = counters().graphExecs;
      for (int i = 0; i < 3; ++i)
        expectRun(fills);
      EXPECT_EQ(counters().graphExecs, before);
      EXPECT_EQ(counters().graphs, 0u);
    }
}

TEST_F(DeviceGraphTest, anOperationThatCannotBeCapturedIsEnqueued) {
  Fills fills;
  expectRun(fills);
  ASSERT_TRUE(cuda.fail("cuMemsetD8Async", 2, CUDA_ERROR_INVALID_VALUE));
  expectRun(fills);
  EXPECT_EQ(fills.enqueued, 3u);
  EXPECT_EQ(counters().graphExecs, 0u);
  // A run that is not captured reports its failure.
  ASSERT_TRUE(cuda.fail("cuMemsetD8Async", 2, CUDA_ERROR_INVALID_VALUE));
  EXPECT_EQ(run(fills), TG_ERROR_LAUNCH);
  expectRun(fills);
}

/// A run that fails is not remembered.
TEST_F(DeviceGraphTest, aRunThatFailsIsNotCaptured) {
  Fills fills;
  ASSERT_TRUE(cuda.fail("cuMemsetD8Async", 1, CUDA_ERROR_INVALID_VALUE));
  EXPECT_EQ(run(fills), TG_ERROR_LAUNCH);
  expectRun(fills);
  EXPECT_EQ(counters().captures, 0u);
}

TEST_F(DeviceGraphTest, theDeviceMayBeLostInAGraph) {
  Fills fills;
  expectRun(fills);
  ASSERT_TRUE(cuda.fail("cuGraphLaunch", 1, CUDA_ERROR_LAUNCH_FAILED));
  ASSERT_TRUE(cuda.fail("cuMemsetD8Async", 3, CUDA_ERROR_LAUNCH_FAILED));
  EXPECT_EQ(run(fills), TG_ERROR_DEVICE_LOST);
  ASSERT_TRUE(cuda.fail("cuStreamSynchronize", 1, CUDA_ERROR_ILLEGAL_ADDRESS));
  EXPECT_EQ(run(fills), TG_ERROR_DEVICE_LOST);
}
