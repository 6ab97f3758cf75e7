// Tests subscripts of tensors, padding, and products by names of dimensions.
#include "../Rows.h"

using namespace tg;
using namespace tg::test;

namespace {
TEST(Subscript, choosesParts) {
  for (const Shape &shape : shapesOfRows()) {
    auto of = [&](Activation f) { return on(f, f32, shape); };
    expectNear(of([](Tensor x) { return x[1]; }), {1, 2, 3});
    expectNear(of([](Tensor x) { return x[-2]; }), {-2, -1, 0});
    expectNear(of([](Tensor x) { return x[{1, -1}]; }), {3});
    expectNear(of([](Tensor x) { return x[{Slice(), 1}]; }), {-1, 2});
    expectNear(of([](Tensor x) { return x[Slice(-1)]; }), {1, 2, 3});
    expectNear(of([](Tensor x) { return x[Slice(0, -1)]; }), {-2, -1, 0});
    expectNear(of([](Tensor x) { return x[{Slice(), Slice(1, 2)}]; }), {-1, 2});
    expectNear(of([](Tensor x) { return x[{Slice(), Slice(1, -1)}]; }),
               {-1, 2});
    expectNear(of([](Tensor x) { return x[{Slice(), Slice(-2, -1)}]; }),
               {-1, 2});
    expectNear(of([](Tensor x) { return x[{0, Slice(0, Slice::end, 2)}]; }),
               {-2, 0});
    expectNear(of([](Tensor x) { return x[{0, Slice(0, -1, 2)}]; }), {-2});
    expectNear(of([](Tensor x) { return x[{Slice(1), Slice(0, -1)}]; }),
               {1, 2});
    expectNear(of([](Tensor x) { return x[argMax(x, 0)]; }),
               {1, 2, 3, 1, 2, 3, 1, 2, 3});
    expectNear(of([](Tensor x) {
                 Tensor last = argMax(x[{Slice(), 0}]); // 1
                 return x[{last, last}];
               }),
               {2});
  }
}

/// The results are NumPy's.
TEST(Subscript, stepsBackwards) {
  constexpr int64_t end = Slice::end;
  for (const Shape &shape : shapesOfRows()) {
    auto columns = [&](Slice slice) {
      return on([=](Tensor x) { return x[{0, slice}]; }, f32, shape);
    };
    // x = -2 -1 0: x[::-1], x[-1::-1], x[::-2], x[2:0:-1], x[-1:-3:-1].
    expectNear(columns({end, end, -1}), {0, -1, -2});
    expectNear(columns({-1, end, -1}), {0, -1, -2});
    expectNear(columns({end, end, -2}), {0, -2});
    expectNear(columns({2, 0, -1}), {0, -1});
    expectNear(columns({-1, -3, -1}), {0, -1});
    // x[0::-1], x[1::-2], x[:0:-2], x[::-9], x[1:1:-1], x[2:-4:-1].
    expectNear(columns({0, end, -1}), {-2});
    expectNear(columns({1, end, -2}), {-1});
    expectNear(columns({end, 0, -2}), {0});
    expectNear(columns({end, end, -9}), {0});
    expectNear(columns({1, 1, -1}), {});
    expectNear(columns({2, -4, -1}), {0, -1, -2});
    expectNear(on(
                   [](Tensor x) {
                     Slice all(end, end, -1);
                     return x[{all, all}];
                   },
                   f32, shape),
               {3, 2, 1, 0, -1, -2});
    expectNear(on([](Tensor x) { return x[Slice(end, 0, -1)]; }, f32, shape),
               {1, 2, 3});
  }
}

TEST(Subscript, outsideIsAnErrorAtRunTime) {
  Program program("p");
  Tensor x = program.input("x", f32, {dim("n")});
  program.function("f", {.inputs = {x}, .outputs = {{"y", x[3]}}});
  program.function("g", {.inputs = {x}, .outputs = {{"y", x[Slice(-3)]}}});
  program.function(
      "h", {.inputs = {x}, .outputs = {{"y", x[Slice(2, Slice::end, -1)]}}});
  for (const char *name : {"f", "g", "h"}) {
    Evaluator evaluator(program.text());
    evaluator.run(name, {{{1, 2}, {2}}});
    EXPECT_NE(evaluator.error(), "") << name;
  }
}

TEST(Pad, reflectsAndRepeatsTheEdge) {
  for (const Shape &shape : shapesOfRows()) {
    auto padded = [&](PadMode mode, std::vector<int64_t> low,
                      std::vector<int64_t> high) {
      return on(
          [=](Tensor x) {
            return pad(x, {.low = low, .high = high, .mode = mode});
          },
          f32, shape);
    };
    // torch.nn.functional.pad(x, (1, 2), "reflect") and "replicate".
    expectNear(padded(PadMode::reflect, {0, 1}, {0, 2}),
               {-1, -2, -1, 0, -1, -2, 2, 1, 2, 3, 2, 1});
    expectNear(padded(PadMode::edge, {0, 1}, {0, 2}),
               {-2, -2, -1, 0, 0, 0, 1, 1, 2, 3, 3, 3});
    expectNear(padded(PadMode::reflect, {1, 0}, {1, 0}),
               {1, 2, 3, -2, -1, 0, 1, 2, 3, -2, -1, 0});
    expectNear(padded(PadMode::edge, {1, 0}, {1, 0}),
               {-2, -1, 0, -2, -1, 0, 1, 2, 3, 1, 2, 3});
    expectNear(padded(PadMode::edge, {0, 0}, {0, 0}), {-2, -1, 0, 1, 2, 3});
  }
}

TEST(Einsum, isSumsOfProducts) {
  for (const Shape &shape : shapesOfRows()) {
    auto of = [&](Activation f) { return on(f, f32, shape); };
    auto sum = [&](const char *equation, size_t inputs) {
      return of([=](Tensor x) {
        return einsum(equation, std::vector<Operand>(inputs, Operand(x)));
      });
    };
    // The results are those of torch.einsum.
    expectNear(sum("ij,kj->ik", 2), {5, -4, -4, 14});
    expectNear(sum("ji,jk->ik", 2), {5, 4, 3, 4, 5, 6, 3, 6, 9});
    expectNear(sum("ij->j", 1), {-1, 1, 3});
    expectNear(sum("ij,ij->", 2), {19});
    expectNear(sum("ij, ij -> ij", 2), {4, 1, 0, 1, 4, 9});
    expectNear(sum("ba", 1), {-2, 1, -1, 2, 0, 3});
    expectNear(sum("ij,kj,lj->i", 3), {-3, 30});
    // Batched matrices: x and 2x.
    auto batch = [&](const char *equation, size_t inputs) {
      return of([=](Tensor x) {
        Tensor both = stack({x, 2.0 * x});
        return einsum(equation, std::vector<Operand>(inputs, Operand(both)));
      });
    };
    expectNear(batch("...ij->...ji", 1),
               {-2, 1, -1, 2, 0, 3, -4, 2, -2, 4, 0, 6});
    expectNear(batch("bij,bkj->bik", 2), {5, -4, -4, 14, 20, -16, -16, 56});
    expectNear(batch("...ij,...kj->...ik", 2),
               {5, -4, -4, 14, 20, -16, -16, 56});
    expectNear(batch("bij,bkj->ibk", 2), {5, -4, 20, -16, -4, 14, -16, 56});
    expectNear(batch("bij,bij->b", 2), {19, 76});
    // Traces and diagonals of x times its transpose.
    auto square = [&](const char *equation) {
      return of([=](Tensor x) {
        return einsum(equation, {matmul(x, x, {.transposeRhs = true})});
      });
    };
    expectNear(square("ii"), {19});
    expectNear(square("ii->i"), {5, 14});
  }
}

TEST(Tensordot, isASumOfProductsOverAxes) {
  for (const Shape &shape : shapesOfRows()) {
    auto of = [&](Activation f) { return on(f, f32, shape); };
    // The results are those of torch.tensordot.
    expectNear(of([](Tensor x) { return tensordot(x, x); }), {19});
    expectNear(of([](Tensor x) { return tensordot(x, x, {0}, {0}); }),
               {5, 4, 3, 4, 5, 6, 3, 6, 9});
    expectNear(of([](Tensor x) { return tensordot(x, x, {-1}, {1}); }),
               {5, -4, -4, 14});
    expectNear(of([](Tensor x) { return tensordot(x, x[0], 0)[{1, 2}]; }),
               {-6, -3, 0});
    expectNear(of([](Tensor x) { return outer(x[1], x[{Slice(), 1}]); }),
               {-1, 2, -2, 4, -3, 6});
  }
}
} // namespace
