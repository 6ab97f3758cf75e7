//===- DeviceBitsTest.cpp - programs on a device have the same bits -------===//
//
// Runs networks and random programs as PTX on the stand-in for CUDA's driver.
// Their outputs and variables must be those of the reference, bit by bit. A step
// of training is one graph of the driver.
//
//===----------------------------------------------------------------------===//
#include "test/numeric/Networks.h"
#include "test/numeric/bits/ModelRuns.h"
#include "test/numeric/bits/RandomProgram.h"
#include "test/simulator/support/Cuda.h"

#include <gtest/gtest.h>
#include <set>

using namespace tg;
using namespace tg::test;

namespace {
class DeviceNetworkTest : public testing::TestWithParam<Network> {};
class DeviceProgramTest : public testing::TestWithParam<int> {};
} // namespace

/// Compares a program on the device with the reference.
static void compareWithTheReference(const std::string &text,
                                    const RunPlan &plan) {
  Cuda::get(); // libtgrt finds the driver that is loaded already
  std::vector<char> library = compileText(text, {.kinds = {"cuda"}});
  ASSERT_FALSE(library.empty());
  Model model = Model::loadMemory(std::as_bytes(std::span(library)),
                                  {.device = {TG_DEVICE_CUDA, 0}});
  expectSameBits(runCompiled(model, plan),
                 runReference(model.tables(), text, plan));
}

TEST_P(DeviceNetworkTest, HasTheBitsOfTheReference) {
  const Network &network = GetParam();
  compareWithTheReference(
      network.text(),
      {.steps = {3, 1}, .tests = {4}, .classes = network.classes});
}

INSTANTIATE_TEST_SUITE_P(Networks, DeviceNetworkTest,
                         testing::ValuesIn(makeNetworks()),
                         [](const testing::TestParamInfo<Network> &info) {
                           return info.param.name;
                         });

/// Expects that a run is one graph of the driver and one wait. The inputs are
/// one copy and the outputs another; both contain the report of errors.
static void expectOneGraph(Context &context, const tg_function_t &function,
                           const RunPlan &plan) {
  const std::vector<RawTensor> inputs = makeInputs(function, 3, 1, plan);
  const tgSimulatorCounters before = simulatorCounters();
  runFunction(context, function, inputs);
  const tgSimulatorCounters after = simulatorCounters();
  EXPECT_EQ(after.graphLaunches - before.graphLaunches, 1u);
  EXPECT_EQ(after.graphCopies - before.graphCopies, 2u);
  EXPECT_EQ(after.launches, before.launches);
  EXPECT_EQ(after.copies, before.copies);
  EXPECT_EQ(after.fills, before.fills);
  EXPECT_EQ(after.waits - before.waits, 1u);
  EXPECT_EQ(after.allocations, before.allocations);
  EXPECT_EQ(after.hostAllocations, before.hostAllocations);
}

/// A step of training is one launch once it has run twice.
TEST(DeviceStep, IsOneGraph) {
  Cuda::get();
  int found = 0;
  for (const Network &network : makeNetworks()) {
    if (!std::set<std::string>{"mlp", "charLm", "transformer"}.count(
            network.name))
      continue;
    SCOPED_TRACE(network.name);
    ++found;
    std::vector<char> library =
        compileText(network.text(), {.kinds = {"cuda"}});
    ASSERT_FALSE(library.empty());
    Model model = Model::loadMemory(std::as_bytes(std::span(library)),
                                    {.device = {TG_DEVICE_CUDA, 0}});
    Context context = makeContext(model, /*threads=*/1);
    const RunPlan plan = {.classes = network.classes};
    int steps = 0;
    for (uint32_t i = 0; i < model.tables().function_count; ++i) {
      const tg_function_t &function = *model.tables().functions[i];
      if (!(function.flags & TG_FUNCTION_WRITES_VARIABLES) ||
          function.flags & TG_FUNCTION_INITIALIZES)
        continue;
      ++steps;
      for (int run = 0; run < 2; ++run)
        runFunction(context, function, makeInputs(function, 3, run, plan));
      expectOneGraph(context, function, plan);
    }
    EXPECT_GT(steps, 0);
  }
  EXPECT_EQ(found, 3);
}

TEST_P(DeviceProgramTest, HasTheBitsOfTheReference) {
  auto seed = uint64_t(GetParam());
  auto ops = seed % 2 ? RandomOps::withProducts : RandomOps::withoutProducts;
  compareWithTheReference(makeRandomProgram(seed, ops),
                          {.steps = {4, int64_t(1 + seed % 20)},
                           .tests = {1, int64_t(2 + seed % 9)}});
}

INSTANTIATE_TEST_SUITE_P(Seeds, DeviceProgramTest, testing::Range(0, 500),
                         testing::PrintToStringParamName());
