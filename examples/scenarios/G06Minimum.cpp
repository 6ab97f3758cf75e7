/// Adam walks from 5.2 towards the minimum of x²: -0.02407 after 100 steps.
#include "Scenario.h"
using namespace tg;

int main() {
  Program program("minimum");
  Variable x = program.variable("x", f32, {}, 5.2);
  program.function("train",
                   {.updates = Adam({.learningRate = 0.1}).minimize(x * x)});
  program.function("look", {.outputs = {{"x", x}}});

  Context context = load(program).context({.seed = 1});
  for (int step = 0; step < 100; ++step)
    context.run("train", {});
  expect(context.run("look", {}), "x", {-0.02407f}, 1e-5);
  context.run("train", {});
  expect(context.run("look", {}), "x", {-0.02602f}, 1e-5);
}
