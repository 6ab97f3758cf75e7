//===- NormalizationTest.cpp - layers that bring values to a scale --------===//
#include "OneLayer.h"

#include <cmath>

using namespace tg;
using namespace tg::test;

namespace {
/// A batch normalization of two channels with a training step and a test.
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

/// (x - mean) / sqrt(variance + 0.001) per column of the batch.
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

TEST(BatchNormalizationTest, MovesItsAveragesOnceForEachPlace) {
  Program program("test");
  Tensor x = program.input("x", f32, {dim("n"), 2});
  BatchNormalization layer({.momentum = 0.5});
  Tensor first = layer.trainFprop(x), second = layer.trainFprop(10.0 * x);
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
  // Two images of two channels of 2 x 1; the channels have 1, 2, 5, 6 less than
  // their means of 3.5 and 13.5 and the variance 4.25.
  Given<float> images = {{1, 2, 11, 12, 5, 6, 15, 16}, {2, 2, 2, 1}};
  Answer<float> y = apply(BatchNormalization({.axis = 1}), images, Mode::train);
  double scale = 1 / std::sqrt(4.25 + 1e-3);
  std::vector<float> expected;
  for (double difference : {-2.5, -1.5, -2.5, -1.5, 1.5, 2.5, 1.5, 2.5})
    expected.push_back(difference * scale);
  expectNear(y.elements, expected);
  EXPECT_EQ(y.shape, images.shape);
  // The same with the channels last.
  images = {{1, 11, 2, 12, 5, 15, 6, 16}, {2, 2, 2}};
  y = apply(BatchNormalization(), images, Mode::train);
  std::swap(expected[1], expected[2]);
  std::swap(expected[5], expected[6]);
  expectNear(y.elements, expected);
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
  EXPECT_EQ(errorOf([&] { BatchNormalization().trainFprop(row); }),
            "expected an input of rank 2 or more, found [2]");
  EXPECT_EQ(errorOf([&] { BatchNormalization().trainFprop(open); }),
            "expected dim -1 of shape [2, d] to be known");
}

TEST(L2NormalizeTest, DividesByTheLength) {
  Answer<float> y = apply(L2Normalize(), {{3, 4, 0, 0}, {2, 2}});
  expectNear(y.elements, {0.6f, 0.8f, 0, 0});
}

//===-- Moments of examples
//------------------------------------------------===//

// Two examples of two places and four channels. What PyTorch 2 makes of them
// (nn.LayerNorm, nn.GroupNorm, nn.InstanceNorm1d, nn.RMSNorm, with the channels
// moved to where each wants them).
static const Given<float> examples = {
    {1, 2, 3, 6, 0, -1, 4, 2, 2, 2, 0, -4, 5, 1, 1, 3}, {2, 2, 4}};

TEST(LayerNormalizationTest, NormalizesTheLastAxisOrSeveral) {
  expectNear(apply(LayerNormalization(), examples).elements,
             {-1.069043f, -0.534522f, 0.0f, 1.603565f, -0.650944f, -1.171699f,
              1.432076f, 0.390566f, 0.816496f, 0.816496f, 0.0f, -1.632992f,
              1.507554f, -0.904532f, -0.904532f, 0.301511f});
  LayerNormalization both({.axes = {1, 2}});
  expectNear(apply(both, examples).elements,
             {-0.538815f, -0.059868f, 0.419079f, 1.855919f, -1.017762f,
              -1.496709f, 0.898026f, -0.059868f, 0.307793f, 0.307793f,
              -0.512989f, -2.154553f, 1.538966f, -0.102598f, -0.102598f,
              0.718184f});
  ASSERT_EQ(both.variables().size(), 2u);
  EXPECT_EQ(toString(both.variables()[0].shape()), "[2, 4]");
  EXPECT_EQ(both.variables()[1].name(), "test/LayerNormalization_1/beta");
}

TEST(GroupNormalizationTest, NormalizesNeighbouringChannels) {
  GroupNormalization layer({.groups = 2});
  expectNear(apply(layer, examples).elements,
             {0.447212f, 1.341635f, -0.507091f, 1.521274f, -0.447212f,
              -1.341635f, 0.16903f, -1.183213f, -0.333333f, -0.333333f, 0.0f,
              -1.568928f, 1.666663f, -0.999998f, 0.392232f, 1.176696f});
  EXPECT_EQ(toString(layer.variables()[0].shape()), "[4]");
  EXPECT_EQ(errorOf([] { apply(GroupNormalization(), examples); }),
            "expected a number of groups that divides the number of channels "
            "(4), found 32");
}

TEST(InstanceNormalizationTest, NormalizesEachChannel) {
  expectNear(apply(InstanceNormalization({.center = false}), examples).elements,
             {0.99998f, 0.999998f, -0.99998f, 0.999999f, -0.99998f, -0.999998f,
              0.99998f, -0.999999f, -0.999998f, 0.99998f, -0.99998f, -1.0f,
              0.999998f, -0.99998f, 0.99998f, 1.0f});
  EXPECT_EQ(errorOf([] {
              apply(InstanceNormalization(), {{1, 2}, {1, 2}});
            }),
            "expected places of which a channel has moments, [n, ..., c], "
            "found [n, 2]");
}

TEST(RmsNormalizationTest, DividesByTheRootOfTheMeanSquare) {
  RmsNormalization layer;
  expectNear(apply(layer, examples).elements,
             {0.282843f, 0.565685f, 0.848528f, 1.697056f, 0.0f, -0.436436f,
              1.745743f, 0.872871f, 0.816497f, 0.816497f, 0.0f, -1.632993f,
              1.666667f, 0.333333f, 0.333333f, 1.0f});
  ASSERT_EQ(layer.variables().size(), 1u);
  EXPECT_EQ(layer.variables()[0].name(), "test/RmsNormalization_1/gamma");
}
