// Compares pooling and resize ops with values computed by hand.
#include "RunText.h"
#include "gtest/gtest.h"
#include <cmath>

namespace {

using V = std::vector<double>;
constexpr float kInf = INFINITY;

/// Runs a function of one f32 input and returns the elements of its results.
std::vector<V> run(const std::string &text, std::vector<int64_t> shape,
                   std::vector<float> values) {
  RunText program(text);
  auto results = program.run("f", {program.floats(shape, values)});
  EXPECT_EQ(program.error, "");
  std::vector<V> numbers;
  for (const tg::HostTensor &result : results)
    numbers.push_back(numbersOf(result));
  return numbers;
}

/// Returns values and indices of max_pool over a row of f32.
std::pair<V, V> maxPool(std::vector<float> x, int windows,
                        const std::string &attributes) {
  std::string in = "tensor<1x" + std::to_string(x.size()) + "x1xf32>";
  std::string out = "tensor<1x" + std::to_string(windows) + "x1x";
  std::string both = "(" + out + "f32>, " + out + "ui8>)";
  auto results =
      run("func.func @f(%x: " + in + ") -> " + both +
              " {\n%y, %i = tg.max_pool %x {" + attributes + "} : (" + in +
              ") -> " + both + "\nreturn %y, %i : " + out + "f32>, " + out +
              "ui8>\n}\n",
          {1, int64_t(x.size()), 1}, x);
  return {results[0], results[1]};
}

/// Applies an op to a row and returns its result, which has `length` elements.
V apply(const std::string &op, std::vector<float> x, int length,
        const std::string &attributes) {
  std::string in = "tensor<1x" + std::to_string(x.size()) + "x1xf32>";
  std::string out = "tensor<1x" + std::to_string(length) + "x1xf32>";
  return run("func.func @f(%x: " + in + ") -> " + out + " {\n%y = tg." + op +
                 " %x {" + attributes + "} : (" + in + ") -> " + out +
                 "\nreturn %y : " + out + "\n}\n",
             {1, int64_t(x.size()), 1}, x)[0];
}

TEST(MaxPool, TakesTheFirstOfTheGreatest) {
  EXPECT_EQ(maxPool({1, 5, 5, 2, 7, 3}, 2, "strides = [3], window = [3]"),
            std::pair(V({5, 7}), V({1, 1})));
  // -0 and 0 compare equal.
  EXPECT_EQ(maxPool({-0.0f, 0.0f}, 1, "window = [2]").second, V({0}));
}

TEST(MaxPool, NanIsGreatestAndPaddingNever) {
  auto [values, indices] = maxPool({1, NAN, kInf}, 1, "window = [3]");
  EXPECT_TRUE(std::isnan(values[0]));
  EXPECT_EQ(indices, V({1}));
  EXPECT_EQ(maxPool({-3, -2}, 2, "padding = \"same\", window = [3]"),
            std::pair(V({-2, -2}), V({2, 1})));
  // One position of padding precedes the first element.
  EXPECT_EQ(maxPool({-kInf, -kInf}, 2, "padding = \"same\", window = [3]"),
            std::pair(V({-kInf, -kInf}), V({1, 0})));
}

TEST(MaxPool, GivesTheLeastOfAnEmptyWindow) {
  EXPECT_EQ(maxPool({4}, 2,
                    "dilations = [3], padding = \"explicit\", pads = [2, 2], "
                    "window = [2]"),
            std::pair(V({-kInf, -kInf}), V({0, 0})));
}

TEST(MaxPoolGrad, AddsWhereTheIndexSays) {
  RunText program(R"(
    func.func @f(%g: tensor<1x3x1xf32>) -> tensor<1x5x1xf32> {
      %i = tg.constant dense<[[[2], [0], [7]]]> : tensor<1x3x1xui8>
      %y = tg.max_pool_grad %g, %i {input_sizes = [5], strides = [2], padding = "same", window = [3]} : (tensor<1x3x1xf32>, tensor<1x3x1xui8>) -> tensor<1x5x1xf32>
      return %y : tensor<1x5x1xf32>
    })");
  auto results = program.run("f", {program.floats({1, 3, 1}, {10, 20, 30})});
  ASSERT_EQ(program.error, "");
  // The windows begin at -1, 1 and 3; index 7 is outside a window.
  EXPECT_EQ(numbersOf(results[0]), V({0, 30, 0, 0, 0}));
}

TEST(AvgPool, DividesByTheElementsOrByAllPositions) {
  const char *same = "padding = \"same\", window = [3]";
  EXPECT_EQ(apply("avg_pool", {3, 6, 9}, 3, same), V({4.5, 6, 7.5}));
  EXPECT_EQ(
      apply("avg_pool", {3, 6, 9}, 3, std::string("count_padding, ") + same),
      V({3, 6, 5}));
  EXPECT_EQ(apply("avg_pool", {4}, 2,
                  "dilations = [3], padding = \"explicit\", pads = [2, 2], "
                  "window = [2]"),
            V({0, 0}));
}

TEST(AvgPoolGrad, GivesEachElementItsShare) {
  EXPECT_EQ(apply("avg_pool_grad", {2, 3, 4}, 3,
                  "input_sizes = [3], padding = \"same\", window = [3]"),
            V({2, 4, 3}));
  EXPECT_EQ(
      apply(
          "avg_pool_grad", {6, 3, 9}, 3,
          "count_padding, input_sizes = [3], padding = \"same\", window = [3]"),
      V({3, 6, 4}));
}

TEST(Resize, TenToFifteenIsExact) {
  std::vector<float> x = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  EXPECT_EQ(
      apply("resize", x, 15,
            "coordinates = \"asymmetric\", mode = \"nearest\", sizes = [15]"),
      V({0, 0, 1, 2, 2, 3, 4, 4, 5, 6, 6, 7, 8, 8, 9}));
  EXPECT_EQ(
      apply("resize", x, 15,
            "coordinates = \"half_pixel\", mode = \"nearest\", sizes = [15]"),
      V({0, 1, 1, 2, 3, 3, 4, 5, 5, 6, 7, 7, 8, 9, 9}));
}

TEST(Resize, InterpolatesByEachConvention) {
  std::vector<float> x = {0, 4};
  EXPECT_EQ(
      apply("resize", x, 4,
            "coordinates = \"half_pixel\", mode = \"linear\", sizes = [4]"),
      V({0, 1, 3, 4}));
  EXPECT_EQ(
      apply("resize", x, 5,
            "coordinates = \"align_corners\", mode = \"linear\", sizes = [5]"),
      V({0, 1, 2, 3, 4}));
  EXPECT_EQ(
      apply("resize", x, 4,
            "coordinates = \"asymmetric\", mode = \"linear\", sizes = [4]"),
      V({0, 2, 4, 4}));
  EXPECT_EQ(
      apply("resize", x, 1,
            "coordinates = \"align_corners\", mode = \"linear\", sizes = [1]"),
      V({0}));
}

TEST(ResizeGrad, GivesBackByTheSameWeights) {
  EXPECT_EQ(apply("resize_grad", {1, 2, 4, 8}, 2,
                  "coordinates = \"half_pixel\", input_sizes = [2], mode = "
                  "\"linear\""),
            V({1 + 1.5 + 1, 0.5 + 3 + 8}));
  EXPECT_EQ(apply("resize_grad", {1, 2, 4, 8, 16}, 2,
                  "coordinates = \"asymmetric\", input_sizes = [2], mode = "
                  "\"nearest\""),
            V({1 + 2 + 4, 8 + 16}));
}

} // namespace
