/// The curve 5 x² + 3 fitted by makeParallel on two devices, with gradients on
/// the devices of their towers: near [5, 0, 3] after 1000 steps, [5, 0, 3]
/// after 5000. The result equals that of one device up to rounding, and that of
/// another session bit by bit.
#include "Scenario.h"

#include <tg/graph/variable_scope.h>

#include <random>
using namespace tg;

namespace {
/// A model w0 x² + w1 x + w2 of the rows of x, trained on examples by one or
/// two towers.
struct CurveFit {
  Program program{"curve"};
  Tensor x = program.input("x", f32, {dim("n")});
  Tensor y = program.input("y", f32, {dim("n")});
  Tensor loss;
  Updates train;
  Variable w;
  Session session;

  explicit CurveFit(int64_t towers)
      : loss(buildLoss(towers)),
        train(Adam({.learningRate = 0.1})
                  .minimize(loss, {.colocateGradientsWithOps = true})),
        w(variablesByName(program, "w").front()),
        session(program, {.seed = 4, .devices = uint32_t(towers)}) {
    session.run(program.initializer());
  }

  Tensor buildLoss(int64_t towers) {
    Tensor guess = makeParallel(
        [&](Tensor rows) {
          Variable weights = getVariable(program, "w", {3, 1});
          Tensor f = stack({square(rows), rows, onesLike(rows)}, 1);
          return squeeze(matmul(f, weights), {1});
        },
        towers, {x});
    return reduceMean(square(guess - y));
  }

  double step(std::mt19937 &generator, double a, double c) {
    std::uniform_real_distribution<float> uniform(-10, 10);
    std::vector<float> xs(100), ys(100);
    for (size_t i = 0; i < xs.size(); ++i) {
      xs[i] = uniform(generator);
      ys[i] = float(a) * xs[i] * xs[i] + float(c);
    }
    return session.run({train, loss}, {{x, xs}, {y, ys}})[1].scalar();
  }
};
} // namespace

/// Fits a x² + c on one device, on two, and on two again. `checksEarlyFit`
/// compares the weights after 1000 steps with those of 5 x² + 3.
static void fit(double a, double c, bool checksEarlyFit) {
  CurveFit one(1), two(2), again(2);
  std::mt19937 generators[] = {std::mt19937(7), std::mt19937(7),
                               std::mt19937(7)};
  CurveFit *fits[] = {&one, &two, &again};
  for (int i = 1; i <= 5000; ++i) {
    double losses[3];
    for (int k = 0; k < 3; ++k)
      losses[k] = fits[k]->step(generators[k], a, c);
    check(losses[1] == losses[2], "the same bits in two sessions");
    check(i > 20 || std::abs(losses[0] - losses[1]) <= 1e-4 * losses[0],
          "the loss of one device, found " + std::to_string(losses[1]) +
              " for " + std::to_string(losses[0]));
    if (i != 1000)
      continue;
    Array found = two.session.value(two.w);
    std::cout << "after 1000 steps w = " << found << '\n';
    check(!checksEarlyFit || (found.at(0) > 4.97 && found.at(0) < 5.001 &&
                              std::abs(found.at(1)) < 0.006 &&
                              found.at(2) > 2.9 && found.at(2) < 4.5),
          "about [5, 0, 3] after 1000 steps");
  }
  expect("one device", one.session.value(one.w), {a, 0, c}, 1e-3);
  expect("two devices", two.session.value(two.w), {a, 0, c}, 1e-3);
  for (const DeviceInfo &device : two.session.devices())
    std::printf("%s ran %llu device parts\n", device.name.c_str(),
                (unsigned long long)device.runs);
  // The forward and backward parts of the second tower.
  check(two.session.devices()[1].runs == 10000,
        "two device parts per step on cpu:1");
}

int main() {
  fit(5, 3, true);
  fit(2, -1, false);
}
