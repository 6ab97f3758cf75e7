//===- FirstWeightsTest.cpp - initial values of weights -------------------===//
#include "OneLayer.h"

using namespace tg;
using namespace tg::test;

/// Returns the mean square of the initial values of a variable that a layer
/// creates for an input of this shape: the one called `name`, or the first one.
static double varianceOf(Layer layer, const Shape &shape,
                         const std::string &name = "") {
  ExecutionScope eager(true);
  Program program("test");
  (void)layer->fprop({program.constant(1, f32, shape)}, Mode::test);
  for (const Variable &variable : layer->variables()) {
    if (!name.empty() && !variable.name().ends_with("/" + name))
      continue;
    Tensor value = variable;
    return reduceMean(square(value)).item();
  }
  ADD_FAILURE() << "no variable " << name;
  return 0;
}

static void expectRatio(double found, double expected) {
  EXPECT_NEAR(found / expected, 1, 0.1);
}

TEST(FirstWeightsTest, FansAreThoseOfTheLastExtents) {
  Fans fans = fansOf({3, 3, 16, 32});
  EXPECT_EQ(fans.in, 9 * 16);
  EXPECT_EQ(fans.out, 9 * 32);
  EXPECT_EQ(fansOf({5}).in, 5);
  EXPECT_EQ(fansOf({5}).out, 5);
}

TEST(FirstWeightsTest, RectifiersAreKnownAsFunctionsAndByName) {
  for (Activation even : {Activation(), Activation("linear"), Activation(tanh),
                          Activation("selu"), Activation("softmax")})
    EXPECT_FALSE(even.isRectifier());
  for (Activation rectifier :
       {Activation(relu), Activation(silu), Activation(mish),
        Activation("hardSwish"), Activation("leakyRelu")})
    EXPECT_TRUE(rectifier.isRectifier());
}

TEST(FirstWeightsTest, OfLinearFollowTheFans) {
  // Glorot: 2 / (100 + 60); He: 2 / 100.
  Shape rows = {1, 100};
  expectRatio(varianceOf(Linear({.units = 60}), rows), 2. / 160);
  for (Activation even : {Activation("tanh"), Activation(sigmoid),
                          Activation([](Tensor x) { return relu(x); })})
    expectRatio(varianceOf(Linear({.units = 60, .activation = even}), rows),
                2. / 160);
  for (Activation rectifier :
       {Activation(relu), Activation("relu"), Activation("leakyRelu"),
        Activation(relu6), Activation("elu"), Activation(gelu)})
    expectRatio(
        varianceOf(Linear({.units = 60, .activation = rectifier}), rows),
        2. / 100);
  expectRatio(varianceOf(Linear({.units = 60,
                                 .activation = relu,
                                 .weightInitializer = normal({.stddev = 0.1})}),
                         rows),
              0.01);
}

TEST(FirstWeightsTest, OfConvolutionsFollowTheFans) {
  // A window of 9 taps with 16 channels each, or with 8 channels in 2 groups.
  Shape image = {1, 4, 4, 16};
  expectRatio(varianceOf(Conv2D({.filters = 32}), image), 2. / (9 * 48));
  expectRatio(varianceOf(Conv2D({.filters = 32, .activation = relu}), image),
              2. / (9 * 16));
  expectRatio(
      varianceOf(Conv2D({.filters = 32, .groups = 2, .activation = relu}),
                 image),
      2. / (9 * 8));
  expectRatio(
      varianceOf(AtrousConv2D({.filters = 32, .activation = relu}), image),
      2. / (9 * 16));
  expectRatio(varianceOf(Conv1D({.filters = 64}), {1, 4, 32}), 2. / (3 * 96));
  expectRatio(varianceOf(Conv3D({.filters = 16}), {1, 3, 3, 3, 8}),
              2. / (27 * 24));
}

TEST(FirstWeightsTest, OfTransposedConvolutionsCountTheChannelsTheyRead) {
  Shape image = {1, 2, 2, 16};
  expectRatio(varianceOf(Conv2DTranspose({.filters = 32}), image),
              2. / (9 * 48));
  expectRatio(
      varianceOf(Conv2DTranspose({.filters = 32, .activation = relu}), image),
      2. / (9 * 16));
}

TEST(FirstWeightsTest, OfChannelsByThemselvesCountTheWindow) {
  Shape image = {1, 4, 4, 128};
  expectRatio(varianceOf(DepthwiseConv2D({.multiplier = 3}), image),
              2. / (9 + 27));
  expectRatio(
      varianceOf(DepthwiseConv2D({.multiplier = 3, .activation = relu}), image),
      2. / 9);
  SeparableConv2D separable(
      {.filters = 64, .multiplier = 3, .activation = relu});
  expectRatio(varianceOf(separable, image, "depthwise"), 2. / (9 + 27));
  expectRatio(varianceOf(separable, image, "pointwise"), 2. / (3 * 128));
}

TEST(FirstWeightsTest, OfAttentionAndRecurrentLayersAreGlorots) {
  Shape rows = {1, 2, 64};
  MultiHeadAttention heads({.heads = 2, .headSize = 48});
  expectRatio(varianceOf(heads, rows, "query_weight"), 2. / (64 + 96));
  expectRatio(varianceOf(heads, rows, "output_weight"), 2. / (96 + 64));
  expectRatio(varianceOf(GRU({.units = 32}), rows, "weight"), 2. / (96 + 96));
}

/// Models have the initial values of TensorGraph.
TEST(FirstWeightsTest, OfModelsAreTensorGraphs) {
  DenseBlock block({.growthRate = 32, .layers = 1});
  expectRatio(varianceOf(block, {1, 4, 4, 16}, "filter"), 0.01);
  models::MyDenseNet network({.classes = 64});
  expectRatio(varianceOf(network, {1, 12, 12, 1}, "Linear_1/weight"), 0.01);
}
