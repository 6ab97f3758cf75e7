/// Predicts a chaotic series (Mackey and Glass, 1977) ten steps ahead.
#include <iostream>
#include <tg/tg.h>

using namespace tg;

int main() {
  std::vector<double> series(4000, 1.2);
  for (size_t t = 17; t + 1 < series.size(); ++t) {
    double past = series[t - 17], square = past * past;
    double power = square * square * square * square * square;
    series[t + 1] = 0.9 * series[t] + 0.2 * past / (1 + power);
  }
  Array rows(std::vector<float>(series.begin(), series.end()), {40, 100});
  Dataset data = Dataset::fromTensorSlices({rows});

  Tensor row = placeholder(f32, {dim("rows"), 100});
  Tensor input = expandDims(row[{Slice(), Slice(0, 90)}], -1);
  Tensor now = row[{Slice(), Slice(20, 90)}]; // after 20 steps without a loss
  Tensor change = row[{Slice(), Slice(30, 100)}] - now;
  Sequential network(
      {LSTM({.units = 32, .returnIndices = {0}}), Linear({.units = 1})});
  Tensor guess = squeeze(network(input - 1), {-1})[{Slice(), Slice(20, 90)}];
  Tensor loss = meanSquaredError(guess, change);
  Updates step = Adam({.learningRate = 0.01}).minimize(loss);
  Tensor explained = 1 - loss / moments(change).variance;

  Session session({.seed = 1});
  session.run(globalVariablesInitializer());
  for (auto &batch : data.take(32).batch(8).repeat(75))
    session.run(step, {{row, batch[0]}});
  for (auto &later : data.skip(32).batch(8))
    std::cout << "explained variance of the changes in ten steps: "
              << session.run(explained, {{row, later[0]}}) << '\n';
}
