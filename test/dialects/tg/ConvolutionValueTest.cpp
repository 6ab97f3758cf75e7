//===- ConvolutionValueTest.cpp - values of convolutions ------------------===//
#include "mlir/IR/BuiltinOps.h"
#include "test/dialects/tg/OpHarness.h"
#include <gtest/gtest.h>
#include <numeric>

using namespace tg;
using namespace tg::test;

namespace {

/// A test case: one op on %a and %b.
struct Case {
  std::string op, attributes;
  std::string a, b, result;

  HostTensor evaluate(const HostTensor &left, const HostTensor &right) const {
    OpCase text{op,
                {a, b},
                "%y = tg." + op + " %a, %b {" + attributes + "} : (tensor<" +
                    a + ">, tensor<" + b + ">) -> tensor<" + result + ">",
                result};
    auto module = parseValue(text);
    return run(*module, "value", {left, right})[0];
  }
};

void expectValues(const Case &test, std::vector<double> a,
                  std::vector<double> b, std::vector<double> expected) {
  HostTensor found =
      test.evaluate(makeTensor(test.a, a), makeTensor(test.b, b));
  EXPECT_EQ(numbersOf(found), expected) << test.op << " " << test.attributes;
}

double dot(const HostTensor &a, const HostTensor &b) {
  std::vector<double> x = numbersOf(a);
  std::vector<double> y = numbersOf(b);
  return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
}

} // namespace

/// Weights that are powers of ten show the element that each tap was multiplied
/// by.
TEST(ConvolutionValue, Padding) {
  auto check = [](const std::string &attributes, const std::string &result,
                  std::vector<double> w, std::vector<double> expected) {
    std::string filter = std::to_string(w.size()) + "x1x1xf32";
    expectValues({"conv", attributes, "1x4x1xf32", filter, result},
                 {1, 2, 3, 4}, w, expected);
  };
  check("", "1x3x1xf32", {1, 10}, {21, 32, 43});
  check("padding = \"same\"", "1x4x1xf32", {1, 10}, {21, 32, 43, 4});
  check("padding = \"same\"", "1x4x1xf32", {1, 10, 100}, {210, 321, 432, 43});
  check("padding = \"same\", strides = [2]", "1x2x1xf32", {1, 10, 100},
        {321, 43});
  check("padding = \"same\", strides = [3]", "1x2x1xf32", {1}, {1, 4});
  check("padding = \"explicit\", pads = [2, 0]", "1x5x1xf32", {1, 10},
        {0, 10, 21, 32, 43});
  check("padding = \"explicit\", pads = [1, 2], strides = [2]", "1x3x1xf32",
        {1, 10}, {10, 32, 4});
  check("dilations = [2]", "1x2x1xf32", {1, 10}, {31, 42});
  check("dilations = [3], padding = \"same\"", "1x4x1xf32", {1, 10},
        {30, 41, 2, 3});
}

TEST(ConvolutionValue, Groups) {
  expectValues(
      {"conv", "groups = 2 : i64", "1x2x2xf64", "2x1x2xf64", "1x1x2xf64"},
      {1, 2, 3, 4}, {1, 2, 10, 20}, {31, 84});
  // Output channel i * m + j depends on input channel i.
  expectValues(
      {"conv", "groups = 2 : i64", "1x1x2xf64", "1x1x4xf64", "1x1x4xf64"},
      {3, 5}, {1, 2, 3, 4}, {3, 6, 15, 20});
}

TEST(ConvolutionValue, Dimensions) {
  expectValues({"conv", "", "1x2x3x1xf32", "2x2x1x1xf32", "1x1x2x1xf32"},
               {1, 2, 3, 4, 5, 6}, {1, 10, 100, 1000}, {5421, 6532});
  expectValues({"conv", "", "1x2x2x2x1xf32", "2x1x1x1x1xf32", "1x1x2x2x1xf32"},
               {1, 2, 3, 4, 5, 6, 7, 8}, {1, 10}, {51, 62, 73, 84});
}

/// `output_sizes` resolves the ambiguity between input sizes with equal numbers
/// of windows.
TEST(ConvolutionValue, TransposedSizes) {
  auto check = [](const std::string &attributes, int size,
                  std::vector<double> expected) {
    std::string count = std::to_string(size);
    expectValues({"conv_transpose",
                  "output_sizes = [" + count + "], strides = [2]" + attributes,
                  "1x2x1xf32", "3x1x1xf32", "1x" + count + "x1xf32"},
                 {1, 2}, {1, 10, 100}, expected);
  };
  check("", 5, {1, 10, 102, 20, 200});
  check("", 6, {1, 10, 102, 20, 200, 0});
  check(", padding = \"same\"", 4, {1, 10, 102, 20});
  check(", padding = \"same\"", 3, {10, 102, 20});
}

TEST(ConvolutionValue, FilterGradient) {
  expectValues({"conv_filter_grad", "filter_sizes = [2]", "1x4x1xf32",
                "1x3x1xf32", "2x1x1xf32"},
               {1, 2, 3, 4}, {1, 0, 2}, {7, 10});
}

/// Checks <conv(x, w), g> = <x, conv_transpose(g, w)> = <w, conv_filter_grad(x,
/// g)>.
TEST(ConvolutionValue, Adjoints) {
  struct Geometry {
    std::string attributes, x, w, g, inputSizes, taps;
  } geometries[] = {
      {"dilations = [2, 1], groups = 2 : i64, padding = \"same\", strides = "
       "[1, 2]",
       "2x5x6x4xf64", "3x2x2x6xf64", "2x5x3x6xf64", "5, 6", "3, 2"},
      {"padding = \"explicit\", pads = [2, 0, 1, 3], strides = [3, 1]",
       "1x6x4x3xf64", "2x4x3x2xf64", "1x3x5x2xf64", "6, 4", "2, 4"},
      {"strides = [2, 1, 2]", "1x5x3x4x2xf64", "2x2x1x2x3xf64", "1x2x2x2x3xf64",
       "5, 3, 4", "2, 2, 1"},
      // A 1x1 filter: products of matrices.
      {"padding = \"same\"", "2x3x2x4xf64", "1x1x4x5xf64", "2x3x2x5xf64",
       "3, 2", "1, 1"},
  };
  for (const Geometry &geometry : geometries) {
    const auto &[attributes, x, w, g, inputSizes, taps] = geometry;
    HostTensor input = makeSpread(x, 1, -1, 1);
    HostTensor filter = makeSpread(w, 2, -1, 1);
    HostTensor output = makeSpread(g, 3, -1, 1);
    Case conv{"conv", attributes, x, w, g};
    Case transposed{"conv_transpose",
                    attributes + ", output_sizes = [" + inputSizes + "]", g, w,
                    x};
    Case filterGrad{"conv_filter_grad",
                    attributes + ", filter_sizes = [" + taps + "]", x, g, w};
    double expected = dot(conv.evaluate(input, filter), output);
    EXPECT_NEAR(dot(input, transposed.evaluate(output, filter)), expected,
                1e-12);
    EXPECT_NEAR(dot(filter, filterGrad.evaluate(input, output)), expected,
                1e-12);
  }
}
