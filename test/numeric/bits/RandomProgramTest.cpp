//===- RandomProgramTest.cpp - random programs in both implementations ----===//
#include "test/numeric/bits/RandomProgram.h"
#include "test/numeric/bits/ModelRuns.h"

#include <gtest/gtest.h>

using namespace tg;
using namespace tg::test;

namespace {
/// The seed of a program.
class RandomProgramTest : public testing::TestWithParam<int> {};
} // namespace

/// Compares programs with 1 to 20 rows at -O0 and -O2.
static void check(uint64_t seed, RandomOps ops) {
  std::string text = makeRandomProgram(seed, ops);
  for (int optimization : {0, 2})
    expectBitsOfReference(text, optimization,
                          {.steps = {4, int64_t(1 + seed % 20)},
                           .tests = {1, int64_t(2 + seed % 9)}});
  if (testing::Test::HasFailure())
    std::printf("%s", text.c_str());
}

TEST_P(RandomProgramTest, WithoutProducts) {
  check(uint64_t(GetParam()), RandomOps::withoutProducts);
}
TEST_P(RandomProgramTest, WithProducts) {
  check(uint64_t(GetParam()), RandomOps::withProducts);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomProgramTest, testing::Range(0, 100),
                         testing::PrintToStringParamName());
