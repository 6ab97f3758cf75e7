/// (a + b) + (a · b) of two constants: 11.
#include "Scenario.h"
using namespace tg;

int main() {
  Program program("constants");
  Tensor a = program.constant(2), b = program.constant(3);
  program.function("run", {.outputs = {{"e", (a + b) + (a * b)}}});
  expect(load(program).context().run("run", {}), "e", {11});
}
