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

#include <set>

using namespace tg;
using namespace tg::test;

namespace {
class DeviceNetworkTest : public testing::TestWithParam<Network> {};
class DeviceProgramTest : public testing::TestWithParam<int> {};
} // namespace

/// The part of the diagnostic that refuses operations on devices: those with
/// kernels of their own.
static constexpr const char *refusal =
    "expected an op that targets of kind 'cuda' compute";

/// Compares a program on the device with the reference. Returns false if the
/// compiler refuses an operation; any other diagnostic is a failure.
static bool runsWithTheBitsOfTheReference(const std::string &text,
                                          const RunPlan &plan) {
  Cuda::get(); // libtgrt finds the driver that is loaded already
  std::string diagnostics;
  std::vector<char> library =
      compileText(text, {.kinds = {"cuda"}}, &diagnostics);
  if (library.empty()) {
    EXPECT_NE(diagnostics.find(refusal), std::string::npos) << diagnostics;
    return false;
  }
  Model model = Model::loadMemory(std::as_bytes(std::span(library)),
                                  {.device = {TG_DEVICE_CUDA, 0}});
  expectSameBits(runCompiled(model, plan),
                 runReference(model.tables(), text, plan));
  return true;
}

/// The networks with operations that do not run on devices.
static const std::set<std::string> refusedNetworks = {
    "attention17", "charLm",         "paddedWords", "places",    "sparse",
    "sparseAdamW", "sparseAdadelta", "transcribe",  "translate", "words"};

TEST_P(DeviceNetworkTest, HasTheBitsOfTheReferenceUnlessRefused) {
  const Network &network = GetParam();
  bool runs = runsWithTheBitsOfTheReference(
      network.text(),
      {.steps = {3, 1}, .tests = {4}, .classes = network.classes});
  EXPECT_NE(runs, refusedNetworks.count(network.name) == 1);
}

INSTANTIATE_TEST_SUITE_P(Networks, DeviceNetworkTest,
                         testing::ValuesIn(makeNetworks()),
                         [](const testing::TestParamInfo<Network> &info) {
                           return info.param.name;
                         });

TEST_P(DeviceProgramTest, HasTheBitsOfTheReferenceUnlessRefused) {
  auto seed = uint64_t(GetParam());
  auto ops = seed % 2 ? RandomOps::withProducts : RandomOps::withoutProducts;
  runsWithTheBitsOfTheReference(makeRandomProgram(seed, ops),
                                {.steps = {4, int64_t(1 + seed % 20)},
                                 .tests = {1, int64_t(2 + seed % 9)}});
}

INSTANTIATE_TEST_SUITE_P(Seeds, DeviceProgramTest, testing::Range(0, 150),
                         testing::PrintToStringParamName());
