/// Tests the epoch after which training stops.
#include <tg/training/early_stopper.hpp>

#include <gtest/gtest.h>
#include <limits>
#include <sstream>
#include <vector>

using namespace tg;

static std::vector<bool> answersTo(EarlyStopper &stopper,
                                   const std::vector<double> &errors) {
  std::vector<bool> answers;
  for (double error : errors)
    answers.push_back(stopper.continueLearning(error));
  return answers;
}

TEST(EarlyStopperTest, stopsAfterSoManyEpochsWithoutProgress) {
  EarlyStopper stopper({.patience = 2});
  EXPECT_EQ(answersTo(stopper, {1.0, 1.0, 1.0}),
            (std::vector<bool>{true, true, false}));
  for (int64_t patience : {0, 1}) {
    EarlyStopper next({.patience = patience});
    EXPECT_EQ(answersTo(next, {1.0, 0.5, 0.5}),
              (std::vector<bool>{true, true, false}));
  }
}

TEST(EarlyStopperTest, stopsWhenTheErrorFallsTooLittleForTooLong) {
  EarlyStopper stopper({.patience = 3, .minDecrease = 0.1});
  EXPECT_EQ(answersTo(stopper, {1.0, 0.95, 0.92, 0.91}),
            (std::vector<bool>{true, true, true, false}));
  EXPECT_EQ(stopper.bestValidError(), 1.0);
  EXPECT_EQ(stopper.bestEpoch(), 1);
}

TEST(EarlyStopperTest, theLeastDecreaseIsAFraction) {
  EarlyStopper onePercent({.patience = 1, .minDecrease = 0.01});
  EXPECT_EQ(answersTo(onePercent, {200, 197, 196}),
            (std::vector<bool>{true, true, false}));
  EXPECT_THROW(EarlyStopper({.minDecrease = 1}), std::invalid_argument);
  EXPECT_THROW(EarlyStopper({.minDecrease = -0.1}), std::invalid_argument);
  EXPECT_THROW(EarlyStopper({.patience = -1}), std::invalid_argument);
}

TEST(EarlyStopperTest, aDecreaseBeginsTheWaitAnew) {
  EarlyStopper stopper({.patience = 2});
  EXPECT_EQ(answersTo(stopper, {1.0, 1.0, 0.9, 0.9, 0.9}),
            (std::vector<bool>{true, true, true, true, false}));
  EXPECT_EQ(stopper.bestEpoch(), 3);
}

TEST(EarlyStopperTest, anIncreaseIsNoDecrease) {
  EarlyStopper stopper({.patience = 2, .minDecrease = 0.1});
  EXPECT_EQ(answersTo(stopper, {1.0, 2.0, 4.0}),
            (std::vector<bool>{true, true, false}));
}

TEST(EarlyStopperTest, takesNegativeErrors) {
  EarlyStopper stopper({.patience = 2, .minDecrease = 0.1});
  EXPECT_EQ(answersTo(stopper, {-0.5, -0.6, -0.62, -0.63}),
            (std::vector<bool>{true, true, true, false}));
  EXPECT_EQ(stopper.bestValidError(), -0.6);
}

TEST(EarlyStopperTest, whatIsNoNumberHasNotFallen) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EarlyStopper stopper({.patience = 2});
  EXPECT_EQ(answersTo(stopper, {nan, nan}), (std::vector<bool>{true, false}));
}

TEST(EarlyStopperTest, endsWithTheLastEpoch) {
  EarlyStopper stopper({.maxEpoch = 3});
  EXPECT_EQ(answersTo(stopper, {3, 2, 1}),
            (std::vector<bool>{true, true, false}));
  EXPECT_EQ(stopper.bestEpoch(), 3);
}

TEST(EarlyStopperTest, waitsForEverWithoutPatience) {
  EarlyStopper stopper;
  for (int epoch = 1; epoch < 100; ++epoch)
    EXPECT_TRUE(stopper.continueLearning(1.0));
  EXPECT_FALSE(stopper.continueLearning(1.0));
}

TEST(EarlyStopperTest, countsFromAnEpochThatIsTold) {
  EarlyStopper stopper({.maxEpoch = 50, .patience = 3});
  EXPECT_TRUE(stopper.continueLearning(1.0, 40));
  EXPECT_TRUE(stopper.continueLearning(1.0)); // 41
  EXPECT_TRUE(stopper.continueLearning(1.0, 42));
  EXPECT_FALSE(stopper.continueLearning(1.0, 43));
  EXPECT_FALSE(stopper.goesOn());
  stopper.reset();
  EXPECT_TRUE(stopper.goesOn());
  EXPECT_TRUE(stopper.continueLearning(1.0));
  EXPECT_EQ(stopper.bestEpoch(), 1);
}

TEST(EarlyStopperTest, goesOnFromAStateThatWasSaved) {
  const EarlyStopperOptions options{.patience = 2};
  EarlyStopper whole(options), first(options);
  const std::vector<double> errors{0.1 + 0.2, 0.1, 0.2, 0.3};
  std::vector<bool> expected = answersTo(whole, errors);
  std::vector<bool> found;
  for (double error : {errors[0], errors[1], errors[2]})
    found.push_back(first.continueLearning(error));
  std::stringstream file;
  file << first.state() << '\n' << EarlyStopper().state();
  EarlyStopperState saved, nothing;
  ASSERT_TRUE(file >> saved >> nothing);
  EXPECT_TRUE(std::isinf(nothing.bestError));
  EarlyStopper second(options);
  second.restore(saved);
  EXPECT_TRUE(second.goesOn());
  found.push_back(second.continueLearning(errors[3]));
  EXPECT_EQ(found, expected);
  EXPECT_EQ(second.bestValidError(), whole.bestValidError());
  EXPECT_EQ(second.bestEpoch(), 2);
  std::stringstream broken("3 1 one");
  EXPECT_FALSE(broken >> saved);
  EXPECT_EQ(saved.epoch, 3);
}
