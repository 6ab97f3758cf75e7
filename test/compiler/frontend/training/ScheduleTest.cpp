// Tests learning rates step by step.
#include "../Rows.h"

using namespace tg;
using namespace tg::test;

namespace {
/// Returns the rates of the first steps, measured on a weight with gradients of
/// 1.
Numbers ratesOf(const Schedule &schedule, int steps) {
  Program program("p");
  Variable w = program.variable("w", f64, {}, 0.0);
  Tensor shown = schedule(program.step());
  program.function(
      "train", {.outputs = {{"rate", shown}, {"w", w}},
                .updates = SGD({.learningRate = schedule}).minimize(w * 1.0)});
  Evaluator evaluator(program.text());
  evaluator.init(1);
  Numbers rates;
  double sum = 0;
  for (int i = 0; i < steps; ++i) {
    std::vector<Elements> outputs = evaluator.run("train", {});
    EXPECT_EQ(evaluator.error(), "");
    EXPECT_NEAR(outputs[1].values[0], -sum, 1e-12);
    rates.push_back(outputs[0].values[0]);
    sum += rates.back();
  }
  return rates;
}

/// Expects the rates of PyTorch 2, to nine digits.
void expectRates(const Schedule &schedule, const Numbers &expected) {
  Numbers found = ratesOf(schedule, int(expected.size()));
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], 1e-9) << "step " << i;
}

TEST(Schedule, mayBeANumberOrAFunction) {
  expectRates(0.1, {0.1, 0.1, 0.1});
  expectRates(Schedule([](Tensor step) { return 0.1 / (1.0 + step); }),
              {0.1, 0.05, 0.1 / 3});
}

TEST(Schedule, piecewiseConstant) { // MultiStepLR(o, [2, 4], 0.1)
  expectRates(
      piecewiseConstant({.boundaries = {2, 4}, .rates = {0.1, 0.01, 0.001}}),
      {0.1, 0.1, 0.01, 0.01, 0.001, 0.001});
}

TEST(Schedule, exponentialDecay) { // ExponentialLR(o, 0.9)
  expectRates(exponentialDecay({.rate = 0.1, .factor = 0.9}),
              {0.1, 0.09, 0.081, 0.0729});
  // TensorFlow's ExponentialDecay(0.1, 2, 0.25): 0.1 * 0.25 ** (t / 2)
  expectRates(exponentialDecay({.rate = 0.1, .factor = 0.25, .steps = 2}),
              {0.1, 0.05, 0.025, 0.0125});
}

TEST(Schedule, staircase) { // StepLR(o, 2, 0.5)
  expectRates(exponentialDecay(
                  {.rate = 0.1, .factor = 0.5, .steps = 2, .staircase = true}),
              {0.1, 0.1, 0.05, 0.05, 0.025, 0.025});
}

TEST(Schedule, cosineDecay) { // CosineAnnealingLR(o, 4, 0.02), then rises
  expectRates(cosineDecay({.rate = 0.1, .end = 0.02, .steps = 4}),
              {0.1, 0.088284271, 0.06, 0.031715729, 0.02, 0.02, 0.02});
}

TEST(Schedule, cosineDecayIsExactToTheLastDigits) {
  Numbers rates = ratesOf(cosineDecay({.rate = 1, .steps = 50}), 50);
  for (int i = 0; i < 50; ++i)
    EXPECT_NEAR(rates[i], (1 + std::cos(M_PI * i / 50)) / 2, 1e-15);
}

TEST(Schedule, cosineDecayRestarts) {
  // CosineAnnealingWarmRestarts(o, 2, 1, 0.02)
  expectRates(
      cosineDecayRestarts({.rate = 0.1, .end = 0.02, .steps = 2, .growth = 1}),
      {0.1, 0.06, 0.1, 0.06, 0.1});
  // TensorFlow's CosineDecayRestarts(0.1, 2, 2.0, 0.5)
  expectRates(
      cosineDecayRestarts({.rate = 0.1, .steps = 2, .decay = 0.5}),
      {0.1, 0.05, 0.05, 0.042677670, 0.025, 0.007322330, 0.025, 0.024048494});
  // Periods of 3, 9 and 27 steps begin at the right steps.
  Numbers rates =
      ratesOf(cosineDecayRestarts({.rate = 1, .steps = 3, .growth = 3}), 40);
  for (size_t i = 0; i < 40; ++i)
    EXPECT_EQ(rates[i] == 1, i == 0 || i == 3 || i == 12 || i == 39) << i;
}

TEST(Schedule, cyclic) { // CyclicLR(o, 0.02, 0.1, step_size_up=2)
  expectRates(cyclic({.low = 0.02, .high = 0.1, .steps = 2}),
              {0.02, 0.06, 0.1, 0.06, 0.02, 0.06, 0.1, 0.06, 0.02});
  // mode="triangular2"
  expectRates(cyclic({.low = 0.02, .high = 0.1, .steps = 2, .decay = 0.5}),
              {0.02, 0.06, 0.1, 0.06, 0.02, 0.04, 0.06, 0.04, 0.02});
}

TEST(Schedule, warmUp) {
  // SequentialLR(o, [LinearLR(o, 0.25, 1, 3), CosineAnnealingLR(o, 4)], [3])
  expectRates(warmUp({.steps = 3,
                      .from = 0.025,
                      .then = cosineDecay({.rate = 0.1, .steps = 4})}),
              {0.025, 0.05, 0.075, 0.1, 0.085355339, 0.05, 0.014644661, 0});
  expectRates(warmUp({.steps = 2, .then = 0.1}), {0, 0.05, 0.1, 0.1});
}

TEST(Schedule, refusesNoSteps) {
  EXPECT_THROW(cosineDecay({.steps = 0}), GraphError);
  EXPECT_THROW(exponentialDecay({.steps = 0}), GraphError);
  EXPECT_THROW(cyclic({.steps = -1}), GraphError);
  EXPECT_THROW(cosineDecayRestarts({.steps = 0}), GraphError);
  EXPECT_THROW(cosineDecayRestarts({.growth = 0.5}), GraphError);
  EXPECT_THROW(warmUp({.steps = 0}), GraphError);
  EXPECT_THROW(piecewiseConstant({.boundaries = {2}, .rates = {1}}),
               GraphError);
  EXPECT_THROW(piecewiseConstant({.boundaries = {2, 1}, .rates = {1, 2, 3}}),
               GraphError);
}

TEST(Schedule, servesAnyOptimizer) {
  Program program("p");
  Variable w = program.variable("w", f32, {2}, ones());
  Schedule schedule = cyclic({.low = 0.01, .high = 0.1, .steps = 5});
  program.function(
      "train",
      {.outputs = {{"w", w}},
       .updates = Adam({.learningRate = schedule}).minimize(l2Loss(w))});
  Evaluator evaluator(program.text());
  evaluator.init(1);
  evaluator.run("train", {});
  // Adam's first step has the length of the rate.
  EXPECT_NEAR(evaluator.run("train", {})[0].values[0], 0.99, 1e-6);
  EXPECT_EQ(evaluator.error(), "");
}
} // namespace
