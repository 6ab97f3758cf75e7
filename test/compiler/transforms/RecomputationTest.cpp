/// Tests the recomputation of steps to reduce memory: budgets are met, and each
/// step still reads the same values.
#include "compiler/transforms/schedule/Recomputation.h"
#include "gtest/gtest.h"
#include <map>
#include <random>

using namespace tg;

namespace {

using Step = Recomputation::Step;

constexpr int64_t kBytes = 64;

/// Creates a step that may be recomputed at `cost`, or never if `cost` is
/// absent.
Step step(std::vector<unsigned> reads, std::vector<unsigned> creates,
          std::optional<int64_t> cost = 10) {
  Step result;
  result.reads.assign(reads.begin(), reads.end());
  result.creates.assign(creates.begin(), creates.end());
  result.cost = cost;
  return result;
}

/// Creates forward layers followed by backward steps, each of which reads the
/// output of its layer.
std::vector<Step> chain(unsigned layers) {
  std::vector<Step> steps;
  for (unsigned layer = 0; layer < layers; ++layer)
    steps.push_back(step(
        layer ? std::vector{layer - 1} : std::vector<unsigned>{}, {layer}));
  for (unsigned layer = layers; layer-- > 0;) {
    unsigned made = 2 * layers - 1 - layer;
    steps.push_back(layer + 1 < layers
                        ? step({layer, made - 1}, {made}, std::nullopt)
                        : step({layer}, {made}, std::nullopt));
  }
  return steps;
}

/// Checks that every step reads the same values as before, already computed at
/// that point, and that steps that cannot be recomputed run once and in order.
void expectSame(const std::vector<Step> &given,
                const Recomputation &recomputation) {
  // The content of a buffer: a step and the number of its result.
  using Content = std::pair<unsigned, unsigned>;
  std::map<unsigned, Content> wanted, found;
  for (unsigned number = 0; number < given.size(); ++number)
    for (unsigned result = 0; result < given[number].creates.size(); ++result)
      wanted[given[number].creates[result]] = {number, result};
  std::vector<unsigned> once;
  for (const Step &step : recomputation.getSteps()) {
    const Step &original = given[step.original];
    ASSERT_EQ(step.reads.size(), original.reads.size());
    for (unsigned i = 0; i < step.reads.size(); ++i) {
      ASSERT_TRUE(found.count(step.reads[i]));
      EXPECT_EQ(found[step.reads[i]], wanted[original.reads[i]]);
    }
    for (unsigned result = 0; result < step.creates.size(); ++result)
      EXPECT_TRUE(
          found.insert({step.creates[result], {step.original, result}}).second);
    if (!original.cost)
      once.push_back(step.original);
  }
  std::vector<unsigned> expected;
  for (unsigned number = 0; number < given.size(); ++number)
    if (!given[number].cost)
      expected.push_back(number);
  EXPECT_EQ(once, expected);
}

TEST(RecomputationTest, leaves_alone_what_fits) {
  std::vector<Step> steps = chain(4);
  std::vector<int64_t> bytes(8, kBytes);
  Recomputation recomputation(steps, bytes, kBytes);
  EXPECT_TRUE(recomputation.fit(5 * kBytes));
  EXPECT_EQ(recomputation.getPlannedBytes(), 5 * kBytes);
  EXPECT_EQ(recomputation.getSteps().size(), 8u);
}

TEST(RecomputationTest, trades_steps_for_memory) {
  std::vector<Step> steps = chain(36);
  std::vector<int64_t> bytes(72, kBytes);
  size_t last = steps.size();
  for (int64_t budget : {30, 20, 14, 10}) {
    Recomputation recomputation(steps, bytes, kBytes);
    ASSERT_TRUE(recomputation.fit(budget * kBytes)) << budget;
    EXPECT_LE(recomputation.getPlannedBytes(), budget * kBytes);
    expectSame(steps, recomputation);
    EXPECT_GT(recomputation.getSteps().size(), last) << budget;
    last = recomputation.getSteps().size();
  }
  // The result is as good as checkpoints at every sixth layer: each layer runs
  // at most twice.
  Recomputation recomputation(steps, bytes, kBytes);
  EXPECT_TRUE(recomputation.fit(20 * kBytes));
  EXPECT_LE(recomputation.getSteps().size(), steps.size() + 36);
}

TEST(RecomputationTest, says_the_least_that_can_be_kept) {
  std::vector<Step> steps = chain(36);
  std::vector<int64_t> bytes(72, kBytes);
  Recomputation recomputation(steps, bytes, kBytes);
  EXPECT_FALSE(recomputation.fit(2 * kBytes));
  int64_t least = recomputation.getPlannedBytes();
  EXPECT_GT(least, 2 * kBytes);
  EXPECT_LE(least, 10 * kBytes);
  Recomputation again(steps, bytes, kBytes);
  EXPECT_TRUE(again.fit(least));
}

TEST(RecomputationTest, chooses_what_costs_least) {
  // Two buffers are live across step 2; the second one is cheap to recompute.
  std::vector<Step> steps = {
      step({}, {0}, 1000), step({}, {1}, 10), step({}, {2}, std::nullopt),
      step({2}, {3}, std::nullopt), step({0, 1, 3}, {4}, std::nullopt)};
  std::vector<int64_t> bytes = {kBytes, kBytes, 4 * kBytes, kBytes, kBytes};
  Recomputation recomputation(steps, bytes, kBytes);
  ASSERT_TRUE(recomputation.fit(6 * kBytes));
  ASSERT_EQ(recomputation.getSteps().size(), 5u);
  // No step before reads the buffer, so its step moved.
  EXPECT_EQ(recomputation.getSteps()[1].original, 2u);
  EXPECT_EQ(recomputation.getSteps()[3].original, 1u);
  expectSame(steps, recomputation);
}

TEST(RecomputationTest, lets_checks_stay_where_they_are) {
  // Step 1 would move if it checked nothing; with a check it stays and runs
  // again.
  std::vector<Step> steps = {
      step({}, {0}, 1000), step({}, {1}, 10), step({}, {2}, std::nullopt),
      step({2}, {3}, std::nullopt), step({0, 1, 3}, {4}, std::nullopt)};
  steps[1].isChecked = true;
  std::vector<int64_t> bytes = {kBytes, kBytes, 4 * kBytes, kBytes, kBytes};
  Recomputation recomputation(steps, bytes, kBytes);
  ASSERT_TRUE(recomputation.fit(6 * kBytes));
  ASSERT_EQ(recomputation.getSteps().size(), 6u);
  EXPECT_EQ(recomputation.getSteps()[1].original, 1u);
  EXPECT_FALSE(recomputation.getSteps()[1].isRepeated);
  EXPECT_EQ(recomputation.getSteps()[4].original, 1u);
  EXPECT_TRUE(recomputation.getSteps()[4].isRepeated);
  expectSame(steps, recomputation);
}

TEST(RecomputationTest, keeps_what_copies_and_changed_variables_need) {
  // The steps in the middle need nine buffers, and the first buffer is live
  // across them.
  auto late = [&](auto change) {
    std::vector<Step> steps = {step({}, {0}), step({0}, {1}, std::nullopt),
                               step({1}, {2}, std::nullopt),
                               step({2}, {3}, std::nullopt),
                               step({0, 3}, {4}, std::nullopt)};
    change(steps);
    std::vector<int64_t> sizes = {kBytes, kBytes, 8 * kBytes, kBytes, kBytes};
    Recomputation recomputation(steps, sizes, kBytes);
    return recomputation.fit(9 * kBytes);
  };
  EXPECT_TRUE(late([](std::vector<Step> &) {}));
  EXPECT_FALSE(
      late([](std::vector<Step> &steps) { steps[4].isFlexible = false; }));
  EXPECT_TRUE(late([](std::vector<Step> &steps) {
    steps[0].variablesRead = {7};
    steps[4].variablesWritten = {7};
  }));
  EXPECT_FALSE(late([](std::vector<Step> &steps) {
    steps[0].variablesRead = {7};
    steps[1].variablesWritten = {7};
  }));
}

TEST(RecomputationTest, keeps_the_meaning_of_any_steps) {
  std::mt19937 random(1);
  unsigned fitting = 0;
  for (unsigned round = 0; round < 300; ++round) {
    std::vector<Step> steps;
    std::vector<int64_t> bytes;
    unsigned count = 5 + random() % 30;
    for (unsigned number = 0; number < count; ++number) {
      Step made;
      for (unsigned i = random() % 3; i > 0 && !bytes.empty(); --i)
        made.reads.push_back(random() % bytes.size());
      for (unsigned i = 1 + random() % 2; i > 0; --i) {
        made.creates.push_back(bytes.size());
        bytes.push_back(kBytes * (1 + random() % 5));
      }
      if (random() % 4)
        made.cost = 1 + random() % 100;
      steps.push_back(made);
    }
    Recomputation whole(steps, bytes, kBytes);
    EXPECT_TRUE(whole.fit(INT64_MAX / 2));
    Recomputation recomputation(steps, bytes, kBytes);
    int64_t budget = whole.getPlannedBytes() * 3 / 4;
    bool fits = recomputation.fit(budget);
    fitting += fits;
    EXPECT_EQ(fits, recomputation.getPlannedBytes() <= budget);
    if (fits)
      expectSame(steps, recomputation);
  }
  EXPECT_GT(fitting, 30u);
}

} // namespace
