/// Trains, compiles the trained network to serve.so, and names each digit whose
/// 64 grey values it reads from the standard input.
#include <iostream>
#include <tg/data/csv.hpp>
#include <tg/runtime.hpp>
#include <tg/tg.h>
using namespace tg;

int main(int argc, char **argv) {
  if (argc != 2)
    return std::cerr << "usage: short-serving <directory for its files>\n", 1;
  std::string dir = std::string(argv[1]) + '/';
  Program program("digits");
  Tensor image = program.input("image", f32, {dim("batch"), 64});
  Tensor label = program.input("label", f32, {dim("batch")});
  Sequential network(
      {Linear({.units = 64, .activation = relu}), Linear({.units = 10})});
  Tensor logits = network(image / 16), digit = argMax(logits);
  Tensor loss = meanSoftmaxCrossEntropy(logits, cast(label, i32));
  Updates step = Adam({.learningRate = 0.003}).minimize(loss);
  program.function("train", {.inputs = {image, label}, .updates = step});
  program.function("test", {.inputs = {image}, .outputs = {{"digit", digit}}});
  program.compile(dir + "train.so");
  Context context = Model::load(dir + "train.so").context({.seed = 1});
  Dataset digits = Dataset::from(data::openCsv(
      "examples/digits/digits.csv", {{"image", {"p00:p77"}}, {"label"}}));
  for (auto &batch : digits.take(1297).shuffle(1297).batch(32).repeat(20))
    context.run("train", {{"image", batch[0].values<float>()},
                          {"label", batch[1].values<float>()}});
  context.save(dir + "digits.safetensors");
  program.compile(dir + "serve.so", {.functions = {"test"},
                                     .weights = dir + "digits.safetensors"});
  Context server = Model::load(dir + "serve.so").context(); // in any program
  std::vector<float> pixels(64);
  for (size_t i = 0; std::cin >> pixels[i]; i = (i + 1) % pixels.size())
    if (i == pixels.size() - 1)
      std::cout << server.run("test", {{"image", pixels}}).scalar("digit")
                << std::endl;
}
