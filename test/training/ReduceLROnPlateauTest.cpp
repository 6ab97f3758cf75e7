/// Tests the epochs in which the learning rate falls.
#include <tg/training/reduce_lr_on_plateau.hpp>

#include <gtest/gtest.h>
#include <sstream>
#include <vector>

using namespace tg;

static std::vector<double> ratesOf(ReduceLROnPlateau &schedule,
                                   const std::vector<double> &errors) {
  std::vector<double> rates;
  for (double error : errors)
    rates.push_back(schedule.finishEpoch(error));
  return rates;
}

TEST(ReduceLROnPlateauTest, fallsAfterSoManyEpochsWithoutProgress) {
  ReduceLROnPlateau schedule(
      {.learningRate = 1, .factor = 0.5, .patience = 2, .minDecrease = 0});
  EXPECT_EQ(schedule.rate(), 1);
  EXPECT_EQ(ratesOf(schedule, {3, 3, 3, 3, 2, 2, 2}),
            (std::vector<double>{1, 1, 0.5, 0.5, 0.5, 0.5, 0.25}));
  EXPECT_EQ(schedule.rate(), 0.25);
  EXPECT_EQ(schedule.bestValidError(), 2);
  schedule.reset();
  EXPECT_EQ(schedule.rate(), 1);
}

TEST(ReduceLROnPlateauTest, takesTooSmallADecreaseForNone) {
  ReduceLROnPlateau schedule(
      {.learningRate = 1, .factor = 0.5, .patience = 1, .minDecrease = 0.1});
  EXPECT_EQ(ratesOf(schedule, {100, 89, 85, -1}),
            (std::vector<double>{1, 1, 0.5, 0.5}));
}

// As in Keras, the last epoch of the cooldown already counts again.
TEST(ReduceLROnPlateauTest, coolsDown) {
  ReduceLROnPlateau schedule({.learningRate = 1,
                              .factor = 0.5,
                              .patience = 1,
                              .minDecrease = 0,
                              .cooldown = 3});
  EXPECT_EQ(ratesOf(schedule, {1, 1, 1, 1, 1, 1, 1, 1}),
            (std::vector<double>{1, .5, .5, .5, .25, .25, .25, .125}));
}

TEST(ReduceLROnPlateauTest, staysAboveTheMinimum) {
  ReduceLROnPlateau schedule(
      {.learningRate = 1, .factor = 0.1, .patience = 0, .minimum = 0.05});
  EXPECT_EQ(ratesOf(schedule, {1, 1, 1, 1}),
            (std::vector<double>{1, 0.1, 0.05, 0.05}));
  // The minimum never raises the rate.
  ReduceLROnPlateau below(
      {.learningRate = 0.01, .patience = 1, .minimum = 0.05});
  EXPECT_EQ(ratesOf(below, {1, 1}), (std::vector<double>{0.01, 0.01}));
}

TEST(ReduceLROnPlateauTest, goesOnFromAStateThatWasSaved) {
  const ReduceLROnPlateauOptions options{
      .learningRate = 0.3, .factor = 0.7, .patience = 2, .cooldown = 1};
  const std::vector<double> errors{1, 0.1, 1, 1, 1, 1, 1, 1, 1};
  ReduceLROnPlateau whole(options);
  std::vector<double> expected = ratesOf(whole, errors);
  for (size_t cut = 0; cut <= errors.size(); ++cut) {
    ReduceLROnPlateau first(options), second(options);
    std::vector<double> found =
        ratesOf(first, {errors.begin(), errors.begin() + ptrdiff_t(cut)});
    std::stringstream file;
    file << first.state() << '\n';
    ReduceLROnPlateauState saved;
    ASSERT_TRUE(file >> saved);
    second.restore(saved);
    for (double rate :
         ratesOf(second, {errors.begin() + ptrdiff_t(cut), errors.end()}))
      found.push_back(rate);
    EXPECT_EQ(found, expected) << cut;
  }
}

TEST(ReduceLROnPlateauTest, refusesWhatIsNotInItsRange) {
  for (const ReduceLROnPlateauOptions &options :
       {ReduceLROnPlateauOptions{.learningRate = 0},
        ReduceLROnPlateauOptions{.factor = 1},
        ReduceLROnPlateauOptions{.factor = 0},
        ReduceLROnPlateauOptions{.patience = -1},
        ReduceLROnPlateauOptions{.minDecrease = 1},
        ReduceLROnPlateauOptions{.cooldown = -1},
        ReduceLROnPlateauOptions{.minimum = -1}})
    EXPECT_THROW(ReduceLROnPlateau{options}, std::invalid_argument);
}
