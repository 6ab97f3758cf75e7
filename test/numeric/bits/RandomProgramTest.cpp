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

/// The number of programs, and of those that are compiled in all ways.
static constexpr uint64_t kPrograms = 1000, kThoroughPrograms = 100;

/// Compares programs with 1 to 20 rows at -O0 and -O2 on all levels, or in one
/// of these ways.
static void check(uint64_t seed, RandomOps ops) {
  std::string text = makeRandomProgram(seed, ops);
  RunPlan plan{.steps = {4, int64_t(1 + seed % 20)},
               .tests = {1, int64_t(2 + seed % 9)}};
  std::vector<int> levels = levelsWithFma();
  if (seed < kThoroughPrograms) {
    for (int optimization : {0, 2})
      expectBitsOfReference(text, optimization, plan, levels);
  } else if (!levels.empty()) {
    expectBitsOfReference(text, seed / 2 % 2 ? 2 : 0, plan,
                          {levels[seed % levels.size()]});
  }
  if (testing::Test::HasFailure())
    std::printf("%s", text.c_str());
}

TEST_P(RandomProgramTest, WithoutProducts) {
  check(uint64_t(GetParam()), RandomOps::withoutProducts);
}
TEST_P(RandomProgramTest, WithProducts) {
  check(uint64_t(GetParam()), RandomOps::withProducts);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomProgramTest,
                         testing::Range(0, int(kPrograms)),
                         testing::PrintToStringParamName());
