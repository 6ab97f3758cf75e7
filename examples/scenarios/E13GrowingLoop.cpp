/// A loop whose tensor grows: each iteration appends the next Fibonacci number.
/// In a graph its extent must be dynamic and have an upper bound.
#include "Modes.h"
using namespace tg;

/// Computes the first n numbers; `makeDynamic` makes the extent of the
/// loop-carried value dynamic.
template <typename Function>
static Tensor fibonacci(Program &program, int n, Function makeDynamic) {
  Tensor start = program.constant({1, 1}, i32, {2});
  auto [iterations, numbers] = whileLoop(
      [=](Tensor trip, Tensor) { return trip < n; },
      [=](Tensor trip, Tensor numbers) {
        Tensor next = expandDims(numbers[-1] + numbers[-2], 0);
        return std::pair(trip + 1, makeDynamic(concat({numbers, next}, 0)));
      },
      {2, makeDynamic(start)});
  return cast(numbers, f32);
}

/// Returns the first n numbers, computed in a graph with `bound` as the upper
/// bound of the extent.
static std::vector<float> run(int n, int64_t bound) {
  return valuesOf(/*eagerly=*/false,
                  [=](Program &program) {
                    return std::vector{
                        fibonacci(program, n, [=](const Tensor &numbers) {
                          return ensureShape(numbers, {-1}, {bound});
                        })};
                  })
      .front();
}

int main() {
  expectRefusal(
      [] {
        Program program("fixed");
        fibonacci(program, 5, [](const Tensor &numbers) { return numbers; });
      },
      "to be i32 [2], found i32 [3]");
  expectNear(run(5, 64), {1, 1, 2, 3, 5});
  expectNear(run(2, 64), {1, 1});
  expectNear(run(8, 8), {1, 1, 2, 3, 5, 8, 13, 21});
  Values both = valuesOfBothModes([](Program &program) {
    Tensor mask = program.constant({1, 0, 1}, i32, {3}) > 0;
    Tensor rows = program.constant({1, 2, 3, 4, 5, 6}, f32, {3, 2});
    return std::vector{fibonacci(program, 5,
                                 [](const Tensor &numbers) {
                                   return ensureShape(numbers, {-1}, {64});
                                 }),
                       booleanMask(rows, mask), cast(where(mask), f32)};
  });
  expectNear(both[0], {1, 1, 2, 3, 5});

  Tensor x = placeholder(f32, {dim()});
  Tensor positive = booleanMask(x, x > 0);
  Session session;
  expect("positive", session.run(positive, {{x, {-1, 2, 3, -4}}}), {2, 3});
  expect("positive", session.run(positive, {{x, {5, 6, 7, -4}}}), {5, 6, 7});
  expectNear(both[1], {1, 2, 5, 6});
  expectNear(both[2], {0, 2});
}
