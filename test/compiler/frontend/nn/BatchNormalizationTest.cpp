//===- BatchNormalizationTest.cpp - batch moments, moving averages --------===//
#include "OneLayer.h"

#include <algorithm>
#include <cmath>

using namespace tg;
using namespace tg::test;

namespace {
/// A batch normalization of two channels with the functions train and test.
struct Normalized {
  Program program{"test"};
  Tensor x = program.input("x", f32, {dim("n"), 2});

  explicit Normalized(BatchNormalizationOptions options = {}) {
    BatchNormalization layer(options);
    program.function("train",
                     {.inputs = {x}, .outputs = {{"y", layer.trainFprop(x)}}});
    program.function("test",
                     {.inputs = {x}, .outputs = {{"y", layer.testFprop(x)}}});
  }
};
} // namespace

// Columns 1, 2, 6 and 0, 0, 3: means 3 and 1, biased variances 14/3 and 2.
static const std::vector<float> batch = {1, 0, 2, 0, 6, 3};

static std::vector<float> run(Context &context, const char *function) {
  std::span<const float> y =
      context.run(function, {{"x", batch}}).values<float>("y");
  return {y.begin(), y.end()};
}

/// Returns (x - mean) / sqrt(variance + 0.001) per column of the batch.
static std::vector<float> normalize(std::vector<double> mean,
                                    std::vector<double> variance) {
  std::vector<float> y;
  for (size_t i = 0; i < batch.size(); ++i)
    y.push_back((batch[i] - mean[i % 2]) / std::sqrt(variance[i % 2] + 1e-3));
  return y;
}

TEST(BatchNormalizationTest, NormalizesTheBatchWhileTraining) {
  Normalized network;
  EXPECT_EQ(network.program.variables().size(), 4u);
  EXPECT_EQ(network.program.parameterCount(), 4);
  Context context = makeContext(network.program);
  expectNear(run(context, "train"), normalize({3, 1}, {14.0 / 3, 2}));
}

TEST(BatchNormalizationTest, MovesItsAveragesWhileTraining) {
  Context context = makeContext(Normalized().program);
  const char *mean = "test/BatchNormalization_1/moving_mean";
  const char *variance = "test/BatchNormalization_1/moving_variance";
  run(context, "test");
  expectNear(context.get<float>(mean), {0, 0});
  run(context, "train");
  expectNear(context.get<float>(mean), {0.03f, 0.01f});
  expectNear(context.get<float>(variance),
             {float(0.99 + 0.01 * 14 / 3), float(0.99 + 0.02)});
  run(context, "test");
  expectNear(context.get<float>(mean), {0.03f, 0.01f});
}

// As in TensorFlow, the moving averages are updates that must be fetched.
TEST(BatchNormalizationTest, SessionsMoveItsAveragesWhereTheyAreAskedFor) {
  Program program("test");
  Tensor x = program.input("x", f32, {dim("n"), 2});
  BatchNormalization layer;
  Tensor y = layer.trainFprop(x);
  Updates step = SGD().minimize(reduceSum(square(y - 1.0)));
  std::vector<Tensor> updates = program.collection(GraphKeys::updateOps);
  std::vector<Tensor> model = program.collection(GraphKeys::modelVariables);
  ASSERT_EQ(updates.size(), 2u);
  ASSERT_EQ(model.size(), 2u);
  Tensor tied;
  {
    ControlDependencies after({updates.begin(), updates.end()});
    tied = identity(y);
  }
  Session session(program, {.optimization = 1, .kernelCache = ""});
  session.run(program.initializer());
  const std::vector<Feed> feeds = {{x, FeedValue(batch, {3, 2})}};
  int moved = 0;
  auto expectMoved = [&](const std::vector<Fetch> &fetches, bool moves) {
    std::vector<Array> found = session.run(fetches, feeds);
    moved += moves;
    double mean = 3 * (1 - std::pow(0.99, moved));
    EXPECT_NEAR(session.run(model[0]).at(0), mean, 1e-6);
    return found;
  };
  std::vector<float> expected = normalize({3, 1}, {14.0 / 3, 2});
  expectNear(expectMoved({y}, false)[0].to<float>(), expected);
  expectMoved({layer.testFprop(x)}, false);
  expectNear(expectMoved({tied}, true)[0].to<float>(), expected);
  expectMoved({y, updates[0], updates[1]}, true);
  expectMoved({y}, false);
  // A training step includes the updates, as it does in functions.
  expectMoved({step}, true);
}

TEST(BatchNormalizationTest, MovesItsAveragesOnceForEachPlace) {
  Program program("test");
  Tensor x = program.input("x", f32, {dim("n"), 2});
  BatchNormalization layer({.momentum = 0.5});
  Tensor first = layer.trainFprop(x);
  Tensor second = layer.trainFprop(10.0 * x);
  program.function("both", {.inputs = {x}, .outputs = {{"y", first + second}}});
  program.function("second", {.inputs = {x}, .outputs = {{"y", second}}});
  Context context = makeContext(program);
  const char *mean = "test/BatchNormalization_1/moving_mean";
  run(context, "both");
  expectNear(context.get<float>(mean), {0.5f * 1.5f + 15, 0.5f * 0.5f + 5});
  context.init(1);
  run(context, "second");
  expectNear(context.get<float>(mean), {15, 5});
}

TEST(BatchNormalizationTest, TestsWithItsAverages) {
  BatchNormalizationOptions options;
  options.meanInitializer = values({1, 2});
  options.varianceInitializer = values({4, 9});
  options.gammaInitializer = values({2, 2});
  options.betaInitializer = values({0, 5});
  Context context = makeContext(Normalized(options).program);
  std::vector<float> expected = normalize({1, 2}, {4, 9});
  for (size_t i = 0; i < expected.size(); ++i)
    expected[i] = 2 * expected[i] + (i % 2 ? 5 : 0);
  expectNear(run(context, "test"), expected);
}

TEST(BatchNormalizationTest, TakesAnyRankAndAxis) {
  // Two images of two channels of 2 x 1. The values 1, 2, 5, 6 of the first
  // channel and 11, 12, 15, 16 of the second have the means 3.5 and 13.5 and
  // the variance 4.25.
  Given<float> images = {{1, 2, 11, 12, 5, 6, 15, 16}, {2, 2, 2, 1}};
  Answer<float> y = apply(BatchNormalization({.axis = 1}), images, Mode::train);
  double scale = 1 / std::sqrt(4.25 + 1e-3);
  std::vector<float> expected;
  for (double difference : {-2.5, -1.5, -2.5, -1.5, 1.5, 2.5, 1.5, 2.5})
    expected.push_back(difference * scale);
  expectNear(y.elements, expected);
  EXPECT_EQ(y.shape, images.shape);
  // The same images with the channels last.
  images = {{1, 11, 2, 12, 5, 15, 6, 16}, {2, 2, 2}};
  y = apply(BatchNormalization(), images, Mode::train);
  std::swap(expected[1], expected[2]);
  std::swap(expected[5], expected[6]);
  expectNear(y.elements, expected);
}

TEST(BatchNormalizationTest, FusedSaysWhichVarianceMoves) {
  // Three values with the biased variances 14/3 and 2.
  for (auto [fused, factor] :
       {std::pair(std::optional<bool>(), 1.0), {true, 1.5}, {false, 1.0}}) {
    Context context =
        makeContext(Normalized({.momentum = 0, .fused = fused}).program);
    expectNear(run(context, "train"), normalize({3, 1}, {14.0 / 3, 2}));
    expectNear(context.get<float>("test/BatchNormalization_1/moving_variance"),
               {float(14.0 / 3 * factor), float(2 * factor)});
  }
  // Images use the unbiased variance unless `fused` is false.
  Program program("test");
  Tensor x = program.input("x", f32, {1, 2, 2, 1});
  Tensor y = BatchNormalization({.momentum = 0, .fused = false}).trainFprop(x);
  program.function("train", {.inputs = {x}, .outputs = {{"y", y}}});
  Context context = makeContext(program);
  context.run("train", {{"x", std::vector<float>{1, 2, 3, 4}}});
  expectNear(context.get<float>("test/BatchNormalization_1/moving_variance"),
             {1.25f});
}

TEST(BatchNormalizationTest, MovesTheUnbiasedVarianceOfImages) {
  // The numbers 1 to 4 in one channel: biased variance 1.25, unbiased 5 / 3.
  std::vector<float> numbers = {1, 2, 3, 4};
  for (bool isImage : {true, false}) {
    Program program("test");
    Tensor x = program.input(
        "x", f32, isImage ? Shape{dim("n"), 2, 1, 1} : Shape{dim("n"), 2, 1});
    BatchNormalization layer({.momentum = 0.5});
    program.function("train",
                     {.inputs = {x}, .outputs = {{"y", layer.trainFprop(x)}}});
    Context context = makeContext(program);
    context.run("train", {{"x", numbers}});
    expectNear(context.get<float>("test/BatchNormalization_1/moving_variance"),
               {0.5f + 0.5f * (isImage ? 5.f / 3 : 1.25f)});
  }
}

TEST(BatchNormalizationTest, GoesWithoutCenterAndScale) {
  Normalized network({.center = false, .scale = false});
  EXPECT_EQ(network.program.parameterCount(), 0);
  Context context = makeContext(network.program);
  expectNear(run(context, "train"), normalize({3, 1}, {14.0 / 3, 2}));
}

TEST(BatchNormalizationTest, RefusesVectorsAndUnknownChannels) {
  Program program("test");
  Tensor row = program.input("row", f32, {2});
  Tensor open = program.input("open", f32, {2, dim("d")});
  EXPECT_EQ(
      errorOf([&] { BatchNormalization().trainFprop(row); }),
      "'BatchNormalization_1': expected an input of rank 2 or more, found [2]");
  EXPECT_EQ(
      errorOf([&] { BatchNormalization().trainFprop(open); }),
      "'BatchNormalization_2': expected dim -1 of shape [2, d] to be known");
}

TEST(BatchNormalizationTest, TrainsGammaAndBetaEachInItsWay) {
  Program program("test");
  Tensor x = program.input("x", f32, {dim("n"), 2});
  BatchNormalization layer({.betaInitializer = values({3, -4}),
                            .gammaInitializer = values({2, 1}),
                            .betaVariable = {.regularizer = l1Regularizer(0.5)},
                            .gammaVariable = {.regularizer = l2Regularizer(1),
                                              .constraint = nonNegative()}});
  // Only the penalties have a gradient.
  Tensor loss =
      0.0 * reduceSum(layer.trainFprop(x)) + regularization(layer.variables());
  program.function("train",
                   {.inputs = {x},
                    .outputs = {{"y", loss}},
                    .updates = SGD({.learningRate = 2}).minimize(loss)});
  Context context = makeContext(program);
  expectNear(run(context, "train"), {0.5f * 7 + 0.5f * 5});
  // 2 - 2 · 2 and 1 - 2 · 1 are negative and are constrained to 0.
  expectNear(context.get<float>("test/BatchNormalization_1/gamma"), {0, 0});
  expectNear(context.get<float>("test/BatchNormalization_1/beta"), {2, -3});

  Normalized fixed({.gammaVariable = {.trainable = false}});
  EXPECT_EQ(fixed.program.parameterCount(), 2);
}
