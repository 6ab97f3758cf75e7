//===- NetworkBitsTest.cpp - networks have the bits of the reference ------===//
//
// Initializes, trains and tests every network of test/numeric/Networks.h. The
// outputs and variables of compiled code must be those of the reference, bit by
// bit.
//
//===----------------------------------------------------------------------===//
#include "test/numeric/Networks.h"
#include "test/numeric/bits/ModelRuns.h"

#include <gtest/gtest.h>

using namespace tg;
using namespace tg::test;

namespace {
/// A network and an optimization level.
class NetworkBitsTest
    : public testing::TestWithParam<std::tuple<Network, int>> {};
} // namespace

TEST_P(NetworkBitsTest, AreThoseOfTheReference) {
  const auto &[network, optimization] = GetParam();
  expectBitsOfReference(network.text(), optimization,
                        {.classes = network.classes});
}

static std::string
nameOf(const testing::TestParamInfo<NetworkBitsTest::ParamType> &info) {
  const auto &[network, optimization] = info.param;
  return network.name + "_O" + std::to_string(optimization);
}

INSTANTIATE_TEST_SUITE_P(Networks, NetworkBitsTest,
                         testing::Combine(testing::ValuesIn(makeNetworks()),
                                          testing::Values(0, 2)),
                         nameOf);
