/// A list that a loop fills: the first Fibonacci numbers 1, 1, 2, 3, 5.
#include "Scenario.h"
using namespace tg;

static void fill(int64_t count, const std::vector<float> &expected) {
  Program program("arrays");
  auto [iterations, a, b, numbers] =
      whileLoop([&](Tensor trip, Tensor, Tensor,
                    TensorArray) { return trip < static_cast<double>(count); },
                [](Tensor trip, Tensor a, Tensor b, TensorArray numbers) {
                  return std::tuple(trip + 1, b, a + b, numbers.write(trip, b));
                },
                {0, 0.0, 1.0, TensorArray(program, count)});
  program.function("run", {.outputs = {{"numbers", numbers}}});
  expect(load(program).context().run("run", {}), "numbers", expected);
}

int main() {
  fill(5, {1, 1, 2, 3, 5});
  fill(8, {1, 1, 2, 3, 5, 8, 13, 21});
}
