/// A column plus a row is a matrix by broadcasting. A sum over all elements,
/// 12, hides this mistake; a sum along an axis, [5, 7], shows it.
#include "Scenario.h"
using namespace tg;

int main() {
  Program program("sums");
  Tensor a = program.constant({1, 2}, f32, {2, 1});
  Tensor b = program.constant({1, 2}, f32, {2});
  program.function("run",
                   {.outputs = {{"all", reduceSum(a + b)},
                                {"rows", reduceSum(a + b, {.axes = {0}})}}});
  Context context = load(program).context();
  expect(context.run("run", {}), "all", {12});
  expect(context.run("run", {}), "rows", {5, 7});
}
