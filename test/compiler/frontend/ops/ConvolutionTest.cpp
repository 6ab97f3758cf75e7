// Tests convolutions and their extents, static and dynamic.
#include "../Evaluator.h"
#include "tg/tg.h"

#include <functional>
#include <gtest/gtest.h>
#include <numeric>

using namespace tg;

namespace {
using Numbers = std::vector<double>;
using Function = std::function<Tensor(Program &, Tensor)>;

Numbers count(int64_t size) {
  Numbers numbers(size);
  std::iota(numbers.begin(), numbers.end(), 1);
  return numbers;
}

/// Returns the results of a function for 1, 2, … in a shape. If `isOpen`, all
/// extents but the last are dynamic.
Elements on(const Function &function, std::vector<int64_t> extents,
            bool isOpen) {
  Program program("p");
  Shape shape(extents.begin(), extents.end());
  for (size_t axis = 0; isOpen && axis + 1 < shape.size(); ++axis)
    shape[axis] = dim("d" + std::to_string(axis));
  Tensor x = program.input("x", f32, shape);
  program.function("f",
                   {.inputs = {x}, .outputs = {{"y", function(program, x)}}});
  Evaluator evaluator(program.text());
  int64_t size = std::accumulate(extents.begin(), extents.end(), int64_t(1),
                                 std::multiplies<int64_t>());
  std::vector<Elements> outputs =
      evaluator.run("f", {{count(size), extents, f32}});
  EXPECT_EQ(evaluator.error(), "");
  return outputs.empty() ? Elements() : outputs[0];
}

/// Expects the elements and the shape.
void expectOn(const Function &function, const std::vector<int64_t> &extents,
              const Numbers &expected, const std::vector<int64_t> &shape) {
  for (bool isOpen : {false, true}) {
    Elements found = on(function, extents, isOpen);
    EXPECT_EQ(found.values, expected);
    EXPECT_EQ(found.shape, shape);
  }
}

/// Expects the shape.
void expectShape(const Function &function, const std::vector<int64_t> &extents,
                 const std::vector<int64_t> &shape) {
  for (bool isOpen : {false, true})
    EXPECT_EQ(on(function, extents, isOpen).shape, shape);
}

/// Returns a filter of ones.
Tensor onesOf(Program &program, const Shape &shape) {
  return program.ones(shape);
}

/// Returns the message and the line of an error.
std::string errorOf(const std::function<void()> &function) {
  try {
    function();
  } catch (const GraphError &error) {
    EXPECT_NE(error.file.find("ConvolutionTest.cpp"), std::string::npos);
    EXPECT_NE(error.line, 0u);
    return error.message;
  }
  return "";
}

/// The extent calculators agree with the ops.
TEST(WindowExtents, areThoseOfTheOps) {
  using Extents = std::vector<int64_t>;
  EXPECT_EQ(convolvedExtents({28, 28}, {.window = {3}, .strides = {2}}),
            (Extents{13, 13}));
  for (int64_t kernel : {1, 2, 3, 5})
    for (int64_t stride : {1, 2, 3})
      for (int64_t dilation : {1, 2})
        for (const Padding &padding :
             {Padding(Padding::valid), Padding(Padding::same),
              Padding({{1, 0}, {0, 2}})}) {
          PoolOptions windows = {{kernel, 2}, {stride}, {dilation}, padding};
          Program program("p");
          Tensor image = program.zeros({1, 11, 12, 1});
          Tensor filter = program.zeros({kernel, 2, 1, 1});
          Tensor y = conv2d(image, filter,
                            {.strides = windows.strides,
                             .dilations = windows.dilations,
                             .padding = padding});
          Extents found = convolvedExtents({11, 12}, windows);
          EXPECT_EQ(toString(y.shape()),
                    toString(Shape{1, found[0], found[1], 1}));
          for (TransposedSize size :
               {TransposedSize::greatest, TransposedSize::keras}) {
            Tensor z = convTranspose2d(image, filter,
                                       {.strides = windows.strides,
                                        .dilations = windows.dilations,
                                        .padding = padding,
                                        .size = size});
            found = transposedExtents({11, 12}, windows, size);
            EXPECT_EQ(toString(z.shape()),
                      toString(Shape{1, found[0], found[1], 1}))
                << kernel << stride << dilation;
          }
        }
  EXPECT_EQ(convolvedExtents(
                {7}, {.window = {3}, .strides = {2}, .padding = Padding::same}),
            (Extents{4}));
}

TEST(WindowExtents, refusesWhatDoesNotFit) {
  auto errorOf = [](const std::vector<int64_t> &extents,
                    const PoolOptions &options) -> std::string {
    try {
      convolvedExtents(extents, options);
    } catch (const GraphError &error) {
      return error.message;
    }
    return "";
  };
  EXPECT_EQ(errorOf({4, 2}, {.window = {3}}),
            "expected windows that reach over at most 2 elements, found 3");
  EXPECT_EQ(errorOf({4, 4}, {.window = {3, 3, 3}}),
            "expected .window of 1 or more, one for each of 2 dimensions or "
            "one for all, found [3, 3, 3]");
  EXPECT_EQ(errorOf({4}, {.window = {3}, .strides = {0}}),
            "expected .strides of 1 or more, one for each of 1 dimensions or "
            "one for all, found [0]");
}
} // namespace

TEST(Convolution, ofOneDimension) {
  auto filter = [](Program &p) { return p.constant({1, 10}, f32, {2, 1, 1}); };
  expectOn([&](Program &p, Tensor x) { return conv1d(x, filter(p)); },
           {1, 4, 1}, {21, 32, 43}, {1, 3, 1});
  expectOn(
      [&](Program &p, Tensor x) {
        return conv1d(x, filter(p), {.padding = Padding::same});
      },
      {1, 4, 1}, {21, 32, 43, 4}, {1, 4, 1});
  expectOn(
      [&](Program &p, Tensor x) {
        return conv1d(x, filter(p),
                      {.strides = {2}, .dilations = {2}, .padding = {{1, 1}}});
      },
      {1, 4, 1}, {20, 42}, {1, 2, 1});
}

TEST(Convolution, ofMoreDimensions) {
  expectOn(
      [](Program &p, Tensor x) {
        return conv2d(x, p.constant({1, 10, 100, 1000}, f32, {2, 2, 1, 1}));
      },
      {1, 2, 3, 1}, {5421, 6532}, {1, 1, 2, 1});
  expectOn(
      [](Program &p, Tensor x) {
        return conv2d(x, onesOf(p, {1, 1, 2, 2}),
                      {.strides = {2, 1}, .groups = 2});
      },
      {1, 3, 1, 2 * 2}, {3, 3 + 4, 19, 23}, {1, 2, 1, 2});
  expectShape(
      [](Program &p, Tensor x) {
        return conv2d(x, onesOf(p, {3, 2, 2, 5}),
                      {.padding = {{1, 1}, {0, 2}}});
      },
      {2, 4, 5, 2}, {2, 4, 6, 5});
  expectOn(
      [](Program &p, Tensor x) {
        return conv3d(x, p.constant({1, 10}, f32, {2, 1, 1, 1, 1}));
      },
      {1, 2, 1, 2, 1}, {31, 42}, {1, 1, 1, 2, 1});
}

TEST(Convolution, ofEachChannel) {
  // Channels 1 2 and 3 4, with two filters each.
  expectOn(
      [](Program &p, Tensor x) {
        return depthwiseConv2d(
            x, p.constant({1, 2, 3, 4, 10, 20, 30, 40}, f32, {2, 1, 2, 2}));
      },
      {1, 2, 1, 2}, {31, 62, 126, 168}, {1, 1, 1, 4});
  expectOn(
      [](Program &p, Tensor x) {
        return separableConv2d(
            x, p.constant({1, 2, 3, 4, 10, 20, 30, 40}, f32, {2, 1, 2, 2}),
            p.constant({1, 0, 0, 1, 1, 0, 0, 1}, f32, {1, 1, 4, 2}));
      },
      {1, 2, 1, 2}, {157, 230}, {1, 1, 1, 2});
  expectShape(
      [](Program &p, Tensor x) {
        return depthwiseConv2d(
            x, onesOf(p, {3, 3, 3, 2}),
            {.strides = {2}, .dilations = {2}, .padding = Padding::same});
      },
      {2, 7, 6, 3}, {2, 4, 3, 6});
}

TEST(ConvolutionTranspose, isTheAdjoint) {
  Numbers weights = {1, 10, 100};
  auto up = [&](ConvTransposeOptions options) {
    options.strides = {1, 2};
    return [=](Program &p, Tensor x) {
      return convTranspose2d(x, p.constant(weights, f32, {1, 3, 1, 1}),
                             options);
    };
  };
  std::vector<int64_t> row = {1, 1, 2, 1};
  expectOn(up({}), row, {1, 10, 102, 20, 200, 0}, {1, 1, 6, 1});
  expectOn(up({.size = TransposedSize::keras}), row, {1, 10, 102, 20, 200},
           {1, 1, 5, 1});
  expectOn(up({.padding = Padding::same}), row, {1, 10, 102, 20}, {1, 1, 4, 1});
  expectOn(up({.padding = {{0, 0}, {1, 0}}}), row, {10, 102, 20, 200, 0},
           {1, 1, 5, 1});
  expectOn(up({.padding = Padding::same, .outputSizes = {1, 3}}), row,
           {10, 102, 20}, {1, 1, 3, 1});
}

TEST(ConvolutionTranspose, hasTheExtentsOfTheRules) {
  auto up = [](int64_t size, int64_t stride, ConvTransposeOptions options) {
    options.strides = {stride};
    return [=](Program &p, Tensor x) {
      return convTranspose3d(x, onesOf(p, {size, size, size, 2, 1}), options);
    };
  };
  std::vector<int64_t> cube = {1, 3, 2, 1, 1};
  expectShape(up(3, 2, {}), cube, {1, 8, 6, 4, 2});
  expectShape(up(3, 2, {.size = TransposedSize::keras}), cube, {1, 7, 5, 3, 2});
  expectShape(up(2, 3, {}), cube, {1, 10, 7, 4, 2});
  expectShape(up(2, 3, {.size = TransposedSize::keras}), cube, {1, 9, 6, 3, 2});
  expectShape(up(2, 3, {.padding = Padding::same}), cube, {1, 9, 6, 3, 2});
  expectShape(up(2, 1, {.dilations = {3}}), cube, {1, 6, 5, 4, 2});
}

/// Covers groups, and output sizes taken from another tensor.
TEST(ConvolutionTranspose, takesSizesOfTheRun) {
  Program program("p");
  Tensor small = program.input("small", f32, {1, dim("h"), 2, 4});
  Tensor large = program.input("large", f32, {1, dim("height"), 5, 1});
  Tensor y = convTranspose2d(
      small, onesOf(program, {2, 2, 3, 4}),
      {.strides = {2},
       .groups = 2,
       .outputSizes = {extentOf(large, 1), extentOf(large, 2)}});
  program.function("f", {.inputs = {small, large}, .outputs = {{"y", y}}});
  Evaluator evaluator(program.text());
  auto shapeOf = [&](int64_t height) {
    std::vector<Elements> found =
        evaluator.run("f", {{count(16), {1, 2, 2, 4}, f32},
                            {count(5 * height), {1, height, 5, 1}, f32}});
    return found.empty() ? std::vector<int64_t>() : found[0].shape;
  };
  EXPECT_EQ(shapeOf(4), (std::vector<int64_t>{1, 4, 5, 6}));
  EXPECT_EQ(shapeOf(5), (std::vector<int64_t>{1, 5, 5, 6}));
  EXPECT_TRUE(shapeOf(6).empty());
  EXPECT_EQ(evaluator.error(),
            "'tg.conv_transpose' op expected input dim 1 (2) to equal the "
            "windows over result dim 1 (3) [C8]");
}

TEST(Convolution, refusesWhatDoesNotFit) {
  Program program("p");
  Tensor x = program.input("x", f32, {dim("n"), 2, 8, 4});
  Tensor w = onesOf(program, {3, 3, 4, 6});
  auto expect = [&](const std::function<void()> &function, const char *part) {
    std::string message = errorOf(function);
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  expect([&] { conv1d(x, w); },
         "expected an input [n, w, c], found [n, 2, 8, 4]");
  expect([&] { conv2d(x, 1.0); }, "expected a tensor, found the number");
  expect([&] { conv2d(x, w); },
         "'tg.conv' op expected input dim 1 to hold a window that spans 3 "
         "elements, found 2 with pads [C7]");
  expect([&] { conv2d(x, w, {.strides = {0}}); },
         "expected strides of at least 1, found 0 [C2]");
  expect(
      [&] {
        conv2d(x, w, {.dilations = {1, 2, 3}});
      },
      "expected dilations to have 2 entries, found 3 [C5]");
  expect(
      [&] {
        conv2d(x, w, {.padding = {{1, -1}}});
      },
      "expected pads of at least 0, found -1 [C4]");
  expect([&] { conv2d(x, w, {.groups = 0}); }, "[C3]");
  expect([&] { conv2d(x, w, {.groups = 3}); },
         "expected groups (3) to divide the channels of the input (4) [C3]");
  expect(
      [&] {
        conv2d(cast(w, i32), cast(onesOf(program, {1, 1, 6, 1}), i32));
      },
      "to be a ranked tensor of floats, found");
  expect(
      [&] {
        depthwiseConv2d(x, onesOf(program, {3, 3, 3, 2}));
      },
      "expected a filter [h, w, c, m] for the known channels c of an input "
      "[n, h, w, c], found [3, 3, 3, 2] for [n, 2, 8, 4]");
  Tensor v = onesOf(program, {3, 3, 6, 4});
  expect([&] { convTranspose2d(x, v, {.strides = {int64_t(1) << 62}}); },
         "expected an output size in [0, 2^63), found 2 · ");
  expect([&] { convTranspose2d(x, v, {.dilations = {int64_t(1) << 62}}); },
         "expected windows that reach over fewer than 2^31 positions");
  expect(
      [&] {
        convTranspose2d(x, v, {.outputSizes = {2.5, 8}});
      },
      "expected an output size that is a whole number of at least 0, found "
      "2.5");
  expect(
      [&] {
        convTranspose2d(x, v, {.outputSizes = {4, 9}});
      },
      "expected input dim 2 (8) to equal the windows over result dim 2 (7) "
      "[C8]");
}
