// Tests values of composites and of operations with attributes.
#include "../Rows.h"

#include <algorithm>

using namespace tg;
using namespace tg::test;

namespace {
/// Applies a function of numbers to the elements.
Numbers map(double (*function)(double)) {
  Numbers result;
  for (double x : {-2., -1., 0., 1., 2., 3.})
    result.push_back(function(x));
  return result;
}

TEST(Functional, activations) {
  expectNear(on(gelu), map([](double x) {
               return x / 2 * (1 + std::erf(x / std::sqrt(2)));
             }));
  expectNear(on(softplus), map([](double x) { return std::log1p(exp(x)); }));
  expectNear(on(silu), map([](double x) { return x / (1 + exp(-x)); }));
  expectNear(on(softsign), map([](double x) { return x / (1 + fabs(x)); }));
  expectNear(on([](Tensor x) { return elu(x); }),
             map([](double x) { return x > 0 ? x : expm1(x); }));
  expectNear(on([](Tensor x) { return leakyRelu(x); }),
             map([](double x) { return x > 0 ? x : 0.2 * x; }));
  expectNear(on([](Tensor x) { return leakyRelu(x, 2); }),
             map([](double x) { return x > 0 ? 2 * x : x; }));
  expectNear(on([](Tensor x) { return leakyRelu(x, -1); }),
             map([](double x) { return std::abs(x); }));
  expectNear(on([](Tensor x) { return prelu(x, 0.3); }),
             map([](double x) { return x > 0 ? x : 0.3 * x; }));
  expectNear(on(relu6), map([](double x) { return x > 0 ? x : 0; }));
  expectNear(on(mish),
             map([](double x) { return x * std::tanh(std::log1p(exp(x))); }));
  expectNear(on(hardSwish), map([](double x) {
               return x * std::min(std::max(x / 6 + 0.5, 0.0), 1.0);
             }));
}

TEST(Functional, mathematics) {
  expectNear(on(ceil), map([](double x) { return std::ceil(x); }));
  expectNear(on([](Tensor x) { return trunc(x / 2.0); }),
             map([](double x) { return std::trunc(x / 2); }));
  expectNear(on([](Tensor x) { return pow(x, 3.0); }),
             map([](double x) { return x * x * x; }));
  expectNear(on([](Tensor x) { return clip(x, -1.0, 2.0); }),
             {-1, -1, 0, 1, 2, 2});
  expectNear(on([](Tensor x) { return 1.0 - x; }), {3, 2, 1, 0, -1, -2});
  expectNear(on([](Tensor x) { return select(x > 0.0, 1.0, x); }),
             {-2, -1, 0, 1, 1, 1});
}

TEST(Functional, divisionRoundedDown) {
  for (DType dtype : {f32, i8, i16, i32}) {
    expectNear(on([](Tensor x) { return floorDiv(x, 2.0); }, dtype),
               {-1, -1, 0, 0, 1, 1});
    expectNear(on([](Tensor x) { return floorMod(x, 2.0); }, dtype),
               {0, 1, 0, 1, 0, 1});
  }
}

TEST(Functional, narrowIntegersWrap) {
  expectNear(on([](Tensor x) { return x * 100; }, i8),
             {56, -100, 0, 100, -56, 44});
  expectNear(on([](Tensor x) { return x * 20000; }, i16),
             {25536, -20000, 0, 20000, -25536, -5536});
  expectNear(on([](Tensor x) { return cast(argMin(x), i8); }, i8), {0, 0});
  expectNear(
      on([](Tensor x) { return matmul(x * 50, transpose(x, {1, 0}) * 50); },
         i8),
      {12500, -10000, -10000, 23736});
}

TEST(Functional, meansOfNarrowIntegersDoNotWrap) {
  for (DType dtype : {i8, u8, i16, i32, i64}) {
    Numbers numbers(6, dtype == i8 ? 100 : 200);
    if (dtype == i16)
      numbers.assign(6, 30000);
    if (dtype == i32)
      numbers.assign(6, 2e9);
    EXPECT_EQ(evaluate({{numbers, {2, 3}, dtype}},
                       [](std::vector<Tensor> x) { return reduceMean(x[0]); }),
              Numbers{numbers[0]})
        << toString(dtype);
    EXPECT_EQ(evaluate({{numbers, {2, 3}, dtype}},
                       [](std::vector<Tensor> x) {
                         return reduceMean(x[0], {.axes = {0}});
                       }),
              Numbers(3, numbers[0]))
        << toString(dtype);
  }
}

TEST(Functional, reductions) {
  expectNear(on([](Tensor x) { return reduceMean(x); }), {0.5});
  expectNear(on([](Tensor x) { return reduceMean(x, {.axes = {0}}); }),
             {-0.5, 0.5, 1.5});
  expectNear(on([](Tensor x) { return reduceMean(x, {.axes = {-1}}); }),
             {-1, 2});
  expectNear(
      on([](Tensor x) { return reduceLogSumExp(x, {.axes = {1}}); }),
      {std::log(exp(-2) + exp(-1) + 1), std::log(exp(1) + exp(2) + exp(3))});
  expectNear(on([](Tensor x) { return cast(argMin(x), f32); }), {0, 0});
  expectNear(on([](Tensor x) {
               Tensor last = argMax(x, {.axis = 1, .keepDims = true});
               Tensor first = argMin(x, {.axis = -1, .keepDims = true});
               return concat(
                   {takeAlongAxis(x, last, 1), takeAlongAxis(x, first, 1)}, 1);
             }),
             {0, -2, 3, 1});
  expectNear(on([](Tensor x) { return l2Normalize(x); }),
             {-2 / std::sqrt(5.), -1 / std::sqrt(5.), 0, 1 / std::sqrt(14.),
              2 / std::sqrt(14.), 3 / std::sqrt(14.)});
  expectNear(on([](Tensor x) { return standardDeviation(x, {.axes = {1}}); }),
             {std::sqrt(2. / 3), std::sqrt(2. / 3)});
}

TEST(Functional, attention) {
  auto scores = [](Tensor x) { return matmul(x, x, {.transposeRhs = true}); };
  expectNear(on([](Tensor x) { return attention(x, x, x); }), on([&](Tensor x) {
               return matmul(softmax(scores(x) / std::sqrt(3.0)), x);
             }));
  // The first row attends to nothing, the second row only to the first.
  expectNear(on([&](Tensor x) {
               Tensor lower = bandPart(onesLike(scores(x)), -1, 0);
               Tensor below = lower - bandPart(lower, 0, 0);
               return attention(x, x, x, {.mask = below > 0.0});
             }),
             {0, 0, 0, -2, -1, 0});
}

TEST(Functional, maxout) {
  expectNear(on([](Tensor x) { return maxout(x, 3); }), {0, 3});
  expectNear(on([](Tensor x) { return maxout(tile(x, {1, 2}), 2); }),
             {-1, 0, 0, 2, 3, 3});
}

TEST(Functional, oneHotOfAnIndexOutOfRangeIsZeros) {
  Numbers rows = on([](Tensor x) { return oneHot(x, 3); }, i32);
  EXPECT_EQ(rows, (Numbers{0, 0, 0, 0, 0, 0, 1, 0, 0, //
                           0, 1, 0, 0, 0, 1, 0, 0, 0}));
}

TEST(Functional, oneHotHasMoreClassesThanItsIndicesHaveNumbers) {
  Numbers sums =
      on([](Tensor x) { return reduceSum(oneHot(cast(x, u8), 300), {{1, 2}}); },
         i32);
  EXPECT_EQ(sums, (Numbers{3, 3}));
}

TEST(Functional, layerNormGivesMeanZeroAndVarianceOne) {
  Numbers rows = on([](Tensor x) { return layerNorm(x, 1.0, 0.0, 1e-12); });
  EXPECT_NEAR(rows[0] + rows[1] + rows[2], 0, 1e-5);
  EXPECT_NEAR(rows[0], -std::sqrt(1.5), 1e-5);
}

TEST(Functional, batchNormTakesNumbersForGammaAndBeta) {
  // Columns of -2 and 1: mean -0.5, deviation 1.5.
  expectNear(on([](Tensor x) {
               return batchNorm(x, moments(x, {.axes = {0}}), 2.0, 1.0,
                                {.epsilon = 1e-12});
             }),
             {-1, -1, -1, 3, 3, 3});
}

TEST(Functional, shufflesRows) {
  auto column = [](Tensor x) { return reshape(x, {-1}); };
  Numbers rows = on([&](Tensor x) { return shuffle(column(x)); });
  Numbers again = on([&](Tensor x) {
    shuffle(x);
    return shuffle(column(x));
  });
  EXPECT_TRUE(rows != again || rows != (Numbers{-2, -1, 0, 1, 2, 3}));
  for (Numbers *order : {&rows, &again}) {
    std::sort(order->begin(), order->end());
    EXPECT_EQ(*order, (Numbers{-2, -1, 0, 1, 2, 3}));
  }
  Numbers whole = on(shuffle);
  EXPECT_EQ(std::abs(whole[0] - whole[3]), 3);
  EXPECT_EQ(whole[2] - whole[0], 2);
}

TEST(Functional, noiseShapeSharesDraws) {
  Numbers rows = on([](Tensor x) {
    return dropout(onesLike(x), {.rate = 0.5, .noiseShape = {-1, 1}});
  });
  EXPECT_EQ(rows[0], rows[1]);
  EXPECT_EQ(rows[1], rows[2]);
  EXPECT_EQ(rows[3], rows[5]);
}
} // namespace
