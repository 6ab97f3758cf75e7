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
  expectNear(on(
                 [](Tensor x) {
                   return matmul(x * 50, transpose(x, {1, 0}) * 50);
                 },
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

TEST(Functional, shapes) {
  expectNear(on([](Tensor x) {
               return reduceSum(stack({x, x}, 1), {.axes = {1}});
             }),
             {-4, -2, 0, 2, 4, 6});
  expectNear(on([](Tensor x) { return unstack(x, 1)[2]; }), {0, 3});
  expectNear(on([](Tensor x) { return squeeze(expandDims(x, -1)); }),
             {-2, -1, 0, 1, 2, 3});
  expectNear(on([](Tensor x) { return flatten(expandDims(x, 1)); }),
             {-2, -1, 0, 1, 2, 3});
  expectNear(on([](Tensor x) {
               return transpose(x, {1, 0});
             }),
             {-2, 1, -1, 2, 0, 3});
  expectNear(on([](Tensor x) {
               return slice(x, {.starts = {0, 1}, .sizes = {-1, 2}});
             }),
             {-1, 0, 2, 3});
  expectNear(on([](Tensor x) {
               Tensor start = cast(reduceMax(x), i32) - 1; // 2
               return slice(x, {.starts = {0, start}, .sizes = {-1, 1}});
             }),
             {0, 3});
  expectNear(on([](Tensor x) {
               Tensor row = argMax(reduceSum(x, {.axes = {1}})); // 1
               Tensor zeros = slice(zerosLike(x), {{0, 0}, {1, -1}});
               return updateSlice(x, zeros, {row, 0});
             }),
             {-2, -1, 0, 0, 0, 0});
  expectNear(on([](Tensor x) {
               return pad(x, {.low = {0, 1}, .high = {0, 0}, .value = 9});
             }),
             {9, -2, -1, 0, 9, 1, 2, 3});
}

TEST(Functional, joinsVectorsOfTensors) {
  auto columns = [](Tensor x) { return unstack(x, 1); };
  expectNear(on([&](Tensor x) { return stack(columns(x), 1); }),
             {-2, -1, 0, 1, 2, 3});
  expectNear(on([&](Tensor x) { return concat(columns(x), 0); }),
             {-2, 1, -1, 2, 0, 3});
  expectNear(on([&](Tensor x) { return addN(columns(x)); }), {-3, 6});
  expectNear(on([&](Tensor x) {
               std::vector<Tensor> two = columns(x);
               two.pop_back();
               return einsum("i,i->", two);
             }),
             {4});
}

TEST(Functional, slicesFromAStartOfTheRunToTheEnd) {
  expectNear(on([](Tensor x) {
               Tensor start = cast(reduceMax(x), i32) - 2; // 1
               return slice(x, {.starts = {0, start}, .sizes = {-1, -1}});
             }),
             {-1, 0, 2, 3});
}

TEST(Functional, joinsAndDividesDimensions) {
  for (const Shape &shape : shapesOfRows()) {
    auto of = [&](Activation f) { return on(f, f32, shape); };
    expectNear(of([](Tensor x) {
                 return reduceSum(flatten(stack({x, x}, 1), 1), {.axes = {0}});
               }),
               {-1, 1, 3, -1, 1, 3});
    expectNear(of([](Tensor x) {
                 return flatten(stack({x, x}, 1), 0, 1)[2];
               }),
               {1, 2, 3});
    expectNear(of([](Tensor x) {
                 Tensor wide = concat(
                     {x[{Slice(), Slice(0, 2)}], x[{Slice(), Slice(0, 2)}]}, 1);
                 return unflatten(wide, 1, {2, 2})[{1, 0}];
               }),
               {1, 2});
  }
}

TEST(Functional, shapesWithTwoUnknownExtents) {
  Shape unknown = {dim("n"), dim("m")};
  expectNear(
      on([](Tensor x) { return flatten(expandDims(x, 2)); }, f32, unknown),
      {-2, -1, 0, 1, 2, 3});
  expectNear(on([](Tensor x) { return reduceMean(x); }, f32, unknown), {0.5});
  expectNear(on([](Tensor x) { return zerosLike(x) + 1.0; }, f32, unknown),
             {1, 1, 1, 1, 1, 1});
}

TEST(Functional, copies) {
  for (Shape shape : {Shape{dim("n"), 3}, Shape{2, 3}, {dim("n"), dim("m")}}) {
    expectNear(on(
                   [](Tensor x) {
                     return tile(x, {1, 2});
                   },
                   f32, shape),
               {-2, -1, 0, -2, -1, 0, 1, 2, 3, 1, 2, 3});
    expectNear(on(
                   [](Tensor x) {
                     return tile(x, {2, 1});
                   },
                   f32, shape),
               {-2, -1, 0, 1, 2, 3, -2, -1, 0, 1, 2, 3});
  }
  for (Shape shape : {Shape{dim("n"), 3}, Shape{2, 3}, {dim("n"), dim("m")}}) {
    expectNear(on([](Tensor x) { return repeat(x, 2); }, f32, shape),
               {-2, -1, 0, -2, -1, 0, 1, 2, 3, 1, 2, 3});
    expectNear(on([](Tensor x) { return repeat(x, 2, -1); }, f32, shape),
               {-2, -2, -1, -1, 0, 0, 1, 1, 2, 2, 3, 3});
  }
  expectNear(on([](Tensor x) { return tile(reduceSum(x), {}); }), {3});
}

TEST(Functional, shifts) {
  for (Shape shape : {Shape{dim("n"), 3}, Shape{2, 3}, {dim("n"), dim("m")}}) {
    auto rolled = [&](int64_t shift, int64_t axis) {
      return on([=](Tensor x) { return roll(x, shift, axis); }, f32, shape);
    };
    expectNear(rolled(1, 1), {0, -2, -1, 3, 1, 2});
    expectNear(rolled(-4, -1), {-1, 0, -2, 2, 3, 1});
    expectNear(rolled(6, 1), {-2, -1, 0, 1, 2, 3});
    expectNear(rolled(-3, 0), {1, 2, 3, -2, -1, 0});
  }
  // Without rows, roll must not divide by zero.
  EXPECT_EQ(evaluate({{{}, {0, 3}}},
                     [](std::vector<Tensor> x) { return roll(x[0], 1, 0); }),
            Numbers());
}

TEST(Functional, diagonals) {
  for (Shape shape : {Shape{dim("n"), 3}, Shape{2, 3}, {dim("n"), dim("m")}}) {
    auto of = [&](Activation f) { return on(f, f32, shape); };
    expectNear(of(diag),
               {-2, 0, 0, 0, -1, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3});
    expectNear(of([](Tensor x) { return diagPart(diag(x)); }),
               {-2, -1, 0, 1, 2, 3});
    expectNear(of([](Tensor x) {
                 return diagPart(matmul(x, x, {.transposeRhs = true}));
               }),
               {5, 14});
    auto band = [&](int64_t lower, int64_t upper) {
      return of([=](Tensor x) { return bandPart(x + 10.0, lower, upper); });
    };
    expectNear(band(0, 0), {8, 0, 0, 0, 12, 0});
    expectNear(band(-1, 0), {8, 0, 0, 11, 12, 0});
    expectNear(band(0, -1), {8, 9, 10, 0, 12, 13});
    expectNear(band(1, 1), {8, 9, 0, 11, 12, 13});
  }
  expectNear(on([](Tensor x) { return cast(bandPart(x < 9.0, 0, 0), f32); }),
             {1, 0, 0, 0, 1, 0});
}

TEST(Functional, diagonalsAreOfSquares) {
  Program program("p");
  Tensor x = program.input("x", f32, {3, dim("n")});
  program.function("f", {.inputs = {x}, .outputs = {{"y", diagPart(x)}}});
  Evaluator evaluator(program.text());
  evaluator.run("f", {{{1, 2, 3}, {3, 1}}});
  EXPECT_NE(evaluator.error().find("dim 1 of the input (1) to equal shape (3)"),
            std::string::npos)
      << evaluator.error();
}

TEST(Functional, orders) {
  for (Shape shape : {Shape{dim("n"), 3}, Shape{2, 3}, {dim("n"), dim("m")}}) {
    auto of = [&](Activation f) { return on(f, f32, shape); };
    expectNear(of([](Tensor x) { return sort(-x); }), {0, 1, 2, -3, -2, -1});
    expectNear(of([](Tensor x) { return sort(x, {.descending = true}); }),
               {0, -1, -2, 3, 2, 1});
    expectNear(of([](Tensor x) { return sort(-x, {.axis = 0}); }),
               {-1, -2, -3, 2, 1, 0});
    // The rows -1, -1, 0 and 0, 1, 1.
    auto halves = [](Tensor x) { return floor(x / 2.0); };
    expectNear(of([&](Tensor x) { return argSort(halves(x)); }),
               {0, 1, 2, 0, 1, 2});
    expectNear(
        of([&](Tensor x) { return argSort(halves(x), {.descending = true}); }),
        {2, 0, 1, 1, 2, 0});
    // The rows NaN, NaN, -infinity and 0, 0.7, 1.1.
    expectNear(of([&](Tensor x) { return argSort(log(x)); }),
               {2, 0, 1, 0, 1, 2});
  }
}

TEST(Functional, gathersAlongAnAxis) {
  expectNear(on([](Tensor x) {
               return takeAlongAxis(x, argSort(x, {.descending = true}));
             }),
             {0, -1, -2, 3, 2, 1});
  expectNear(on([](Tensor x) {
               return takeAlongAxis(x, expandDims(argMax(x, 0), 0), 0);
             }),
             {1, 2, 3});
}

TEST(Functional, gathersAtPlaces) {
  for (Shape shape : {Shape{dim("n"), 3}, Shape{2, 3}, {dim("n"), dim("m")}}) {
    Program program("p");
    Tensor x = program.input("x", f32, shape);
    Tensor one = program.input("one", i32, {dim("k"), 1});
    Tensor two = program.input("two", i64, {dim("k"), 2});
    program.function("f", {.inputs = {x, one, two},
                           .outputs = {{"rows", gatherNd(x, one)},
                                       {"elements", gatherNd(x, two)}}});
    Evaluator evaluator(program.text());
    auto run = [&](Numbers rows, Numbers elements) {
      return evaluator.run("f", {{{-2, -1, 0, 1, 2, 3}, {2, 3}, f32},
                                 {rows, {2, 1}, i32},
                                 {elements, {2, 2}, i64}});
    };
    std::vector<Elements> found = run({1, 1}, {1, 2, 0, 0});
    ASSERT_EQ(evaluator.error(), "");
    EXPECT_EQ(found[0].values, (Numbers{1, 2, 3, 1, 2, 3}));
    EXPECT_EQ(found[1].values, (Numbers{3, -2}));
    // The index 3 would reach into the next row.
    run({1, 1}, {0, 3, 0, 0});
    EXPECT_NE(evaluator.error().find("3"), std::string::npos);
    EXPECT_NE(evaluator.error().find("[R1]"), std::string::npos);
  }
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
  expectNear(on([](Tensor x) {
               return maxout(tile(x, {1, 2}), 2);
             }),
             {-1, 0, 0, 2, 3, 3});
}

TEST(Functional, oneHotOfAnIndexOutOfRangeIsZeros) {
  Numbers rows = on([](Tensor x) { return oneHot(x, 3); }, i32);
  EXPECT_EQ(rows, (Numbers{0, 0, 0, 0, 0, 0, 1, 0, 0, //
                           0, 1, 0, 0, 0, 1, 0, 0, 0}));
}

TEST(Functional, oneHotHasMoreClassesThanItsIndicesHaveNumbers) {
  Numbers sums = on(
      [](Tensor x) {
        return reduceSum(oneHot(cast(x, u8), 300), {{1, 2}});
      },
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
