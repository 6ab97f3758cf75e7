//===- BatchStepsTest.cpp - batch normalization against plain loops -------===//
#include "OneLayer.h"

#include <algorithm>
#include <cmath>

using namespace tg;
using namespace tg::test;

namespace {
/// The results of a training step of one channel, computed with plain loops.
struct ChannelStep {
  std::vector<double> normalized;
  double mean, variance;
};

ChannelStep stepOf(const std::vector<double> &x, double epsilon) {
  ChannelStep step{{}, 0, 0};
  for (double value : x)
    step.mean += value / double(x.size());
  for (double value : x)
    step.variance +=
        (value - step.mean) * (value - step.mean) / double(x.size());
  for (double value : x)
    step.normalized.push_back((value - step.mean) /
                              std::sqrt(step.variance + epsilon));
  return step;
}

/// Returns twelve numbers: a batch of two images with one channel.
std::vector<double> batchOf(int step) {
  std::vector<double> numbers;
  for (int i = 0; i < 12; ++i)
    numbers.push_back(std::sin(i * 1.7 + step) * (1 + step) + 0.3 * step);
  return numbers;
}

/// Compiles a layer for these batches with the functions train and test.
template <typename L> Context trainedBy(L layer, Shape shape) {
  Program program("test");
  Tensor x = program.input("x", f64, std::move(shape));
  program.function("train",
                   {.inputs = {x}, .outputs = {{"y", layer.trainFprop(x)}}});
  program.function("test",
                   {.inputs = {x}, .outputs = {{"y", layer.testFprop(x)}}});
  return makeContext(program);
}

std::vector<double> valuesOf(Context &context, const char *function,
                             const std::vector<double> &x) {
  std::span<const double> y =
      context.run(function, {{"x", x}}).values<double>("y");
  return {y.begin(), y.end()};
}

double averageOf(Context &context, const std::string &layer,
                 const std::string &name) {
  return context.get<double>("test/" + layer + "_1/" + name)[0];
}
} // namespace

TEST(BatchNormalizationTest, FollowsPlainLoopsOverThreeSteps) {
  const double epsilon = 1e-3, kept = 0.9;
  for (Shape shape : {Shape{dim("n"), 1}, Shape{dim("n"), 3, 2, 1},
                      Shape{dim("n"), 1, 3, 2, 1}}) {
    Context context = trainedBy(BatchNormalization({.momentum = kept}), shape);
    double mean = 0, variance = 1;
    for (int step = 0; step < 3; ++step) {
      ChannelStep expected = stepOf(batchOf(step), epsilon);
      expectNear(valuesOf(context, "train", batchOf(step)), expected.normalized,
                 1e-12);
      double moved = expected.variance * (shape.size() == 4 ? 12. / 11 : 1);
      mean = kept * mean + (1 - kept) * expected.mean;
      variance = kept * variance + (1 - kept) * moved;
      EXPECT_NEAR(averageOf(context, "BatchNormalization", "moving_mean"), mean,
                  1e-12);
      EXPECT_NEAR(averageOf(context, "BatchNormalization", "moving_variance"),
                  variance, 1e-12);
    }
    std::vector<double> tested = batchOf(7);
    for (double &value : tested)
      value = (value - mean) / std::sqrt(variance + epsilon);
    expectNear(valuesOf(context, "test", batchOf(7)), tested, 1e-12);
  }
}

TEST(BatchNormalizationTest, RenormalizesToItsAverages) {
  const double epsilon = 1e-3, kept = 0.8;
  RenormOptions limits{
      .rmin = 0.5, .rmax = 1.5, .dmax = 0.25, .momentum = kept};
  Context context =
      trainedBy(BatchNormalization({.renorm = limits}), {dim("n"), 3, 2, 1});
  double mean = 0, deviation = 1;
  for (int step = 0; step < 3; ++step) {
    ChannelStep own = stepOf(batchOf(step), epsilon);
    double spread = std::sqrt(own.variance + epsilon);
    double r = std::min(std::max(spread / deviation, 0.5), 1.5);
    double d = std::min(std::max((own.mean - mean) / deviation, -0.25), 0.25);
    for (double &value : own.normalized)
      value = value * r + d;
    expectNear(valuesOf(context, "train", batchOf(step)), own.normalized,
               1e-12);
    mean = kept * mean + (1 - kept) * own.mean;
    deviation = kept * deviation + (1 - kept) * spread;
    EXPECT_NEAR(averageOf(context, "BatchNormalization", "renorm_mean"), mean,
                1e-12);
    EXPECT_NEAR(averageOf(context, "BatchNormalization", "renorm_deviation"),
                deviation, 1e-12);
  }
  EXPECT_EQ(errorOf([&] {
              trainedBy(
                  BatchNormalization({.renorm = {{.rmin = 2, .rmax = 1}}}),
                  {dim("n"), 3});
            }),
            "'BatchNormalization_1': expected 0 <= rmin <= rmax, found "
            "2.000000 and 1.000000");
  EXPECT_EQ(
      errorOf([&] {
        trainedBy(BatchNormalization({.renorm = {{.dmax = -1}}}),
                  {dim("n"), 3});
      }),
      "'BatchNormalization_1': expected a dmax of at least 0, found -1.000000");
}

TEST(BatchNormalizationTest, RenormalizesByASchedule) {
  Program program("test");
  RenormOptions limits = renormSchedule(
      program, {.begin = 1, .rEnd = 5, .dEnd = 3, .rmax = 3, .dmax = 5});
  Tensor x = program.input("x", f32, {dim("n"), 1});
  Tensor y = BatchNormalization({.renorm = limits}).trainFprop(x);
  program.function(
      "train", {.inputs = {x},
                .outputs = {{"rmin", limits.rmin.tensor()},
                            {"rmax", limits.rmax.tensor()},
                            {"dmax", limits.dmax.tensor()},
                            {"y", y}},
                .updates = SGD({.learningRate = 0.0}).minimize(reduceSum(y))});
  Context context = makeContext(program);
  // The mean of the batch is 10 and its variance 1; the moving mean starts at
  // 0.
  const std::vector<float> batch = {9, 11};
  const double rmax[] = {1, 1, 1.5, 2, 2.5, 3, 3},
               dmax[] = {0, 0, 2.5, 5, 5, 5, 5};
  double mean = 0, deviation = 1;
  for (int step = 0; step < 7; ++step) {
    const Outputs &found = context.run("train", {{"x", batch}});
    EXPECT_NEAR(found.values<double>("rmax")[0], rmax[step], 1e-12) << step;
    EXPECT_NEAR(found.values<double>("rmin")[0], 1 / rmax[step], 1e-12);
    EXPECT_NEAR(found.values<double>("dmax")[0], dmax[step], 1e-12) << step;
    double spread = std::sqrt(1.001);
    double r = std::min(spread / deviation, rmax[step]);
    double d = std::min((10 - mean) / deviation, dmax[step]);
    EXPECT_NEAR(found.values<float>("y")[1], r / spread + d, 1e-4) << step;
    mean = 0.99 * mean + 0.01 * 10;
    deviation = 0.99 * deviation + 0.01 * spread;
  }
  EXPECT_NE(errorOf([&] {
              renormSchedule(program, {.begin = 9, .dEnd = 9});
            }).find("expected 0 <= begin < rEnd and dEnd"),
            std::string::npos);
  Tensor wide = program.zeros({2});
  EXPECT_EQ(errorOf([&] {
              BatchNormalization({.renorm = {{.rmax = wide}}}).trainFprop(x);
            }),
            "'BatchNormalization_2': expected rmax to be a scalar of floats, "
            "found f32 [2]");
}

TEST(BatchRenormTest, TakesTheInverseForTheLeastRatio) {
  Context context =
      trainedBy(BatchRenorm({.rmax = 1.5, .dmax = 0.25}), {dim("n"), 3, 2, 1});
  ChannelStep own = stepOf(batchOf(0), 1e-5);
  double spread = std::sqrt(own.variance + 1e-5);
  double r = std::min(std::max(spread, 1 / 1.5), 1.5);
  for (double &value : own.normalized)
    value = value * r + std::min(std::max(own.mean, -0.25), 0.25);
  expectNear(valuesOf(context, "train", batchOf(0)), own.normalized, 1e-12);
  EXPECT_NEAR(averageOf(context, "BatchRenorm", "moving_mean"), 0.1 * own.mean,
              1e-12);
  EXPECT_EQ(errorOf([] { BatchRenorm({.rmax = 0.5}); }),
            "expected an rmax of at least 1, found 0.500000");
}

TEST(BatchNormalizationTest, TakesPartsOfABatchByThemselves) {
  // Two virtual batches of one image each.
  Context context =
      trainedBy(BatchNormalization({.momentum = 0.5, .virtualBatchSize = 1}),
                {dim("n"), 3, 2, 1});
  std::vector<double> batch = batchOf(1);
  std::vector<double> expected;
  std::vector<ChannelStep> parts;
  for (int part : {0, 6}) {
    parts.push_back(
        stepOf({batch.begin() + part, batch.begin() + part + 6}, 1e-3));
    expected.insert(expected.end(), parts.back().normalized.begin(),
                    parts.back().normalized.end());
  }
  expectNear(valuesOf(context, "train", batch), expected, 1e-12);
  EXPECT_NEAR(averageOf(context, "BatchNormalization", "moving_mean"),
              0.5 * parts[0].mean, 1e-12);
  EXPECT_NEAR(averageOf(context, "BatchNormalization", "moving_variance"),
              0.5 + 0.5 * parts[0].variance * 6 / 5, 1e-12);
  // The layer normalizes channels that are not last, without variables.
  Given<float> images = {{1, 2, 11, 12, 5, 6, 15, 16}, {2, 2, 2, 1}};
  Answer<float> whole =
      apply(BatchNormalization({.axis = 1}), images, Mode::train);
  Answer<float> same =
      apply(BatchNormalization({.axis = 1, .virtualBatchSize = 2}), images,
            Mode::train);
  expectNear(same.elements, whole.elements);
  EXPECT_EQ(errorOf([&] {
              trainedBy(BatchNormalization({.virtualBatchSize = 2}), {3, 2});
            }),
            "'BatchNormalization_1': expected a virtual batch that divides the "
            "batch of [3, 2], found "
            "2");
}

TEST(BatchNormalizationTest, RenormalizesPartsOfABatchByThemselves) {
  const double epsilon = 1e-3, kept = 0.8;
  RenormOptions limits{
      .rmin = 0.5, .rmax = 1.5, .dmax = 0.25, .momentum = kept};
  Context context =
      trainedBy(BatchNormalization({.renorm = limits, .virtualBatchSize = 1}),
                {dim("n"), 3, 2, 1});
  double mean = 0, deviation = 1;
  for (int step = 0; step < 3; ++step) {
    std::vector<double> batch = batchOf(step);
    std::vector<double> expected;
    double firstMean = 0, firstSpread = 0;
    for (int part : {0, 6}) {
      ChannelStep own =
          stepOf({batch.begin() + part, batch.begin() + part + 6}, epsilon);
      double spread = std::sqrt(own.variance + epsilon);
      double r = std::min(std::max(spread / deviation, 0.5), 1.5);
      double d = std::min(std::max((own.mean - mean) / deviation, -0.25), 0.25);
      for (double value : own.normalized)
        expected.push_back(value * r + d);
      if (part == 0) {
        firstMean = own.mean;
        firstSpread = spread;
      }
    }
    expectNear(valuesOf(context, "train", batch), expected, 1e-12);
    mean = kept * mean + (1 - kept) * firstMean;
    deviation = kept * deviation + (1 - kept) * firstSpread;
    EXPECT_NEAR(averageOf(context, "BatchNormalization", "renorm_mean"), mean,
                1e-12);
    EXPECT_NEAR(averageOf(context, "BatchNormalization", "renorm_deviation"),
                deviation, 1e-12);
  }
}

TEST(BatchNormalizationTest, StaysAsItIsWhereItIsFrozen) {
  Context context =
      trainedBy(BatchNormalization({.meanInitializer = values({2}),
                                    .varianceInitializer = values({4}),
                                    .frozen = true}),
                {dim("n"), 1});
  std::vector<double> expected = batchOf(1);
  for (double &value : expected)
    value = (value - 2) / std::sqrt(4 + 1e-3);
  expectNear(valuesOf(context, "train", batchOf(1)), expected, 1e-12);
  EXPECT_EQ(averageOf(context, "BatchNormalization", "moving_mean"), 2);
  EXPECT_EQ(averageOf(context, "BatchNormalization", "moving_variance"), 4);
}

TEST(BNReLUTest, CutsWhatIsNormalized) {
  Context context = trainedBy(BNReLU(), {dim("n"), 3, 2, 1});
  std::vector<double> expected = stepOf(batchOf(0), 1e-5).normalized;
  for (double &value : expected)
    value = std::max(value, 0.0);
  expectNear(valuesOf(context, "train", batchOf(0)), expected, 1e-12);
}
