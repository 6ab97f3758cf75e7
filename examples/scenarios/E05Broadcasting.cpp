/// A matrix and a column: [[1, 2], [3, 4]] + [[1], [2]] = [[2, 3], [5, 6]].
#include "Scenario.h"
using namespace tg;

int main() {
  Program program("broadcasting");
  Tensor a = program.constant({1, 2, 3, 4}, f32, {2, 2});
  Tensor b = program.constant({1, 2}, f32, {2, 1});
  program.function("run", {.outputs = {{"c", a + b}}});
  expect(load(program).context().run("run", {}), "c", {2, 3, 5, 6});
}
