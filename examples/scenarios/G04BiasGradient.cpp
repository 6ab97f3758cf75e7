/// The mean of a linear layer's two outputs moves each bias by a half, in
/// training and in testing alike.
#include "Scenario.h"
using namespace tg;

int main() {
  Program program("layer");
  Tensor x = program.input("x", f32, {dim("batch"), 3});
  Linear layer({.units = 2});
  std::vector<Output> outputs;
  for (auto [name, y] :
       {std::pair("train", layer.trainFprop(x)), {"test", layer.testFprop(x)}})
    outputs.push_back(
        {name, gradients(reduceMean(y), layer.variables())[1].value});
  program.function("gradients", {.inputs = {x}, .outputs = outputs});

  Context context = load(program).context({.seed = 1});
  std::vector<float> rows = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  const Outputs &found = context.run("gradients", {{"x", rows}});
  expect(found, "train", {0.5f, 0.5f});
  expect(found, "test", {0.5f, 0.5f});
}
