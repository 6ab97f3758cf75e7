// Tests values of operations that move elements: shapes, joins, copies,
// gathers.
#include "../Rows.h"

using namespace tg;
using namespace tg::test;

namespace {
TEST(Movement, shapes) {
  expectNear(
      on([](Tensor x) { return reduceSum(stack({x, x}, 1), {.axes = {1}}); }),
      {-4, -2, 0, 2, 4, 6});
  expectNear(on([](Tensor x) { return unstack(x, 1)[2]; }), {0, 3});
  expectNear(on([](Tensor x) { return squeeze(expandDims(x, -1)); }),
             {-2, -1, 0, 1, 2, 3});
  expectNear(on([](Tensor x) { return flatten(expandDims(x, 1)); }),
             {-2, -1, 0, 1, 2, 3});
  expectNear(on([](Tensor x) { return transpose(x, {1, 0}); }),
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

TEST(Movement, joinsVectorsOfTensors) {
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

TEST(Movement, slicesFromAStartOfTheRunToTheEnd) {
  expectNear(on([](Tensor x) {
               Tensor start = cast(reduceMax(x), i32) - 2; // 1
               return slice(x, {.starts = {0, start}, .sizes = {-1, -1}});
             }),
             {-1, 0, 2, 3});
}

TEST(Movement, joinsAndDividesDimensions) {
  for (const Shape &shape : shapesOfRows()) {
    auto of = [&](Activation f) { return on(f, f32, shape); };
    expectNear(of([](Tensor x) {
                 return reduceSum(flatten(stack({x, x}, 1), 1), {.axes = {0}});
               }),
               {-1, 1, 3, -1, 1, 3});
    expectNear(of([](Tensor x) { return flatten(stack({x, x}, 1), 0, 1)[2]; }),
               {1, 2, 3});
    expectNear(of([](Tensor x) {
                 Tensor wide = concat(
                     {x[{Slice(), Slice(0, 2)}], x[{Slice(), Slice(0, 2)}]}, 1);
                 return unflatten(wide, 1, {2, 2})[{1, 0}];
               }),
               {1, 2});
  }
}

TEST(Movement, shapesWithTwoUnknownExtents) {
  Shape unknown = {dim("n"), dim("m")};
  expectNear(
      on([](Tensor x) { return flatten(expandDims(x, 2)); }, f32, unknown),
      {-2, -1, 0, 1, 2, 3});
  expectNear(on([](Tensor x) { return reduceMean(x); }, f32, unknown), {0.5});
  expectNear(on([](Tensor x) { return zerosLike(x) + 1.0; }, f32, unknown),
             {1, 1, 1, 1, 1, 1});
}

TEST(Movement, copies) {
  for (Shape shape : {Shape{dim("n"), 3}, Shape{2, 3}, {dim("n"), dim("m")}}) {
    expectNear(on([](Tensor x) { return tile(x, {1, 2}); }, f32, shape),
               {-2, -1, 0, -2, -1, 0, 1, 2, 3, 1, 2, 3});
    expectNear(on([](Tensor x) { return tile(x, {2, 1}); }, f32, shape),
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

TEST(Movement, shifts) {
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

TEST(Movement, diagonals) {
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

TEST(Movement, diagonalsAreOfSquares) {
  Program program("p");
  Tensor x = program.input("x", f32, {3, dim("n")});
  program.function("f", {.inputs = {x}, .outputs = {{"y", diagPart(x)}}});
  Evaluator evaluator(program.text());
  evaluator.run("f", {{{1, 2, 3}, {3, 1}}});
  EXPECT_NE(evaluator.error().find("dim 1 of the input (1) to equal shape (3)"),
            std::string::npos)
      << evaluator.error();
}

TEST(Movement, orders) {
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

TEST(Movement, gathersAlongAnAxis) {
  expectNear(on([](Tensor x) {
               return takeAlongAxis(x, argSort(x, {.descending = true}));
             }),
             {0, -1, -2, 3, 2, 1});
  expectNear(on([](Tensor x) {
               return takeAlongAxis(x, expandDims(argMax(x, 0), 0), 0);
             }),
             {1, 2, 3});
}

TEST(Movement, gathersAtPlaces) {
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

} // namespace
