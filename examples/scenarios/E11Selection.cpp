/// An elementwise selection between two lists by booleans: [3, 2].
#include "Scenario.h"
using namespace tg;

int main() {
  Program program("selection");
  Tensor condition = program.constant({1, 0}, boolean, {2});
  Tensor y = select(condition, program.fill({2}, 3), program.fill({2}, 2));
  program.function("run", {.outputs = {{"y", y}}});
  expect(load(program).context().run("run", {}), "y", {3, 2});
}
