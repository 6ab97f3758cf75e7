/// When training ends.
#include <tg/training/early_stopper.hpp>

#include <gtest/gtest.h>
#include <limits>
#include <vector>

using namespace tg;

static std::vector<bool> answersTo(EarlyStopper &stopper,
                                   const std::vector<double> &errors) {
  std::vector<bool> answers;
  for (double error : errors)
    answers.push_back(stopper.continueLearning(error));
  return answers;
}

TEST(EarlyStopperTest, stopsWhenTheErrorFallsTooLittleForTooLong) {
  EarlyStopper stopper({.lookBack = 2, .percentDecrease = 0.1});
  EXPECT_EQ(answersTo(stopper, {1.0, 0.95, 0.92, 0.91}),
            (std::vector<bool>{true, true, true, false}));
  EXPECT_EQ(stopper.bestValidError(), 1.0);
  EXPECT_EQ(stopper.bestEpoch(), 1);
}

TEST(EarlyStopperTest, aDecreaseBeginsTheWaitAnew) {
  EarlyStopper stopper({.lookBack = 1});
  EXPECT_EQ(answersTo(stopper, {1.0, 1.0, 0.9, 0.9, 0.9}),
            (std::vector<bool>{true, true, true, true, false}));
  EXPECT_EQ(stopper.bestEpoch(), 3);
}

TEST(EarlyStopperTest, anIncreaseIsNoDecrease) {
  EarlyStopper stopper({.lookBack = 1, .percentDecrease = 0.1});
  EXPECT_EQ(answersTo(stopper, {1.0, 2.0, 4.0}),
            (std::vector<bool>{true, true, false}));
}

TEST(EarlyStopperTest, takesNegativeErrors) {
  EarlyStopper stopper({.lookBack = 1, .percentDecrease = 0.1});
  EXPECT_EQ(answersTo(stopper, {-0.5, -0.6, -0.62, -0.63}),
            (std::vector<bool>{true, true, true, false}));
  EXPECT_EQ(stopper.bestValidError(), -0.6);
}

TEST(EarlyStopperTest, whatIsNoNumberHasNotFallen) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EarlyStopper stopper({.lookBack = 1});
  EXPECT_EQ(answersTo(stopper, {nan, nan}), (std::vector<bool>{true, false}));
}

TEST(EarlyStopperTest, endsWithTheLastEpoch) {
  EarlyStopper stopper({.maxEpoch = 3});
  EXPECT_EQ(answersTo(stopper, {3, 2, 1}),
            (std::vector<bool>{true, true, false}));
  EXPECT_EQ(stopper.bestEpoch(), 3);
}

TEST(EarlyStopperTest, waitsForEverWithoutALookBack) {
  EarlyStopper stopper;
  for (int epoch = 1; epoch < 100; ++epoch)
    EXPECT_TRUE(stopper.continueLearning(1.0));
  EXPECT_FALSE(stopper.continueLearning(1.0));
}

TEST(EarlyStopperTest, countsFromAnEpochThatIsTold) {
  EarlyStopper stopper({.maxEpoch = 50, .lookBack = 2});
  EXPECT_TRUE(stopper.continueLearning(1.0, 40));
  EXPECT_TRUE(stopper.continueLearning(1.0)); // 41
  EXPECT_TRUE(stopper.continueLearning(1.0, 42));
  EXPECT_FALSE(stopper.continueLearning(1.0, 43));
  stopper.reset();
  EXPECT_TRUE(stopper.continueLearning(1.0));
  EXPECT_EQ(stopper.bestEpoch(), 1);
}
