/// Five layers over 32 rows of 128 numbers: 10 variables, 37,280 parameters,
/// and a gradient for each variable, of its shape.
#include "Scenario.h"
using namespace tg;

int main() {
  Program program("five");
  Tensor x = program.input("x", f32, {32, 128});
  Sequential network;
  for (int64_t units : {64, 128, 64, 128, 32})
    network.add(Linear({.units = units, .activation = relu}));
  for (Tensor y : {network.trainFprop(x), network.testFprop(x)})
    for (const Gradient &gradient : gradients(reduceMean(square(y))))
      check(toString(gradient.value.shape()) ==
                toString(gradient.variable.shape()),
            "a gradient in the shape of " + gradient.variable.name());
  check(program.variables().size() == 10, "10 variables");
  check(program.parameterCount() == 37280, "37280 parameters");
  check(gradients(reduceMean(network(x))).size() == 10, "10 gradients");

  program.function("train",
                   {.inputs = {x},
                    .outputs = {{"y", network(x)}},
                    .updates = SGD().minimize(reduceMean(square(network(x))))});
  Context context = load(program).context({.seed = 1});
  std::vector<float> ones(32 * 128, 1);
  check(context.run("train", {{"x", ones}}).values<float>("y").size() ==
            32 * 32,
        "32 rows of 32 numbers");
}
