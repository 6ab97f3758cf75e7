/// Classifies handwritten digits by convolutions.
#include <iostream>
#include <tg/data/csv.hpp>
#include <tg/tg.h>

using namespace tg;

int main() {
  Dataset digits = Dataset::from(data::openCsv(
      "examples/digits/digits.csv", {{"image", {"p00:p77"}}, {"label"}}));
  Tensor pixels = placeholder(f32, {dim("batch"), 64}); // grey values 0 to 16
  Tensor label = placeholder(f32, {dim("batch")});

  Tensor image = reshape(pixels / 16, {-1, 8, 8, 1});
  Sequential network(
      {Conv2D({.filters = 16, .padding = Padding::same, .activation = relu}),
       BatchNormalization(), MaxPooling({.strides = {2}}),
       Conv2D({.filters = 32, .padding = Padding::same, .activation = relu}),
       BatchNormalization(), Flatten(), Dropout({.rate = 0.5}),
       Linear({.units = 10})});
  Tensor logits = network.trainFprop(image);
  Tensor loss = meanSoftmaxCrossEntropy(logits, cast(label, i32));
  Updates step = Adam({.learningRate = 0.003}).minimize(loss);
  Tensor right = accuracy(network.testFprop(image), cast(label, i32));

  Session session({.seed = 1});
  session.run(globalVariablesInitializer());
  for (auto &batch : digits.take(1297).shuffle(1297).batch(32).repeat(20))
    session.run(step, {{pixels, batch[0]}, {label, batch[1]}});
  for (auto &unseen : digits.skip(1297).batch(500))
    std::cout << "accuracy on unseen digits: "
              << session.run(right, {{pixels, unseen[0]}, {label, unseen[1]}})
              << '\n';
}
