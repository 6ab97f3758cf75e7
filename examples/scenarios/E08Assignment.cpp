/// A variable takes the sum of two constants: 3.
#include "Scenario.h"
using namespace tg;

int main() {
  Program program("assignment");
  Tensor a = program.constant(1), b = program.constant(2);
  Variable c = program.variable("c", f32, {}, 0.0);
  program.function("assign",
                   {.outputs = {{"sum", a + b}}, .updates = assign(c, a + b)});
  program.function("look", {.outputs = {{"c", c}}});

  Context context = load(program).context({.seed = 1});
  expect(context.run("assign", {}), "sum", {3});
  expect(context.run("look", {}), "c", {3});
}
