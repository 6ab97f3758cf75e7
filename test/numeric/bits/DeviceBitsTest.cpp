//===- DeviceBitsTest.cpp - programs on a device have the same bits -------===//
//
// Runs networks and random programs as PTX on the stand-in for CUDA's driver.
// Their outputs and variables must be those of the reference, bit by bit.
//
//===----------------------------------------------------------------------===//
#include "test/numeric/Networks.h"
#include "test/numeric/bits/ModelRuns.h"
#include "test/numeric/bits/RandomProgram.h"
#include "test/simulator/support/Cuda.h"

#include <gtest/gtest.h>

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

TEST_P(DeviceProgramTest, HasTheBitsOfTheReference) {
  auto seed = uint64_t(GetParam());
  auto ops = seed % 2 ? RandomOps::withProducts : RandomOps::withoutProducts;
  compareWithTheReference(makeRandomProgram(seed, ops),
                          {.steps = {4, int64_t(1 + seed % 20)},
                           .tests = {1, int64_t(2 + seed % 9)}});
}

INSTANTIATE_TEST_SUITE_P(Seeds, DeviceProgramTest, testing::Range(0, 150),
                         testing::PrintToStringParamName());
