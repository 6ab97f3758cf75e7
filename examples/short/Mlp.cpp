/// Classifies handwritten digits by two dense layers.
#include <iostream>
#include <tg/data/csv.hpp>
#include <tg/tg.h>

using namespace tg;

int main() {
  Dataset digits = Dataset::from(data::openCsv(
      "examples/digits/digits.csv", {{"image", {"p00:p77"}}, {"label"}}));
  Tensor image = placeholder(f32, {dim("batch"), 64}); // grey values 0 to 16
  Tensor label = placeholder(f32, {dim("batch")});

  Sequential network({Linear({.units = 128, .activation = relu}),
                      Dropout({.rate = 0.3}), Linear({.units = 10})});
  Tensor logits = network.trainFprop(image / 16);
  Tensor loss = meanSoftmaxCrossEntropy(logits, cast(label, i32));
  Updates step = Adam({.learningRate = 0.003}).minimize(loss);
  Tensor right = accuracy(network.testFprop(image / 16), cast(label, i32));

  Session session({.seed = 1});
  session.run(globalVariablesInitializer());
  for (auto &batch : digits.take(1297).shuffle(1297).batch(32).repeat(40))
    session.run(step, {{image, batch[0]}, {label, batch[1]}});
  for (auto &unseen : digits.skip(1297).batch(500))
    std::cout << "accuracy on unseen digits: "
              << session.run(right, {{image, unseen[0]}, {label, unseen[1]}})
              << '\n';
}
