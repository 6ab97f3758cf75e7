// Tests values of operations that are one op or a few.
#include "../Evaluator.h"
#include "tg/tg.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace tg;

namespace {
using Numbers = std::vector<double>;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Evaluates a function of x [n, 3] and compares; booleans are 0 and 1.
void expectOn(Activation function, Numbers expected,
              Numbers x = {-2, -1, 0, 1, 2, 3}, DType dtype = f32) {
  Program program("p");
  Tensor input = program.input("x", dtype, {dim("n"), 3});
  program.function(
      "f", {.inputs = {input}, .outputs = {{"y", cast(function(input), f64)}}});
  Evaluator evaluator(program.text());
  int64_t rows = x.size() / 3;
  std::vector<Elements> outputs =
      evaluator.run("f", {{std::move(x), {rows, 3}, dtype}});
  ASSERT_EQ(evaluator.error(), "");
  ASSERT_EQ(outputs[0].values.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(outputs[0].values[i], expected[i], 1e-6) << "at " << i;
}

TEST(Operation, rounding) {
  Numbers halves = {-2.5, -1.5, -0.5, 0.5, 1.5, 2.6};
  expectOn(round, {-2, -2, 0, 0, 2, 3}, halves);
  expectOn(floor, {-3, -2, -1, 0, 1, 2}, halves);
  expectOn(sign, {-1, -1, -1, 1, 1, 1}, halves);
  expectOn(abs, {2.5, 1.5, 0.5, 0.5, 1.5, 2.6}, halves);
}

TEST(Operation, powers) {
  Numbers squares = {1, 4, 16, 0.25, 100, 25};
  expectOn(rsqrt, {1, 0.5, 0.25, 2, 0.1, 0.2}, squares);
  expectOn(reciprocal, {1, 0.25, 0.0625, 4, 0.01, 0.04}, squares);
  expectOn([](Tensor x) { return reciprocal(rsqrt(x)); }, {1, 2, 4, 0.5, 10, 5},
           squares);
}

TEST(Operation, kindsOfNumbers) {
  Numbers odd = {0, std::nan(""), kInfinity, -kInfinity, 1, -1};
  expectOn(isNan, {0, 1, 0, 0, 0, 0}, odd);
  expectOn(isInf, {0, 0, 1, 1, 0, 0}, odd);
  expectOn(isFinite, {1, 0, 0, 0, 1, 1}, odd);
}

TEST(Operation, logic) {
  auto positive = [](Tensor x) { return x > 0.0; };
  auto below = [](Tensor x) { return x < 2.0; };
  expectOn([&](Tensor x) { return logicalAnd(positive(x), below(x)); },
           {0, 0, 0, 1, 0, 0});
  expectOn([&](Tensor x) { return logicalOr(positive(x), below(x)); },
           {1, 1, 1, 1, 1, 1});
  expectOn([&](Tensor x) { return logicalXor(positive(x), below(x)); },
           {1, 1, 1, 0, 1, 1});
  expectOn([&](Tensor x) { return logicalNot(positive(x)); },
           {1, 1, 1, 0, 0, 0});
  expectOn([&](Tensor x) { return reduceAny(positive(x), {.axes = {1}}); },
           {0, 1});
  expectOn([&](Tensor x) { return reduceAll(x > -2.0, {.axes = {1}}); },
           {0, 1});
}

TEST(Operation, angles) {
  Numbers whole = {-2, -1, 0, 1, 2, 3}, sines, cosines;
  for (double x : whole) {
    sines.push_back(std::sin(x));
    cosines.push_back(std::cos(x));
  }
  expectOn(tg::sin, sines);
  expectOn(tg::cos, cosines);
}

TEST(Operation, pairs) {
  expectOn([](Tensor x) { return minimum(x, 1.0); }, {-2, -1, 0, 1, 1, 1});
  expectOn([](Tensor x) { return maximum(x, 1.0); }, {1, 1, 1, 1, 2, 3});
  // The remainder has the sign of the dividend.
  expectOn([](Tensor x) { return remainder(x, 2.0); }, {0, -1, 0, 1, 0, 1});
  for (DType dtype : {f32, i32})
    expectOn([](Tensor x) { return x % 2.0; }, {0, -1, 0, 1, 0, 1},
             {-2, -1, 0, 1, 2, 3}, dtype);
}

TEST(Operation, operatorsOnTruthValuesAndIntegers) {
  auto positive = [](Tensor x) { return x > 0.0; };
  auto below = [](Tensor x) { return x < 2.0; };
  expectOn([&](Tensor x) { return positive(x) & below(x); },
           {0, 0, 0, 1, 0, 0});
  expectOn([&](Tensor x) { return !positive(x) | below(-x); },
           {1, 1, 1, 1, 1, 1});
  expectOn([&](Tensor x) { return positive(x) ^ below(x); },
           {1, 1, 1, 0, 1, 1});
  Numbers whole = {-2, -1, 0, 1, 2, 3};
  expectOn([](Tensor x) { return x & 6; }, {6, 6, 0, 0, 2, 2}, whole, i32);
  expectOn([](Tensor x) { return x | 1; }, {-1, -1, 1, 1, 3, 3}, whole, i32);
  expectOn([](Tensor x) { return ~x ^ 1; }, {0, 1, -2, -1, -4, -3}, whole, i32);
}

TEST(Operation, compoundAssignments) {
  expectOn(
      [](Tensor x) {
        Tensor y = x;
        y += 1.0;
        y *= x;
        y -= x;
        y /= 2.0;
        return y;
      },
      {2, 0.5, 0, 0.5, 2, 4.5});
}

TEST(Operation, activations) {
  expectOn([](Tensor x) { return hardSigmoid(x * 2.0); },
           {0, 1. / 6, 0.5, 5. / 6, 1, 1});
  auto selected = [](double x) {
    return 1.0507009873554805 * (x > 0 ? x : 1.6732632423543772 * expm1(x));
  };
  expectOn(selu, {selected(-2), selected(-1), 0, selected(1), selected(2),
                  selected(3)});
  double sum = std::log(1 + std::exp(-1.0) + std::exp(-2.0));
  expectOn([](Tensor x) { return logSoftmax(x); },
           {-2 - sum, -1 - sum, -sum, -2 - sum, -1 - sum, -sum});
  expectOn([](Tensor x) { return softmaxCrossEntropy(x, argMax(x)); },
           {sum, sum});
  double half = 1 / (1 + std::exp(1.0));
  // The last row is fully masked.
  expectOn([](Tensor x) { return maskedSoftmax(x, x < 0.0); },
           {half, 1 - half, 0, 0, 0, 0});
}

TEST(Operation, reductions) {
  expectOn([](Tensor x) { return reduceMin(x, {.axes = {0}}); }, {-2, -1, 0});
  expectOn([](Tensor x) { return reduceProd(x, {.axes = {1}}); }, {0, 6});
  expectOn([](Tensor x) { return reduceProd(x, {.axes = {1}}); }, {0, 6},
           {-2, -1, 0, 1, 2, 3}, i64);
  expectOn(l2Loss, {9.5});
}

TEST(Operation, runningSums) {
  expectOn([](Tensor x) { return cumsum(x); }, {-2, -3, -3, 1, 3, 6});
  expectOn([](Tensor x) { return cumsum(x, {.axis = 0}); },
           {-2, -1, 0, -1, 1, 3});
  expectOn([](Tensor x) { return cumsum(x, {.exclusive = true}); },
           {0, -2, -3, 0, 1, 3});
  expectOn([](Tensor x) { return cumsum(x, {.axis = -2, .reverse = true}); },
           {-1, 1, 3, 1, 2, 3});
}

TEST(Operation, orders) {
  expectOn([](Tensor x) { return reverse(x, {1}); }, {0, -1, -2, 3, 2, 1});
  expectOn([](Tensor x) { return topK(x, 2).values; }, {0, -1, 3, 2});
  expectOn([](Tensor x) { return topK(-x, 2).indices; }, {0, 1, 0, 1});
}

TEST(Operation, optionsOfProductsSlicesAndGathers) {
  expectOn([](Tensor x) { return matmul(x, x, {.transposeLhs = true}); },
           {5, 4, 3, 4, 5, 6, 3, 6, 9});
  expectOn(
      [](Tensor x) {
        return slice(x,
                     {.starts = {0, 0}, .sizes = {-1, 2}, .strides = {1, 2}});
      },
      {-2, 0, 1, 3});
  expectOn(
      [](Tensor x) {
        Tensor ends = stack({argMax(x), argMin(x)}, 1);
        return gather(x, ends, {.axis = 1, .batchDims = 1});
      },
      {0, -2, 3, 1});
}

TEST(Operation, extents) {
  expectOn([](Tensor x) { return extentOf(x, 0); }, {2});
  expectOn([](Tensor x) { return extentOf(x, -1); }, {3});
  expectOn([](Tensor x) { return elementCount(x, {0, 1}, i32); }, {6});
  expectOn([](Tensor x) { return broadcastLike(reduceSum(x), x); },
           {3, 3, 3, 3, 3, 3});
  expectOn([](Tensor x) { return ensureShape(x, {2, -1}) + 1.0; },
           {-1, 0, 1, 2, 3, 4});
}

TEST(Operation, rowsByIndex) {
  auto indices = [](Tensor x) { return cast(argMax(x), i32) - 1; }; // 1, 1
  expectOn([&](Tensor x) { return gather(x, indices(x)); }, {1, 2, 3, 1, 2, 3});
  expectOn([&](Tensor x) { return gather(x, indices(x), {.axis = 1}); },
           {-1, -1, 2, 2});
  expectOn([&](Tensor x) { return scatterAdd(x, indices(x), x); },
           {-2, -1, 0, 0, 3, 6});
  expectOn([](Tensor x) { return ensureIndex(cast(abs(x), i32), 4); },
           {2, 1, 0, 1, 2, 3});
}

TEST(Operation, stopsGradients) {
  expectOn(
      [](Tensor x) {
        return gradientsOf(reduceSum(stopGradient(x) * x), {x})[0];
      },
      {-2, -1, 0, 1, 2, 3});
}

/// Returns the samples of a random function of a [1000, 3] tensor.
Numbers draw(Activation function) {
  Program program("p");
  Tensor x = program.input("x", f32, {dim("n"), 3});
  program.function("f", {.inputs = {x}, .outputs = {{"y", function(x)}}});
  Evaluator evaluator(program.text());
  evaluator.init(1);
  std::vector<Elements> outputs =
      evaluator.run("f", {{Numbers(3000, 0.0), {1000, 3}, f32}});
  EXPECT_EQ(evaluator.error(), "");
  return outputs.empty() ? Numbers() : outputs[0].values;
}

/// Returns the mean of a power of the numbers.
double mean(const Numbers &numbers, int power) {
  double sum = 0;
  for (double number : numbers)
    sum += std::pow(number, power);
  return sum / numbers.size();
}

TEST(Operation, draws) {
  Numbers uniform = draw(randomUniformLike);
  ASSERT_EQ(uniform.size(), 3000u);
  EXPECT_NEAR(mean(uniform, 1), 0.5, 0.03);
  EXPECT_NEAR(mean(uniform, 2), 1. / 3, 0.03);
  Numbers normal = draw(randomNormalLike);
  EXPECT_NEAR(mean(normal, 1), 0, 0.1);
  EXPECT_NEAR(mean(normal, 2), 1, 0.1);
  // Equal logits: the three classes are equally likely.
  Numbers classes = draw(categorical);
  ASSERT_EQ(classes.size(), 1000u);
  EXPECT_NEAR(mean(classes, 1), 1, 0.1);
  EXPECT_NEAR(mean(classes, 2), 5. / 3, 0.2);
}

/// Returns the initial values of a variable.
Numbers firstValues(Initializer initializer, Shape shape) {
  Program program("p");
  Variable w = program.variable("w", f32, shape, initializer);
  program.function("f", {.outputs = {{"w", w}}});
  Evaluator evaluator(program.text());
  evaluator.init(1);
  std::vector<Elements> outputs = evaluator.run("f", {});
  EXPECT_EQ(evaluator.error(), "");
  return outputs.empty() ? Numbers() : outputs[0].values;
}

TEST(Operation, firstValues) {
  // Variances 2 / (100 + 50) and 2 / 100.
  for (Initializer initializer : {glorotUniform(), glorotNormal()})
    EXPECT_NEAR(mean(firstValues(initializer, {100, 50}), 2), 2. / 150, 1e-3);
  EXPECT_NEAR(mean(firstValues(heNormal(), {100, 50}), 2), 2. / 100, 2e-3);
  for (double value : firstValues(truncatedNormal(), {100, 50}))
    EXPECT_LE(std::abs(value), 2);
}

/// Returns the greatest magnitude.
double greatest(const Numbers &numbers) {
  double found = 0;
  for (double number : numbers)
    found = std::max(found, std::abs(number));
  return found;
}

TEST(Operation, firstValuesAreAsWideAsTheFansSay) {
  // [4, 30, 50]: fan-in 120, fan-out 200.
  Shape cube = {4, 30, 50};
  double limit = std::sqrt(6. / 320);
  Numbers uniform = firstValues(glorotUniform(), cube);
  EXPECT_LE(greatest(uniform), limit);
  EXPECT_GT(greatest(uniform), 0.99 * limit);
  Numbers normal = firstValues(glorotNormal(), cube);
  EXPECT_NEAR(mean(normal, 2) * 320 / 2, 1, 0.06);
  EXPECT_NEAR(mean(firstValues(heNormal(), cube), 2) * 120 / 2, 1, 0.06);
  // The length of a vector is both fan-in and fan-out.
  EXPECT_NEAR(greatest(firstValues(glorotUniform(), {3000})) /
                  std::sqrt(6. / 6000),
              1, 0.01);
}

TEST(Operation, firstValuesOfOnesOwn) {
  Initializer twice([](const TensorType &type, Tensor seed) {
    return normal().build(type, seed) * 2.0;
  });
  Numbers plain = firstValues(normal(), {20});
  Numbers doubled = firstValues(twice, {20});
  for (size_t i = 0; i < plain.size(); ++i)
    EXPECT_EQ(doubled[i], 2 * plain[i]);
}

TEST(Operation, normOfGradients) {
  Program program("p");
  Variable w = program.variable("w", f32, {2, 8}, ones());
  program.function(
      "f", {.outputs = {{"norm", globalNorm(gradients(reduceSum(w * 3.0)))}}});
  Evaluator evaluator(program.text());
  evaluator.init(1);
  EXPECT_NEAR(evaluator.run("f", {})[0].values[0], 12, 1e-5);
}
} // namespace
