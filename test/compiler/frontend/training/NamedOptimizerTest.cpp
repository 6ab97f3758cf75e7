// Tests optimizers by the names of their papers, and the current rate.
#include "Bowl.h"

#include <cmath>

using namespace tg;
using namespace tg::test;

namespace {
TEST(NamedOptimizer, adamWIsAdamWithDecay) {
  Bowl adam, adamW;
  std::vector<double> expected = adam.train(
      Adam({.learningRate = 0.1, .weightDecay = 0.01}).minimize(adam.loss), 3);
  EXPECT_EQ(adamW.train(AdamW({.learningRate = 0.1}).minimize(adamW.loss), 3),
            expected);
  Bowl other;
  double w = other.train(
      AdamW({.learningRate = 0.1, .weightDecay = 0.5}).minimize(other.loss),
      1)[0];
  // Adam's first step has the length of the rate.
  EXPECT_NEAR(w, 2 - 0.1 - 0.1 * 0.5 * 2, 1e-8);
}

TEST(NamedOptimizer, adadelta) {
  Bowl bowl;
  std::vector<double> path = bowl.train(
      Adadelta({.learningRate = 0.5, .decay = 0.9}).minimize(bowl.loss), 4);
  double w = 2, s = 0, u = 0;
  for (double found : path) {
    double g = 3 * w;
    s = 0.9 * s + 0.1 * g * g;
    double delta = std::sqrt(u + 1e-6) / std::sqrt(s + 1e-6) * g;
    u = 0.9 * u + 0.1 * delta * delta;
    w -= 0.5 * delta;
    EXPECT_NEAR(found, w, 1e-12);
  }
}

/// Returns Lamb's path of a vector with the loss Σ 3w²/2.
std::vector<double> lambPath(std::vector<double> w, int steps, double decay) {
  std::vector<double> m(w.size()), v(w.size()), u(w.size());
  for (int t = 1; t <= steps; ++t) {
    double length = 0, other = 0;
    for (size_t i = 0; i < w.size(); ++i) {
      double g = 3 * w[i];
      m[i] = 0.9 * m[i] + 0.1 * g;
      v[i] = 0.999 * v[i] + 0.001 * g * g;
      u[i] = m[i] / (1 - std::pow(0.9, t)) /
                 (std::sqrt(v[i] / (1 - std::pow(0.999, t))) + 1e-6) +
             decay * w[i];
      length += w[i] * w[i];
      other += u[i] * u[i];
    }
    double trust =
        length > 0 && other > 0 ? std::sqrt(length) / std::sqrt(other) : 1;
    for (size_t i = 0; i < w.size(); ++i)
      w[i] -= 0.1 * trust * u[i];
  }
  return w;
}

TEST(NamedOptimizer, lambTakesTheLengthsOfWholeVariables) {
  for (const std::vector<double> &start :
       {std::vector<double>{2, -1, 0.5}, std::vector<double>{0, 0, 0}}) {
    Program program("p");
    Variable w = program.variable("w", f64, {3}, values(start));
    Tensor loss = 1.5 * reduceSum(w * w);
    program.function(
        "train",
        {.outputs = {{"loss", loss}},
         .updates =
             Lamb({.learningRate = 0.1, .weightDecay = 0.2}).minimize(loss)});
    program.function("look", {.outputs = {{"w", w}}});
    Evaluator evaluator(program.text());
    evaluator.init(1);
    for (int step = 1; step <= 3; ++step) {
      evaluator.run("train", {});
      std::vector<double> found = evaluator.run("look", {})[0].values;
      std::vector<double> expected = lambPath(start, step, 0.2);
      for (size_t i = 0; i < found.size(); ++i)
        EXPECT_NEAR(found[i], expected[i], 1e-9);
    }
    EXPECT_EQ(evaluator.error(), "");
  }
}

// Steps of many variables have many slots.
TEST(NamedOptimizer, lambMovesManyVariables) {
  Program program("p");
  Tensor loss = program.constant(0, f64);
  std::vector<Variable> variables;
  for (int i = 0; i < 20; ++i) {
    variables.push_back(program.variable("w" + std::to_string(i), f64, {2}, 1.0,
                                         {.constraint = nonNegative()}));
    loss += reduceSum(square(variables.back()));
  }
  program.function(
      "train", {.outputs = {{"loss", loss}}, .updates = Lamb().minimize(loss)});
  Evaluator evaluator(program.text());
  evaluator.init(1);
  double first = evaluator.run("train", {})[0].values[0];
  EXPECT_EQ(first, 40);
  EXPECT_LT(evaluator.run("train", {})[0].values[0], first);
}

TEST(NamedOptimizer, newOptionsAreChecked) {
  Bowl bowl;
  EXPECT_THROW((void)AdamW({.beta1 = 1}).minimize(bowl.loss), GraphError);
  EXPECT_THROW((void)Lamb({.weightDecay = -1}).minimize(bowl.loss), GraphError);
  EXPECT_THROW((void)Adadelta({.decay = 1}).minimize(bowl.loss), GraphError);
}

TEST(NamedOptimizer, tellsThePresentRate) {
  Bowl bowl;
  SGD optimizer(
      {.learningRate = exponentialDecay({.rate = 0.2, .factor = 0.5})});
  Tensor rate = optimizer.learningRate(bowl.program);
  bowl.program.function("train", {.outputs = {{"rate", rate}},
                                  .updates = optimizer.minimize(bowl.loss)});
  bowl.program.function("look", {.outputs = {{"rate", rate}}});
  Evaluator evaluator(bowl.program.text());
  evaluator.init(1);
  for (double expected : {0.2, 0.1, 0.05}) {
    EXPECT_NEAR(evaluator.run("look", {})[0].values[0], expected, 1e-12);
    EXPECT_NEAR(evaluator.run("train", {})[0].values[0], expected, 1e-12);
  }
  EXPECT_EQ(evaluator.error(), "");
  ExecutionScope scope(true);
  Program program("eager");
  Variable w = program.variable("w", f32, {}, 2.0);
  for (double expected : {0.2, 0.1}) {
    EXPECT_NEAR(optimizer.learningRate(program).item(), expected, 1e-12);
    (void)optimizer.minimize([&] { return w * w; });
  }
}
} // namespace
