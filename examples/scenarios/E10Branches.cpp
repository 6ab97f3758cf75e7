/// A conditional whose condition is computed at run time: the sum 3 of 1 and 2
/// if it is true, otherwise their product 2.
#include "Scenario.h"
using namespace tg;

int main() {
  Program program("branches");
  Tensor holds = program.input("holds", boolean, {});
  Tensor a = program.input("a", f32, {});
  Tensor b = program.input("b", f32, {});
  Tensor y = cond(holds, [&] { return a + b; }, [&] { return a * b; });
  program.function("run", {.inputs = {holds, a, b}, .outputs = {{"y", y}}});

  Context context = load(program).context();
  auto run = [&](bool condition, float a, float b) {
    return context.run(
        "run", {{"holds", Value(condition)}, {"a", Value(a)}, {"b", Value(b)}});
  };
  expect(run(true, 1, 2), "y", {3});
  expect(run(false, 1, 2), "y", {2});
  expect(run(true, 5, 7), "y", {12});
  expect(run(false, 5, 7), "y", {35});
}
