/// A loop whose number of iterations is computed at run time: the 5th Fibonacci
/// number is 5.
#include "Scenario.h"
using namespace tg;

int main() {
  Program program("fibonacci");
  Tensor n = program.input("n", i32, {});
  auto [iterations, a, b] =
      whileLoop([&](Tensor trip, Tensor, Tensor) { return trip < n; },
                [](Tensor trip, Tensor a, Tensor b) {
                  return std::tuple(trip + 1, b, a + b);
                },
                {zerosLike(n), 0, 1});
  program.function("run", {.inputs = {n}, .outputs = {{"a", cast(a, f32)}}});

  Context context = load(program).context();
  auto run = [&](int32_t n) { return context.run("run", {{"n", Value(n)}}); };
  expect(run(5), "a", {5});
  expect(run(0), "a", {0});
  expect(run(30), "a", {832040});
}
