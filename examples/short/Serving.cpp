/// Trains, compiles the trained network to serve.so, and names each digit whose
/// 64 grey values it reads from the standard input.
#include <iostream>
#include <tg/data/csv.hpp>
#include <tg/runtime.hpp>
#include <tg/tg.h>

using namespace tg;

int main() {
  Program program("digits");
  Tensor image = program.input("image", f32, {dim("batch"), 64});
  Tensor label = program.input("label", f32, {dim("batch")});
  Sequential network(
      {Linear({.units = 64, .activation = relu}), Linear({.units = 10})});
  Tensor logits = network(image / 16);
  Tensor loss = meanSoftmaxCrossEntropy(logits, cast(label, i32));
  Updates step = Adam({.learningRate = 0.003}).minimize(loss);
  program.function("train", {.inputs = {image, label}, .updates = step});
  program.function("classify",
                   {.inputs = {image}, .outputs = {{"digit", argMax(logits)}}});
  program.compile("train.so");

  Context context = Model::load("train.so").context({.seed = 1});
  Dataset digits = Dataset::from(data::openCsv(
      "examples/digits/digits.csv", {{"image", {"p00:p77"}}, {"label"}}));
  for (auto &batch : digits.take(1297).shuffle(1297).batch(32).repeat(20))
    context.run("train", {{"image", batch[0].values<float>()},
                          {"label", batch[1].values<float>()}});
  context.save("digits.safetensors");
  program.compile("serve.so",
                  {.functions = {"classify"}, .weights = "digits.safetensors"});
  Context server = Model::load("serve.so").context(); // any program may do this
  std::vector<float> pixels(64);
  for (size_t i = 0; std::cin >> pixels[i]; i = (i + 1) % pixels.size())
    if (i == pixels.size() - 1)
      std::cout << server.run("classify", {{"image", pixels}}).scalar("digit")
                << std::endl;
}
