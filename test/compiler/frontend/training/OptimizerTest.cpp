// Compares steps of optimizers with their formulas.
#include "Bowl.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <regex>
#include <set>
#include <sstream>

using namespace tg;
using namespace tg::test;

namespace {
TEST(Optimizer, sgd) {
  Bowl bowl;
  std::vector<double> w =
      bowl.train(SGD({.learningRate = 0.1}).minimize(bowl.loss), 2);
  EXPECT_NEAR(w[0], 1.4, 1e-12);
  EXPECT_NEAR(w[1], 0.98, 1e-12);
}

// Variables and slots are unchanged if the condition is false.
TEST(Optimizer, applyWithACondition) {
  Bowl bowl;
  Variable odd =
      bowl.program.variable("odd", boolean, {}, 1.0, {.trainable = false});
  Momentum optimizer({.learningRate = 0.1});
  std::vector<double> w =
      bowl.train(optimizer.applyWith(gradients(bowl.loss), {.condition = odd},
                                     std::source_location::current()) +
                     assign(odd, !odd),
                 3);
  EXPECT_NEAR(w[0], 1.4, 1e-12);
  EXPECT_NEAR(w[1], 1.4, 1e-12);
  EXPECT_NEAR(w[2], 1.4 - 0.1 * (0.9 * 6 + 4.2), 1e-12);
}

TEST(Optimizer, applyWithAnAssignmentAndACount) {
  Bowl bowl;
  ApplyOptions options = {.count = bowl.program.constant(1, i64),
                          .assignment = [](const Variable &, Tensor value) {
                            return maximum(value, 1.5);
                          }};
  std::vector<double> w =
      bowl.train(Adam({.learningRate = 0.1})
                     .applyWith(gradients(bowl.loss), options,
                                std::source_location::current()),
                 6);
  EXPECT_NEAR(w[0], 1.9, 1e-6);
  EXPECT_NEAR(w[5], 1.5, 1e-12);
}

// A name creates the class with that name and the default options.
TEST(Optimizer, byName) {
  auto pathOf = [](const BaseOptimizer &optimizer) {
    Bowl bowl;
    return bowl.train(optimizer.minimize(bowl.loss), 3);
  };
  auto named = [&](const char *name) {
    return pathOf(*createOptimizer(name, 0.1));
  };
  EXPECT_EQ(named("SGD"), pathOf(SGD({.learningRate = 0.1})));
  EXPECT_EQ(named("momentum"), pathOf(Momentum({.learningRate = 0.1})));
  EXPECT_EQ(named("adam"), pathOf(Adam({.learningRate = 0.1})));
  EXPECT_EQ(named("RMSProp"), pathOf(RMSProp({.learningRate = 0.1})));
  EXPECT_EQ(named("adagrad"), pathOf(Adagrad({.learningRate = 0.1})));
  EXPECT_EQ(named("FTRL"), pathOf(Ftrl({.learningRate = 0.1})));
  EXPECT_EQ(named("adamw"), pathOf(AdamW({.learningRate = 0.1})));
  EXPECT_EQ(named("LAMB"), pathOf(Lamb({.learningRate = 0.1})));
  EXPECT_EQ(named("adadelta"), pathOf(Adadelta({.learningRate = 0.1})));
  for (const std::string &name : optimizerNames())
    EXPECT_LT(std::abs(named(name.c_str()).back()), 2) << name;
  std::vector<double> decayed =
      pathOf(*createOptimizer("sgd", piecewiseConstant({{1}, {0.1, 0}})));
  EXPECT_NEAR(decayed[2], 1.4, 1e-12);
  try {
    createOptimizer("Adm", 0.1);
    ADD_FAILURE() << "expected an error";
  } catch (const GraphError &error) {
    EXPECT_EQ(error.line, unsigned(__LINE__ - 3));
    EXPECT_EQ(error.message.find("expected an optimizer of Ada"), 0u);
    EXPECT_NE(error.message.find("found 'Adm'"), std::string::npos);
  }
}

// Every optimizer class of the header has a name.
TEST(Optimizer, eachHasItsName) {
  std::ifstream file(TG_OPTIMIZER_HEADER);
  std::stringstream text;
  text << file.rdbuf();
  const std::string header = text.str();
  const std::regex kind("\\nclass (\\w+) : public (Optimizer|Adam) ");
  std::set<std::string> classes;
  for (auto at = std::sregex_iterator(header.begin(), header.end(), kind);
       at != std::sregex_iterator(); ++at)
    classes.insert((*at)[1]);
  EXPECT_GE(classes.size(), 9u);
  std::vector<std::string> names = optimizerNames();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()), classes);
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
}

TEST(Optimizer, momentum) {
  Bowl bowl;
  std::vector<double> w =
      bowl.train(Momentum({.learningRate = 0.1}).minimize(bowl.loss), 2);
  EXPECT_NEAR(w[0], 1.4, 1e-12);
  EXPECT_NEAR(w[1], 1.4 - 0.1 * (0.9 * 6 + 4.2), 1e-12);
}

TEST(Optimizer, nesterov) {
  Bowl bowl;
  Momentum optimizer({.learningRate = 0.1, .nesterov = true});
  std::vector<double> w = bowl.train(optimizer.minimize(bowl.loss), 1);
  EXPECT_NEAR(w[0], 2 - 0.1 * (6 + 0.9 * 6), 1e-12);
}

TEST(Optimizer, adam) {
  Bowl bowl;
  std::vector<double> path =
      bowl.train(Adam({.learningRate = 0.1}).minimize(bowl.loss), 3);
  double w = 2, m = 0, v = 0;
  for (int t = 1; t <= 3; ++t) {
    double g = 3 * w;
    m = 0.9 * m + 0.1 * g;
    v = 0.999 * v + 0.001 * g * g;
    double rate =
        0.1 * std::sqrt(1 - std::pow(0.999, t)) / (1 - std::pow(0.9, t));
    w -= rate * m / (std::sqrt(v) + 1e-8);
    EXPECT_NEAR(path[t - 1], w, 1e-9) << "step " << t;
  }
}

TEST(Optimizer, weightDecayIsApartFromTheGradient) {
  Bowl plain, decayed;
  double without =
      plain.train(Adam({.learningRate = 0.1}).minimize(plain.loss), 1)[0];
  Adam optimizer({.learningRate = 0.1, .weightDecay = 0.5});
  double with = decayed.train(optimizer.minimize(decayed.loss), 1)[0];
  EXPECT_NEAR(with, without - 0.1 * 0.5 * 2, 1e-12);
}

TEST(Optimizer, rmsProp) {
  Bowl bowl;
  RMSProp optimizer({.learningRate = 0.1, .momentum = 0.5});
  std::vector<double> path = bowl.train(optimizer.minimize(bowl.loss), 2);
  double w = 2, s = 1, a = 0;
  for (double found : path) {
    double g = 3 * w;
    s = 0.9 * s + 0.1 * g * g;
    a = 0.5 * a + 0.1 * g / std::sqrt(s + 1e-10);
    w -= a;
    EXPECT_NEAR(found, w, 1e-9);
  }
}

TEST(Optimizer, adamTakesItsDecays) {
  Bowl bowl;
  double w = bowl.train(
      Adam({.learningRate = 0.1, .beta1 = 0.5, .beta2 = 0.75, .epsilon = 0.5})
          .minimize(bowl.loss),
      1)[0];
  // After one step the averages of 6 and 36 are 3 and 9; the rate is corrected.
  double rate = 0.1 * std::sqrt(1 - 0.75) / (1 - 0.5);
  EXPECT_NEAR(w, 2 - rate * 3 / (3 + 0.5), 1e-12);
}

TEST(Optimizer, accumulatorsStartWhereTheyAreTold) {
  Bowl first, second;
  double w =
      first.train(Adagrad({.learningRate = 0.1, .initialAccumulator = 28})
                      .minimize(first.loss),
                  1)[0];
  EXPECT_NEAR(w, 2 - 0.1 * 6 / 8, 1e-12);
  // z = 6 - (8 - sqrt(28)) / 0.5 · 2.
  Ftrl ftrl({.learningRate = 0.5, .initialAccumulator = 28});
  double z = 6 - (8 - std::sqrt(28.)) / 0.5 * 2;
  EXPECT_NEAR(second.train(ftrl.minimize(second.loss), 1)[0], -z / (8 / 0.5),
              1e-12);
}

TEST(Optimizer, adagrad) {
  Bowl bowl;
  std::vector<double> w =
      bowl.train(Adagrad({.learningRate = 0.1}).minimize(bowl.loss), 1);
  EXPECT_NEAR(w[0], 2 - 0.1 * 6 / std::sqrt(36.1), 1e-12);
}

TEST(Optimizer, ftrl) {
  Bowl bowl;
  Ftrl optimizer({.learningRate = 0.5, .l1 = 0.2, .l2 = 0.3});
  std::vector<double> path = bowl.train(optimizer.minimize(bowl.loss), 3);
  double w = 2, n = 0.1, z = 0;
  for (double found : path) {
    double g = 3 * w, sum = n + g * g;
    z += g - (std::sqrt(sum) - std::sqrt(n)) / 0.5 * w;
    n = sum;
    w = std::abs(z) <= 0.2
            ? 0
            : -(z - std::copysign(0.2, z)) / (std::sqrt(n) / 0.5 + 2 * 0.3);
    EXPECT_NEAR(found, w, 1e-9);
  }
}

TEST(Optimizer, ftrlKeepsWeightsWhereTheRateIsZero) {
  Schedule rate = warmUp({.steps = 2, .then = 0.5});
  Bowl bowl;
  std::vector<double> path =
      bowl.train(Ftrl({.learningRate = rate}).minimize(bowl.loss), 2);
  EXPECT_EQ(path[0], 2);
  // The first step, which has the rate 0, did not change the slots.
  double n = 0.1 + 36;
  double z = 6 - (std::sqrt(n) - std::sqrt(0.1)) / 0.25 * 2;
  EXPECT_NEAR(path[1], -z / (std::sqrt(n) / 0.25), 1e-9);
  ExecutionScope scope(true);
  Program program("p");
  Variable w = program.variable("w", f64, {}, 2.0);
  for (double expected : path) {
    (void)Ftrl({.learningRate = rate}).minimize([&] { return 1.5 * w * w; });
    EXPECT_NEAR(w.item(), expected, 1e-12);
  }
}

TEST(Optimizer, ftrlMakesWeightsZero) {
  Bowl bowl;
  Ftrl optimizer({.learningRate = 0.1, .l1 = 1000});
  EXPECT_EQ(bowl.train(optimizer.minimize(bowl.loss), 1)[0], 0);
}

TEST(Optimizer, clipsByGlobalNorm) {
  Bowl bowl;
  Updates updates =
      SGD({.learningRate = 0.1}).minimize(bowl.loss, {.clipByGlobalNorm = 2.0});
  EXPECT_NEAR(bowl.train(updates, 1)[0], 2 - 0.1 * 2, 1e-12);
}

TEST(Optimizer, regularizationIsPartOfTheLoss) {
  Bowl bowl;
  Tensor loss = bowl.loss + l2Penalty({bowl.w}, 4.0) + l1Penalty({bowl.w}, 1.0);
  double w = bowl.train(SGD({.learningRate = 0.1}).minimize(loss), 1)[0];
  EXPECT_NEAR(w, 2 - 0.1 * (6 + 4 * 2 + 1), 1e-12);
}

TEST(Optimizer, collectsRegularizersOfVariablesThatAreTrained) {
  Program program("p");
  Variable w = program.variable("w", f64, {2}, values({3, -4}),
                                {.regularizer = l2Regularizer(0.1)});
  Variable v =
      program.variable("v", f64, {}, -2.0, {.regularizer = l1Regularizer(0.5)});
  Variable frozen =
      program.variable("frozen", f64, {}, 1.0,
                       {.trainable = false, .regularizer = l2Regularizer(1)});
  Variable plain = program.variable("plain", f64, {}, 7.0);
  program.function("f",
                   {.outputs = {{"all", regularization(program.variables())},
                                {"none", regularization({plain, frozen})}}});
  Evaluator evaluator(program.text());
  evaluator.init(1);
  std::vector<Elements> found = evaluator.run("f", {});
  ASSERT_EQ(evaluator.error(), "");
  EXPECT_NEAR(found[0].values[0], 0.1 * 12.5 + 0.5 * 2, 1e-12);
  EXPECT_EQ(found[1].values[0], 0);
}

/// Returns w, which starts at (3, 4), and its slots after one step with the
/// gradient -1 in each element.
template <typename Optimizer>
std::vector<double> constrained(const Constraint &constraint,
                                const Optimizer &optimizer) {
  Program program("p");
  Variable w = program.variable("w", f64, {2, 1}, values({3, 4}),
                                {.constraint = constraint});
  Variable other = program.variable("other", f64, {}, 0.0);
  Tensor loss = -reduceSum(w) + other;
  program.function("train", {.updates = optimizer.minimize(loss)});
  std::vector<Output> outputs;
  for (const Variable &variable : program.variables())
    if (variable.name() != "other")
      outputs.push_back({variable.name(), cast(variable, f64)});
  program.function("look", {.outputs = outputs});
  Evaluator evaluator(program.text());
  evaluator.init(1);
  evaluator.run("train", {});
  std::vector<double> all;
  for (const Elements &output : evaluator.run("look", {}))
    all.insert(all.end(), output.values.begin(), output.values.end());
  EXPECT_EQ(evaluator.error(), "");
  return all;
}

TEST(Optimizer, appliesConstraintsToWhatAStepGives) {
  auto expect = [](std::vector<double> found, std::vector<double> expected) {
    for (size_t i = 0; i < expected.size(); ++i)
      EXPECT_NEAR(found.at(i), expected[i], 1e-9) << "at " << i;
  };
  SGD one({.learningRate = 1.0});
  expect(constrained({}, one), {4, 5});
  double length = std::sqrt(41.0);
  expect(constrained(unitNorm(), one), {4 / length, 5 / length});
  expect(constrained(maxNorm(2), one), {8 / length, 10 / length});
  expect(constrained(maxNorm(7), one), {4, 5});
  Schedule against([](Tensor step) { return step - 3.5; });
  expect(constrained(nonNegative(), SGD({.learningRate = against})), {0, 0.5});
  expect(constrained([](Tensor w) { return minimum(w, 4.5); }, one), {4, 4.5});
  // The slots are those of a step without the constraint.
  expect(constrained(nonNegative(), Momentum({.learningRate = 1.0})),
         {4, 5, -1, -1});
  Adam adam({.learningRate = 1.0});
  expect(constrained(nonNegative(), adam), constrained({}, adam));
}

TEST(Optimizer, differentiatesGradients) {
  Bowl bowl;
  Tensor slope = gradients(bowl.loss).front().value; // 3w
  double w =
      bowl.train(SGD({.learningRate = 0.1}).minimize(slope * slope), 1)[0];
  EXPECT_NEAR(w, 2 - 0.1 * 18 * 2, 1e-12);
}

TEST(Optimizer, slotsAreNamedAfterTheirVariable) {
  Bowl bowl;
  Updates updates = Adam().minimize(bowl.loss);
  std::vector<std::string> names;
  for (const Variable &variable : bowl.program.variables())
    names.push_back(variable.name());
  EXPECT_NE(std::find(names.begin(), names.end(), "w.adam_m"), names.end());
  EXPECT_NE(std::find(names.begin(), names.end(), "w.adam_v"), names.end());
}

TEST(Optimizer, averagesValuesBeforeTheStep) {
  Bowl bowl;
  ExponentialMovingAverage average({.decay = 0.5});
  Variable mean = average.average(bowl.w);
  bowl.program.function("mean", {.outputs = {{"mean", mean}}});
  bowl.program.function(
      "both", {.updates = SGD({.learningRate = 0.1}).minimize(bowl.loss) +
                          average.update({bowl.w})});
  Evaluator evaluator(bowl.program.text());
  evaluator.init(1);
  auto look = [&] { return evaluator.run("mean", {})[0].values[0]; };
  EXPECT_EQ(look(), 2);
  evaluator.run("both", {});
  EXPECT_EQ(look(), 2);
  evaluator.run("both", {});
  EXPECT_NEAR(look(), (2 + 1.4) / 2, 1e-12);
}

TEST(Optimizer, learningRateMayBeAnInput) {
  Program program("p");
  Tensor rate = program.input("rate", f32, {});
  Variable w = program.variable("w", f32, {}, 2.0);
  program.function("train",
                   {.inputs = {rate},
                    .outputs = {{"w", w}},
                    .updates = SGD({.learningRate = rate}).minimize(w * w)});
  Evaluator evaluator(program.text());
  evaluator.init(1);
  evaluator.run("train", {{{0.25}}});
  EXPECT_NEAR(evaluator.run("train", {{{0}}})[0].values[0], 1, 1e-6);
}
} // namespace
