/// Calls of functions on a device that fail: in the call, in the data, and in
/// the device.
#include "support/BareHost.h"
#include "support/Mlp.h"

#include <functional>

using namespace tg::test;

namespace {

class BareHostErrorTest : public CudaTest {
protected:
  /// Runs `test` with one fault in the call. Expects a status.
  void refuse(BareHost &device, tg_status_t expected,
              const std::function<void(tg_call_t &)> &fault) {
    MlpBatch batch(2, 1);
    std::vector<float> probabilities(20);
    std::vector<int64_t> digits(2);
    Arguments inputs, outputs;
    inputs.add(batch.x.data(), {2, 784}, kF32);
    outputs.add(probabilities.data(), {2, 10}, kF32)
        .add(digits.data(), {2}, kI64);
    tg_call_t &call = device.prepare("test", inputs, outputs);
    fault(call);
    const tg_function_t &function = device.table.function("test");
    EXPECT_EQ(function.run(&function, &call), expected) << device.error.message;
  }
};

} // namespace

TEST_F(BareHostErrorTest, checksTheDeviceOfTheCall) {
  BareHost device;
  ASSERT_EQ(MlpCalls(device).init(1), TG_OK) << device.error.message;
  tg_device_call_t &call = device.deviceCall;
  refuse(device, TG_OK, [](tg_call_t &) {});
  refuse(device, TG_ERROR_DEVICE, [](tg_call_t &c) { c.device = nullptr; });
  refuse(device, TG_ERROR_STRUCT, [&](tg_call_t &) { call.struct_size = 80; });
  refuse(device, TG_ERROR_STRUCT,
         [&](tg_call_t &) { call.flags = TG_DEVICE_ASYNC | TG_DEVICE_FINISH; });
  refuse(device, TG_ERROR_STRUCT, [&](tg_call_t &) { call.flags = 4; });
  refuse(device, TG_ERROR_DEVICE,
         [&](tg_call_t &) { call.id.device_type = TG_DEVICE_CPU; });
  refuse(device, TG_ERROR_NULL, [&](tg_call_t &) { call.ops = nullptr; });
  refuse(device, TG_ERROR_NULL, [&](tg_call_t &) { call.images = nullptr; });
  refuse(device, TG_ERROR_NULL,
         [&](tg_call_t &) { call.slab_header = nullptr; });
  refuse(device, TG_ERROR_NULL,
         [&](tg_call_t &) { call.host_block = nullptr; });
  refuse(device, TG_ERROR_SIZE, [&](tg_call_t &) { --call.host_block_bytes; });
  refuse(device, TG_ERROR_ALIGNMENT, [&](tg_call_t &) {
    call.host_block = static_cast<char *>(call.host_block) + 8;
  });
  refuse(device, TG_ERROR_ALIGNMENT, [&](tg_call_t &c) {
    c.workspace = static_cast<char *>(c.workspace) + 64;
  });
  refuse(device, TG_ERROR_SIZE, [&](tg_call_t &c) { --c.workspace_bytes; });
}

TEST_F(BareHostErrorTest, checksTheTableOfOperations) {
  BareHost device;
  ASSERT_EQ(MlpCalls(device).init(1), TG_OK) << device.error.message;
  tg_device_ops_t ops = device.ops;
  const auto refuseOps = [&](tg_status_t status) {
    refuse(device, status, [&](tg_call_t &) { device.deviceCall.ops = &ops; });
    ops = device.ops;
  };
  ops.struct_size = 48;
  refuseOps(TG_ERROR_STRUCT);
  ops.flags = 1;
  refuseOps(TG_ERROR_STRUCT);
  ops.launch = nullptr;
  refuseOps(TG_ERROR_NULL);
  ops.error_text = nullptr;
  refuseOps(TG_ERROR_NULL);
  refuseOps(TG_OK);
}

TEST_F(BareHostErrorTest, tensorsOnTheDeviceAreAlignedTo16Bytes) {
  BareHost device;
  ASSERT_EQ(MlpCalls(device).init(1), TG_OK) << device.error.message;
  Buffer x(2 * 784 * 4 + 16), digits(2 * 8 + 16);
  x.put(std::vector<float>(2 * 784 + 4, 0.5f));
  const auto offset = [&](uint64_t ofX, uint64_t ofDigits) {
    std::vector<float> probabilities(20);
    Arguments inputs, outputs;
    inputs.add(reinterpret_cast<void *>(x.address + ofX), {2, 784}, kF32);
    outputs.add(probabilities.data(), {2, 10}, kF32)
        .add(reinterpret_cast<void *>(digits.address), {2}, kI64);
    inputs[0].device = outputs[1].device = {TG_DEVICE_CUDA, 0};
    outputs[1].byte_offset = ofDigits;
    return device.run("test", inputs, outputs);
  };
  EXPECT_EQ(offset(0, 0), TG_OK) << device.error.message;
  EXPECT_EQ(offset(16, 16), TG_OK) << device.error.message;
  EXPECT_EQ(offset(4, 0), TG_ERROR_ALIGNMENT);
  EXPECT_STREQ(device.error.message,
               "test: input 'x' on the device begins 4 bytes after a multiple "
               "of 16 bytes, expected a multiple");
  EXPECT_EQ(device.error.argument, 0);
  EXPECT_EQ(device.error.found, 4);
  EXPECT_EQ(device.error.expected, 16);
  EXPECT_EQ(offset(0, 8), TG_ERROR_ALIGNMENT);
  EXPECT_EQ(device.error.argument, 2);
  EXPECT_EQ(device.error.found, 8);
}

TEST_F(BareHostErrorTest, tensorsOfTheHostAreAlignedToTheirElements) {
  BareHost device;
  ASSERT_EQ(MlpCalls(device).init(1), TG_OK) << device.error.message;
  std::vector<float> x(2 * 784 + 1), probabilities(21);
  std::vector<int64_t> digits(2);
  Arguments inputs, outputs;
  inputs.add(x.data() + 1, {2, 784}, kF32);
  outputs.add(probabilities.data() + 1, {2, 10}, kF32)
      .add(digits.data(), {2}, kI64);
  EXPECT_EQ(device.run("test", inputs, outputs), TG_OK) << device.error.message;
  inputs[0].byte_offset = 2;
  EXPECT_EQ(device.run("test", inputs, outputs), TG_ERROR_ALIGNMENT);
}

TEST_F(BareHostErrorTest, aBadLabelLeavesTheVariablesAsTheyWere) {
  CpuHost cpu(TG_TARGET_X86_64_V3);
  BareHost device;
  MlpCalls onCpu(cpu);
  MlpCalls onDevice(device);
  ASSERT_EQ(onCpu.init(5), TG_OK);
  ASSERT_EQ(onDevice.init(5), TG_OK);
  for (int step = 0; step < 20; ++step) {
    ASSERT_EQ(onCpu.train(MlpBatch(2, step)), TG_OK);
    ASSERT_EQ(onDevice.train(MlpBatch(2, step)), TG_OK);
  }
  const std::vector<char> before = device.variables();
  const uint64_t generation = device.header.generation;
  MlpBatch bad(6, 20);
  bad.labels[3] = 12;
  bad.labels[5] = -1;
  EXPECT_EQ(onCpu.train(bad), TG_ERROR_INDEX);
  EXPECT_EQ(onDevice.train(bad), TG_ERROR_INDEX);
  EXPECT_STREQ(device.error.message, cpu.error.message);
  EXPECT_EQ(device.error.element, 3);
  EXPECT_EQ(device.error.found, 12);
  EXPECT_EQ(device.error.expected, cpu.error.expected);
  EXPECT_NE(locationOf(device), "");
  EXPECT_EQ(locationOf(device), locationOf(cpu));
  EXPECT_EQ(device.error.variables_changed, 0u);
  EXPECT_EQ(device.variables(), before);
  EXPECT_EQ(device.header.generation, generation);
  const MlpBatch good(3, 21);
  ASSERT_EQ(onCpu.train(good), TG_OK);
  ASSERT_EQ(onDevice.train(good), TG_OK) << device.error.message;
  EXPECT_EQ(device.variables(), cpu.variables());
}

/// The caller's run may fail by itself, before it enqueues anything.
TEST_F(BareHostErrorTest, aFailingRunOfTheTableIsAStatus) {
  BareHost device;
  MlpCalls calls(device);
  ASSERT_EQ(calls.init(5), TG_OK) << device.error.message;
  device.runStatus = TG_ERROR_DEVICE_LOST;
  EXPECT_EQ(calls.train(MlpBatch(2, 1)), TG_ERROR_DEVICE_LOST);
  EXPECT_STREQ(device.error.message,
               "train: the device failed: a planted failure");
  device.runStatus = TG_OK;
  EXPECT_EQ(calls.train(MlpBatch(2, 1)), TG_OK) << device.error.message;
}

TEST_F(BareHostErrorTest, everyFailingOperationIsAStatus) {
  BareHost device;
  MlpCalls calls(device);
  ASSERT_EQ(calls.init(5), TG_OK) << device.error.message;
  const MlpBatch batch(2, 1);
  device.operations = 0;
  ASSERT_EQ(calls.train(batch), TG_OK) << device.error.message;
  const uint64_t count = device.operations;
  EXPECT_GT(count, 10u);
  for (uint64_t operation = 1; operation <= count; ++operation) {
    device.operations = 0;
    device.failing = operation;
    EXPECT_EQ(calls.train(batch), TG_ERROR_LAUNCH) << operation;
    EXPECT_NE(std::string(device.error.message)
                  .find("the device failed: a planted failure"),
              std::string::npos)
        << device.error.message;
  }
  device.failing = 0;
  EXPECT_EQ(calls.train(batch), TG_OK) << device.error.message;
}
