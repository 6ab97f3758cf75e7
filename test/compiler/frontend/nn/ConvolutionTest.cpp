//===- ConvolutionTest.cpp - convolution layers ---------------------------===//
#include "OneLayer.h"

#include <numeric>

using namespace tg;
using namespace tg::test;

/// Returns the numbers 1, 2, … in a shape.
static Given<float> counted(std::vector<int64_t> shape) {
  int64_t size = std::accumulate(shape.begin(), shape.end(), int64_t(1),
                                 std::multiplies<int64_t>());
  std::vector<float> elements(size);
  std::iota(elements.begin(), elements.end(), 1.0f);
  return {elements, shape};
}

/// Returns the shape of a layer's output.
static std::vector<int64_t> shapeOf(const Layer &layer,
                                    std::vector<int64_t> shape) {
  return apply(layer, counted(std::move(shape))).shape;
}

using Extents = std::vector<int64_t>;

TEST(ConvolutionTest, MultipliesAddsAndActivates) {
  Conv2D layer({.filters = 2,
                .kernelSize = {1, 2},
                .activation = relu,
                .weightInitializer = values({1, -1, 10, -10}),
                .biasInitializer = values({0.5, 40})});
  Answer<float> y = apply(layer, counted({1, 2, 3, 1}));
  EXPECT_EQ(y.shape, (Extents{1, 2, 2, 2}));
  expectNear(y.elements, {21.5f, 19, 32.5f, 8, 54.5f, 0, 65.5f, 0});
}

TEST(ConvolutionTest, HasTheShapesOfItsOptions) {
  EXPECT_EQ(shapeOf(Conv1D({.filters = 4, .strides = {2}}), {2, 9, 3}),
            (Extents{2, 4, 4}));
  EXPECT_EQ(
      shapeOf(Conv2D({.filters = 4, .padding = Padding::same}), {2, 5, 6, 3}),
      (Extents{2, 5, 6, 4}));
  EXPECT_EQ(shapeOf(Conv2D({.filters = 4,
                            .kernelSize = {5, 3},
                            .strides = {2, 1},
                            .padding = {{1, 2}, {0, 0}}}),
                    {2, 8, 6, 3}),
            (Extents{2, 4, 4, 4}));
  EXPECT_EQ(shapeOf(Conv2D({.filters = 4, .dilations = {1, 2}, .groups = 2}),
                    {2, 5, 6, 6}),
            (Extents{2, 3, 2, 4}));
  EXPECT_EQ(
      shapeOf(Conv3D({.filters = 2, .kernelSize = {1, 2, 3}}), {1, 3, 3, 3, 2}),
      (Extents{1, 3, 2, 1, 2}));
  // A window of 5 taps with dilation 2: 100 - 8.
  EXPECT_EQ(shapeOf(AtrousConv2D({.filters = 1, .rate = 2, .kernelSize = {5}}),
                    {1, 100, 9, 1}),
            (Extents{1, 92, 1, 1}));
  EXPECT_EQ(
      shapeOf(AtrousConv2D({.filters = 1, .rate = 3, .padding = Padding::same}),
              {1, 7, 5, 2}),
      (Extents{1, 7, 5, 1}));
  EXPECT_EQ(
      shapeOf(DepthwiseConv2D({.multiplier = 3, .strides = {2}}), {1, 5, 7, 4}),
      (Extents{1, 2, 3, 12}));
  EXPECT_EQ(
      shapeOf(SeparableConv2D(
                  {.filters = 5, .multiplier = 2, .padding = Padding::same}),
              {1, 4, 4, 3}),
      (Extents{1, 4, 4, 5}));
}

TEST(ConvolutionTest, TransposedHasTheShapesOfItsOptions) {
  EXPECT_EQ(
      shapeOf(Conv2DTranspose({.filters = 4, .strides = {2}}), {2, 3, 5, 2}),
      (Extents{2, 8, 12, 4}));
  EXPECT_EQ(shapeOf(Conv2DTranspose({.filters = 4,
                                     .strides = {2},
                                     .size = TransposedSize::keras}),
                    {2, 3, 5, 2}),
            (Extents{2, 7, 11, 4}));
  EXPECT_EQ(shapeOf(Conv2DTranspose({.filters = 4,
                                     .kernelSize = {2},
                                     .strides = {2},
                                     .padding = Padding::same}),
                    {2, 3, 5, 2}),
            (Extents{2, 6, 10, 4}));
  EXPECT_EQ(shapeOf(Conv2DTranspose({.filters = 4,
                                     .strides = {2},
                                     .padding = Padding::same,
                                     .outputSizes = {5, 9}}),
                    {2, 3, 5, 2}),
            (Extents{2, 5, 9, 4}));
  EXPECT_EQ(shapeOf(Conv3DTranspose({.filters = 2,
                                     .kernelSize = {1, 2, 2},
                                     .strides = {1, 2, 2},
                                     .padding = Padding::same}),
                    {1, 3, 2, 2, 1}),
            (Extents{1, 3, 4, 4, 2}));
}

TEST(ConvolutionTest, TakesEachChannelByItself) {
  DepthwiseConv2D layer(
      {.multiplier = 2,
       .kernelSize = {2, 1},
       .weightInitializer = values({1, 2, 3, 4, 10, 20, 30, 40}),
       .biasInitializer = values({0, 0, 0, 0.5})});
  expectNear(apply(layer, counted({1, 2, 1, 2})).elements,
             {31, 62, 126, 168.5f});
  SeparableConv2D sums(
      {.filters = 1,
       .multiplier = 2,
       .kernelSize = {2, 1},
       .depthwiseInitializer = values({1, 2, 3, 4, 10, 20, 30, 40}),
       .pointwiseInitializer = values({1, 1, 1, -1}),
       .biasInitializer = values({0.5})});
  expectNear(apply(sums, counted({1, 2, 1, 2})).elements, {51.5f});
}

TEST(ConvolutionTest, MakesItsVariables) {
  Program program("p");
  Tensor x = program.input("x", f32, {dim("n"), 9, 9, 4});
  Conv2D conv({.filters = 6, .groups = 2});
  Conv2D plain({.filters = 6, .useBias = false});
  DepthwiseConv2D depthwise({.multiplier = 2});
  SeparableConv2D separable({.filters = 5, .multiplier = 2});
  Conv2DTranspose transposed({.filters = 3});
  std::vector<std::string> found;
  for (Layer layer :
       std::vector<Layer>{conv, plain, depthwise, separable, transposed}) {
    layer(x);
    for (const Variable &variable : layer->variables())
      found.push_back(variable.name() + " " + toString(variable.shape()));
  }
  EXPECT_EQ(found, (std::vector<std::string>{
                       "p/Conv2D_1/filter [3, 3, 2, 6]", "p/Conv2D_1/bias [6]",
                       "p/Conv2D_2/filter [3, 3, 4, 6]",
                       "p/DepthwiseConv2D_1/filter [3, 3, 4, 2]",
                       "p/DepthwiseConv2D_1/bias [8]",
                       "p/SeparableConv2D_1/depthwise [3, 3, 4, 2]",
                       "p/SeparableConv2D_1/pointwise [1, 1, 8, 5]",
                       "p/SeparableConv2D_1/bias [5]",
                       "p/Conv2DTranspose_1/filter [3, 3, 3, 4]",
                       "p/Conv2DTranspose_1/bias [3]"}));
}

TEST(ConvolutionTest, UsesGivenVariables) {
  Program program("p");
  Tensor x = program.input("x", f32, {dim("n"), 9, 9, 2});
  Variable filter = program.variable("filter", f32, {3, 3, 2, 4}, ones());
  Variable pointwise = program.variable("pointwise", f32, {1, 1, 2, 4}, ones());
  Variable depthwise = program.variable("depthwise", f32, {3, 3, 2, 1}, ones());
  Variable bias = program.variable("bias", f32, {4}, zeros());
  Conv2D({.filters = 4, .filter = filter, .bias = bias})(x);
  AtrousConv2D({.filters = 4, .filter = filter, .bias = bias})(x);
  SeparableConv2D separable({.filters = 4,
                             .depthwise = depthwise,
                             .pointwise = pointwise,
                             .bias = bias});
  separable(x);
  DepthwiseConv2D({.useBias = false, .filter = depthwise})(x);
  EXPECT_EQ(program.parameterCount(), 72 + 8 + 18 + 4);
  EXPECT_EQ(separable.variables().size(), 3u);
}

/// One library serves images of every size.
TEST(ConvolutionTest, KnowsNoExtentsButTheChannels) {
  Program program("p");
  Tensor x = program.input("x", f32, {dim("n"), dim("h"), dim("w"), 1});
  Sequential network({Conv2D({.filters = 2,
                              .strides = {2},
                              .padding = Padding::same,
                              .weightInitializer = ones()}),
                      Conv2DTranspose({.filters = 1,
                                       .kernelSize = {2},
                                       .strides = {2},
                                       .padding = Padding::same,
                                       .weightInitializer = ones()})});
  program.function("run",
                   {.inputs = {x}, .outputs = {{"y", network.testFprop(x)}}});
  Context context = makeContext(program);
  for (Extents shape : {Extents{1, 4, 2, 1}, {2, 5, 3, 1}}) {
    Given<float> given = counted(shape);
    const Outputs &found =
        context.run("run", {{"x", Value(given.elements, shape)}});
    std::span<const int64_t> extents = found.shape("y");
    EXPECT_EQ(
        Extents(extents.begin(), extents.end()),
        (Extents{shape[0], (shape[1] + 1) / 2 * 2, (shape[2] + 1) / 2 * 2, 1}));
  }
  Given<float> given = counted({1, 2, 2, 1});
  std::span<const float> y =
      context.run("run", {{"x", Value(given.elements, given.shape)}})
          .values<float>("y");
  // Two channels, each with the sum of all input channels.
  expectNear(std::vector<float>(y.begin(), y.end()), {20, 20, 20, 20});
}

TEST(ConvolutionTest, RefusesOptionsAtItsLine) {
  auto expect = [](ConvolutionOptions options, const char *message) {
    EXPECT_EQ(errorOf([&] { Conv2D layer(options); }), message);
  };
  expect({}, "expected at least 1 filter, found 0");
  expect({.filters = 1, .kernelSize = {}, .name = "stem"},
         "'stem': expected a kernel size of 1 or 2 numbers, found 0");
  expect({.filters = 1, .kernelSize = {3, 0}},
         "expected a kernel size of at least 1, found 0");
  expect({.filters = 1, .strides = {0}},
         "expected strides of at least 1, found 0");
  expect({.filters = 1, .dilations = {1, -2}},
         "expected dilations of at least 1, found -2");
  expect({.filters = 1, .padding = {{0, 1}, {2, -3}}},
         "expected padding of at least 0, found -3");
  expect({.filters = 1, .padding = {{0, 1}, {2, 3}, {1, 1}}},
         "expected padding for 1 or 2 dimensions, found 3");
  expect({.filters = 4, .groups = 0},
         "expected groups that divide the 4 filters, found 0");
  expect({.filters = 4, .groups = 3},
         "expected groups that divide the 4 filters, found 3");
  EXPECT_EQ(errorOf([] { AtrousConv2D({.filters = 1, .rate = 0}); }),
            "expected dilations of at least 1, found 0");
  EXPECT_EQ(errorOf([] { DepthwiseConv2D({.multiplier = 0}); }),
            "expected at least 1 filter, found 0");
  EXPECT_EQ(errorOf([] { SeparableConv2D({.filters = 1, .multiplier = 0}); }),
            "expected a multiplier of at least 1, found 0");
}

TEST(ConvolutionTest, RefusesOtherInputs) {
  Program program("p");
  Tensor x = program.input("x", f32, {dim("n"), 2, 9, 3});
  Tensor open = program.input("open", f32, {dim("n"), 2, 9, dim("c")});
  EXPECT_EQ(errorOf([&] { Conv1D({.filters = 1})(x); }),
            "'Conv1D_1': expected an input of rank 3 with known channels last, "
            "found [n, "
            "2, 9, 3]");
  EXPECT_EQ(errorOf([&] { Conv2D({.filters = 1})(open); }),
            "'Conv2D_1': expected an input of rank 4 with known channels last, "
            "found [n, "
            "2, 9, c]");
  EXPECT_EQ(errorOf([&] { Conv2D({.filters = 4, .groups = 2})(x); }),
            "'Conv2D_2': expected groups that divide the 3 channels of the "
            "input, found 2");
  // An error that the operation reports carries the name of the layer.
  EXPECT_EQ(errorOf([&] { Conv2D({.filters = 1, .name = "stem"})(x); }),
            "'stem': 'tg.conv' op expected input dim 1 to hold a window that "
            "spans 3 elements, found 2 with pads [C7]");
}
