/// Compresses digits of 64 pixels to eight numbers, and draws one that it has
/// not seen beside what the numbers give.
#include <iostream>
#include <tg/data/csv.hpp>
#include <tg/tg.h>

using namespace tg;

int main() {
  Dataset digits = Dataset::from(
      data::openCsv("examples/digits/digits.csv", {{"image", {"p00:p77"}}}));
  Tensor pixels = placeholder(f32, {dim("batch"), 64}); // grey values 0 to 16

  Sequential encoder(
      {Linear({.units = 64, .activation = relu}), Linear({.units = 8})});
  Sequential decoder({Linear({.units = 64, .activation = relu}),
                      Linear({.units = 64, .activation = sigmoid})});
  Tensor image = pixels / 16, drawn = decoder(encoder(image));
  Tensor loss = meanSquaredError(drawn, image);
  Updates step = Adam({.learningRate = 0.002}).minimize(loss);
  Tensor variance = reduceMean(moments(image, {.axes = {0}}).variance);

  Session session({.seed = 1});
  session.run(globalVariablesInitializer());
  for (auto &batch : digits.take(1297).shuffle(1297).batch(32).repeat(100))
    session.run(step, {{pixels, batch[0]}});
  for (auto &unseen : digits.skip(1297).batch(500)) {
    auto found =
        session.run({1 - loss / variance, image, drawn}, {{pixels, unseen[0]}});
    std::cout << "explained variance: " << found[0] << '\n';
    for (size_t row = 0; row < 8; ++row, std::cout << '\n')
      for (size_t picture : {1, 2})
        for (size_t i = 8 * row; i < 8 * row + 8; ++i)
          std::cout << ".:-+*#@"[size_t(6 * found[picture].at(i))]
                    << (picture == 1 && i % 8 == 7 ? "   " : "");
  }
}
