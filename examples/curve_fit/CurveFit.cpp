/// Fits w0 x² + w1 x + w2 to the curve 5x² + 3.
///
///   curve_fit [directory]
#include "../Example.h"
#include "Model.h"

using namespace tg;
using namespace example;

/// Checks that the weights are in ranges that hold for 200 seeds.
static void checkWeights(const std::vector<float> &w, int steps) {
  auto isIn = [&](int i, double low, double high) {
    check(w[i] >= low && w[i] <= high,
          "w" + std::to_string(i) + " after " + std::to_string(steps) +
              " steps in [" + std::to_string(low) + ", " +
              std::to_string(high) + "], found " + std::to_string(w[i]));
  };
  isIn(1, -0.006, 0.006);
  if (steps == 1000) {
    isIn(0, 4.976, 5.001);
    isIn(2, 2.97, 4.40);
  }
  if (steps == 2000) {
    isIn(0, 4.998, 5.001);
    isIn(2, 2.98, 3.08);
  }
  if (steps == 3000) { // the penalty of the weights keeps w2 below 3
    isIn(0, 4.9991, 5.0011);
    isIn(2, 2.9925, 2.9945);
  }
}

static void runExample(const std::string &directory) {
  std::string library = directory + "/curve_fit.so";
  Program program("curve_fit");
  curve_fit::defineModel(program);
  program.compile(library);

  Context context = Model::load(library).context({.seed = 1});
  std::mt19937 generator(1);
  std::uniform_real_distribution<float> uniform(-10, 10);
  std::vector<float> x(100), y(100);
  for (int step = 1; step <= 3000; ++step) {
    for (size_t i = 0; i < x.size(); ++i) {
      x[i] = uniform(generator);
      y[i] = 5 * x[i] * x[i] + 3;
    }
    double loss = context.run("train", {{"x", x}, {"y", y}}).scalar("loss");
    if (step % 1000 != 0)
      continue;
    std::vector<float> w = context.get<float>("w");
    std::printf("step %d  loss %.4f  w %.4f %.4f %.4f\n", step, loss, w[0],
                w[1], w[2]);
    checkWeights(w, step);
  }
  std::vector<float> two = {2};
  float fitted = context.run("test", {{"x", two}}).values<float>("y")[0];
  std::printf("at 2: %.3f, expected 23\n", fitted);
  check(std::abs(fitted - 23) < 0.02, "about 23 at 2");
}

int main(int argc, char **argv) { return run(argc, argv, runExample); }
