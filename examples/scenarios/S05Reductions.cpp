/// The product and the sum of the list 5, 3, and both added: 15, 8, 23.
#include "Scenario.h"
using namespace tg;

int main() {
  Program program("reductions");
  Tensor a = program.constant({5, 3}, f32, {2});
  Tensor b = reduceProd(a), c = reduceSum(a);
  program.function("run",
                   {.outputs = {{"a", a}, {"b", b}, {"c", c}, {"d", b + c}}});

  Context context = load(program).context();
  const Outputs &outputs = context.run("run", {});
  expect(outputs, "a", {5, 3});
  expect(outputs, "b", {15});
  expect(outputs, "c", {8});
  expect(outputs, "d", {23});
}
