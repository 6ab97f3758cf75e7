/// Adam descends from 5.2 towards the minimum of x²: -0.02407 after 100 steps,
/// and -0.02602 after one more, in both modes.
#include "Modes.h"

#include <iostream>
using namespace tg;

int main() {
  Program program("minimum");
  Variable x = program.variable("x", f32, {}, 5.2);
  Adam adam({.learningRate = 0.1});
  program.function("train", {.updates = adam.minimize([&] { return x * x; })});
  program.function("look", {.outputs = {{"x", x}}});
  Context context = load(program).context({.seed = 1});

  ExecutionScope scope(true);
  Program eager("minimum");
  Variable z = eager.variable("x", f32, {}, 5.2);
  auto step = [&] {
    context.run("train", {});
    (void)adam.minimize([&] { return z * z; });
  };
  for (int i = 0; i < 100; ++i)
    step();
  expect(context.run("look", {}), "x", {-0.02407f}, 1e-5);
  expectNear(z.values<float>(), {-0.02407f}, 1e-5);
  step();
  expect(context.run("look", {}), "x", {-0.02602f}, 1e-5);
  expectNear(z.values<float>(), {-0.02602f}, 1e-5);
  std::cout << "x = " << z << '\n';
}
