/// Functions on a device that call the host and print: the host is called with
/// the same tensors as on the CPU, and every failure is a status.
#include "support/BareHost.h"
#include "support/Mlp.h"
#include "support/RecordingHost.h"

using namespace tg::test;

namespace {

class HostStepTest : public CudaTest {};

constexpr tg_dtype_t kBool = {TG_DTYPE_BOOL, 8, 1};

/// Calls the functions of hosted.mlir on a host, and keeps their results.
template <typename Host> struct Hosted {
  template <typename... Arguments>
  explicit Hosted(Arguments... arguments) : host(arguments...) {
    host.functions = &functions.table;
  }

  tg_status_t init() {
    Arguments inputs, outputs;
    return host.run("init", inputs, outputs);
  }
  tg_status_t train(int64_t rows, int32_t row) {
    std::vector<float> x;
    for (int64_t i = 0; i < 3 * rows; ++i)
      x.push_back(float(i * 7 % 11) / 8);
    results.assign(1 + 3 * rows, -1);
    flags.assign(rows, -1);
    Arguments inputs, outputs;
    inputs.add(x.data(), {rows, 3}, kF32).add(&row, {}, kI32);
    outputs.add(results.data(), {}, kF32)
        .add(results.data() + 1, {rows, 3}, kF32)
        .add(flags.data(), {rows}, kBool);
    return host.run("train", inputs, outputs);
  }
  tg_status_t loop(int64_t size, int32_t steps, std::vector<int32_t> indices) {
    std::vector<float> x;
    for (int64_t i = 0; i < size; ++i)
      x.push_back(float(i) / 4 - 0.5f);
    results.assign(size + 1, -1);
    flags.clear();
    Arguments inputs, outputs;
    inputs.add(x.data(), {size}, kF32)
        .add(&steps, {}, kI32)
        .add(indices.data(), {6}, kI32);
    outputs.add(results.data(), {size}, kF32)
        .add(results.data() + size, {}, kF32);
    return host.run("loop", inputs, outputs);
  }

  RecordingHost functions;
  Host host;
  std::vector<float> results;
  std::vector<char> flags;
};

using OnCpu = Hosted<CpuHost>;
using OnDevice = Hosted<BareHost>;

/// Runs the same on a CPU and on a device. Expects a status, and that the
/// calls, errors and variables are the same.
template <typename Run>
void expectSame(OnCpu &cpu, OnDevice &device, tg_status_t expected, Run run) {
  EXPECT_EQ(run(cpu), expected) << cpu.host.error.message;
  EXPECT_EQ(run(device), expected) << device.host.error.message;
  EXPECT_STREQ(device.host.error.message, cpu.host.error.message);
  EXPECT_EQ(device.host.error.variables_changed,
            cpu.host.error.variables_changed);
  EXPECT_EQ(locationOf(device.host), locationOf(cpu.host));
  EXPECT_EQ(device.functions.calls, cpu.functions.calls);
  if (device.host.header.generation) { // otherwise init failed
    EXPECT_EQ(device.host.variables(), cpu.host.variables());
  }
  if (expected != TG_OK)
    return;
  EXPECT_EQ(device.results, cpu.results);
  EXPECT_EQ(device.flags, cpu.flags);
}

} // namespace

TEST_F(HostStepTest, trainsWithTheBitsOfTheCpu) {
  OnCpu cpu(TG_TARGET_X86_64_V3, TG_HOSTED_SO);
  OnDevice device(TG_HOSTED_SO);
  expectSame(cpu, device, TG_OK, [](auto &host) { return host.init(); });
  for (int64_t rows : {4, 1, 9, 100, 2})
    expectSame(cpu, device, TG_OK,
               [&](auto &host) { return host.train(rows, 0); });
  EXPECT_EQ(device.functions.calls.size(), 1 + 5u * 5);
  // A wait in each call and print, and one at the end.
  device.host.waits = 0;
  ASSERT_EQ(device.train(3, 1), TG_OK);
  EXPECT_EQ(device.host.waits, 6u);
  EXPECT_FALSE(device.host.keys.back().second);
}

TEST_F(HostStepTest, callsTheHostAndPrintsInALoop) {
  OnCpu cpu(TG_TARGET_X86_64_V3, TG_HOSTED_SO);
  OnDevice device(TG_HOSTED_SO);
  expectSame(cpu, device, TG_OK, [](auto &host) { return host.init(); });
  for (int32_t steps : {0, 1, 4})
    expectSame(cpu, device, TG_OK, [&](auto &host) {
      return host.loop(5, steps, {1, 4, 0, 2, 3, 1});
    });
  EXPECT_EQ(device.functions.calls.size(), 1 + 3u * 5);
}

TEST_F(HostStepTest, dropsPrintsWithoutAWait) {
  OnDevice device(TG_HOSTED_SO);
  ASSERT_EQ(device.init(), TG_OK) << device.host.error.message;
  device.functions.table.print = nullptr;
  device.host.waits = 0;
  ASSERT_EQ(device.train(3, 1), TG_OK) << device.host.error.message;
  EXPECT_EQ(device.host.waits, 5u);
  EXPECT_EQ(device.functions.calls.size(), 5u);
}

TEST_F(HostStepTest, aFailingCallEndsTheRun) {
  // init makes the first call, train the next four, loop the others.
  const auto failCall = [](size_t failing, bool writesBeyond) {
    SCOPED_TRACE(failing);
    OnCpu cpu(TG_TARGET_X86_64_V3, TG_HOSTED_SO);
    OnDevice device(TG_HOSTED_SO);
    for (RecordingHost *host : {&cpu.functions, &device.functions}) {
      host->failing = failing;
      host->writesBeyond = writesBeyond;
    }
    expectSame(cpu, device, failing == 1 ? TG_ERROR_HOST : TG_OK,
               [](auto &host) { return host.init(); });
    if (failing == 1)
      return;
    expectSame(cpu, device, failing <= 5 ? TG_ERROR_HOST : TG_OK,
               [](auto &host) { return host.train(4, 2); });
    expectSame(cpu, device, failing > 5 ? TG_ERROR_HOST : TG_OK,
               [](auto &host) { return host.loop(3, 3, {0, 1, 2, 0, 1, 2}); });
  };
  for (size_t failing = 1; failing <= 9; ++failing) {
    failCall(failing, /*writesBeyond=*/false);
    failCall(failing, /*writesBeyond=*/true);
  }
}

TEST_F(HostStepTest, aFailingLaunchEndsTheCalls) {
  OnCpu cpu(TG_TARGET_X86_64_V3, TG_HOSTED_SO);
  OnDevice device(TG_HOSTED_SO);
  expectSame(cpu, device, TG_OK, [](auto &host) { return host.init(); });
  // Before all calls.
  expectSame(cpu, device, TG_ERROR_INDEX,
             [](auto &host) { return host.train(4, 4); });
  EXPECT_EQ(device.functions.calls.size(), 1u);
  // After the calls of the third iteration, and after the loop.
  expectSame(cpu, device, TG_ERROR_INDEX,
             [](auto &host) { return host.loop(5, 4, {1, 0, 7, 2, 3, 1}); });
  EXPECT_EQ(device.functions.calls.size(), 1 + 3u + 3 + 2);
  expectSame(cpu, device, TG_ERROR_INDEX,
             [](auto &host) { return host.loop(5, 2, {1, 0, -1, 2, 3, 1}); });
}

TEST_F(HostStepTest, everyFailingOperationIsAStatus) {
  const auto failEach = [](auto run) {
    OnDevice whole(TG_HOSTED_SO);
    ASSERT_EQ(whole.init(), TG_OK);
    whole.functions.calls.clear();
    whole.host.operations = 0;
    ASSERT_EQ(run(whole), TG_OK) << whole.host.error.message;
    const std::vector<std::string> &calls = whole.functions.calls;
    for (uint64_t failing = 1; failing <= whole.host.operations; ++failing) {
      SCOPED_TRACE(failing);
      OnDevice device(TG_HOSTED_SO);
      ASSERT_EQ(device.init(), TG_OK);
      const std::vector<char> before = device.host.variables();
      device.functions.calls.clear();
      device.host.operations = 0;
      device.host.failing = failing;
      EXPECT_EQ(run(device), TG_ERROR_LAUNCH);
      EXPECT_NE(std::string(device.host.error.message)
                    .find("the device failed: a planted failure"),
                std::string::npos);
      if (!device.host.error.variables_changed) {
        EXPECT_EQ(device.host.variables(), before);
      }
      // Each call until then was made once.
      ASSERT_LE(device.functions.calls.size(), calls.size());
      EXPECT_TRUE(std::equal(device.functions.calls.begin(),
                             device.functions.calls.end(), calls.begin()));
    }
  };
  failEach([](OnDevice &device) { return device.train(4, 1); });
  failEach(
      [](OnDevice &device) { return device.loop(3, 2, {0, 1, 2, 0, 1, 2}); });
}

TEST_F(HostStepTest, checksTheHost) {
  OnCpu cpu(TG_TARGET_X86_64_V3, TG_HOSTED_SO);
  OnDevice device(TG_HOSTED_SO);
  expectSame(cpu, device, TG_OK, [](auto &host) { return host.init(); });
  cpu.host.functions = device.host.functions = nullptr;
  expectSame(cpu, device, TG_ERROR_NOT_FOUND,
             [](auto &host) { return host.train(4, 0); });
  EXPECT_NE(std::string(device.host.error.message)
                .find("no function 'larger' of the host is registered"),
            std::string::npos);
}

TEST_F(HostStepTest, checksTheHostBlock) {
  OnDevice device(TG_HOSTED_SO);
  ASSERT_EQ(device.init(), TG_OK);
  std::vector<float> x(100), y(100);
  int32_t steps = 1;
  std::vector<int32_t> indices(6);
  Arguments inputs, outputs;
  inputs.add(x.data(), {100}, kF32)
      .add(&steps, {}, kI32)
      .add(indices.data(), {6}, kI32);
  outputs.add(y.data(), {100}, kF32).add(y.data(), {}, kF32);
  const tg_call_t &call = device.host.prepare("loop", inputs, outputs);
  // An input and an output of 400 bytes, rounded up to 448, with canaries.
  EXPECT_GE(device.host.deviceCall.host_block_bytes, 2 * 448u + 128);
  --device.host.deviceCall.host_block_bytes;
  const tg_function_t &function = device.host.table.function("loop");
  EXPECT_EQ(function.run(&function, &call), TG_ERROR_SIZE);
  EXPECT_NE(std::string(device.host.error.message)
                .find("loop: host_block of device has"),
            std::string::npos)
      << device.host.error.message;
}

/// A function that waits for the device does all of its work in the first call.
TEST_F(HostStepTest, runsAtOnceWithoutTheDevicesFinish) {
  OnDevice device(TG_HOSTED_SO);
  ASSERT_EQ(device.init(), TG_OK) << device.host.error.message;
  std::vector<float> x(12, 0.5f), larger(12);
  std::vector<char> any(4);
  int32_t row = 1;
  float loss = -1;
  Arguments inputs, outputs;
  inputs.add(x.data(), {4, 3}, kF32).add(&row, {}, kI32);
  outputs.add(&loss, {}, kF32)
      .add(larger.data(), {4, 3}, kF32)
      .add(any.data(), {4}, kBool);
  const tg_function_t &train = device.host.table.function("train");
  const tg_call_t &call = device.host.prepare("train", inputs, outputs);
  const uint64_t generation = device.host.header.generation;
  device.host.deviceCall.flags = TG_DEVICE_ASYNC;
  ASSERT_EQ(train.run(&train, &call), TG_OK) << device.host.error.message;
  EXPECT_NE(loss, -1);
  EXPECT_EQ(device.host.header.generation, generation + 1);
  const size_t callCount = device.functions.calls.size();
  const uint64_t operations = device.host.operations;
  device.host.deviceCall.flags = TG_DEVICE_FINISH;
  ASSERT_EQ(train.run(&train, &call), TG_OK) << device.host.error.message;
  EXPECT_EQ(device.functions.calls.size(), callCount);
  EXPECT_EQ(device.host.operations, operations);
  EXPECT_EQ(device.host.header.generation, generation + 1);
}
