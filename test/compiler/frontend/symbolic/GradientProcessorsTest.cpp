// Tests gradient processors and optimizer wrappers.
#include "Towers.h"

using namespace tg;
using namespace tg::test;
using namespace tg::symbolic;

namespace {
/// A program in which a and net/b start at 2 and 3 with the gradients 3 and 4;
/// the loss does not depend on net/c.
struct Line {
  Program program{"p"};
  Variable a = program.variable("a", f64, {}, 2.0);
  Variable b = program.variable("net/b", f64, {}, 3.0);
  Variable c = program.variable("net/c", f64, {}, 5.0);
  Tensor loss = 3.0 * a + 4.0 * b;
  std::vector<std::string> warnings;

  Line() {
    program.onWarning([this](const Warning &warning) {
      warnings.push_back(warning.message);
    });
  }

  /// Returns a, b and c after each of `steps` steps, concatenated.
  Numbers train(const Updates &updates, int steps) {
    program.function("train",
                     {.outputs = {{"loss", loss}}, .updates = updates});
    program.function("look", {.outputs = {{"a", a}, {"b", b}, {"c", c}}});
    Evaluator evaluator(program.text());
    evaluator.init(1);
    Numbers path;
    for (int i = 0; i < steps; ++i) {
      evaluator.run("train", {});
      for (const Elements &value : evaluator.run("look", {}))
        path.push_back(value.values[0]);
    }
    EXPECT_EQ(evaluator.error(), "");
    return path;
  }

  /// Returns the values after a step of size 1 with processed gradients.
  Numbers process(std::vector<GradientProcessor> processors) {
    return train(
        ApplyGradProcessors(SGD({.learningRate = 1}), std::move(processors))
            .minimize(loss),
        1);
  }
};

TEST(GradientProcessors, ofAllVariables) {
  Line line;
  std::vector<Gradient> all = computeGradients(line.loss);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_TRUE(all[0].value.isDefined());
  EXPECT_FALSE(all[2].value.isDefined());
  std::vector<Gradient> some = computeGradients(line.loss, {line.c, line.b});
  EXPECT_FALSE(some[0].value.isDefined());
  EXPECT_TRUE(some[1].value.isDefined());
}

TEST(GradientProcessors, none) { expectNear(Line().process({}), {-1, -1, 5}); }

TEST(GradientProcessors, filterNone) {
  Line line;
  expectNear(line.process({FilterNoneGrad()}), {-1, -1, 5});
  ASSERT_FALSE(line.warnings.empty());
  EXPECT_NE(line.warnings[0].find("'net/c'"), std::string::npos);
}

TEST(GradientProcessors, globalNormClip) {
  expectNear(Line().process({GlobalNormClip(1)}), {2 - 0.6, 3 - 0.8, 5});
  expectNear(Line().process({GlobalNormClip(10)}), {-1, -1, 5});
}

TEST(GradientProcessors, map) {
  expectNear(Line().process({MapGradient(square)}), {2 - 9, 3 - 16, 5});
  // A pattern must match the whole name.
  expectNear(Line().process({MapGradient(square, "b")}), {-1, -1, 5});
  expectNear(Line().process({MapGradient(square, "net/.*")}), {-1, 3 - 16, 5});
  expectNear(Line().process({MapGradient(
                 [](Tensor, const Variable &) { return Tensor(); }, "a")}),
             {2, -1, 5});
  expectNear(Line().process({MapGradient(
                 [](Tensor g, const Variable &v) { return g + v; }, "a")}),
             {2 - 5, -1, 5});
}

TEST(GradientProcessors, scale) {
  using Factors = ScaleGradient::Factors;
  expectNear(Line().process({ScaleGradient(Factors{{"net/.*", 0.5}})}),
             {-1, 1, 5});
  expectNear(Line().process({ScaleGradient(Factors{{"net/b", 0}, {".*", 2}})}),
             {2 - 6, 3, 5});
}

TEST(GradientProcessors, oneAfterTheOther) {
  expectNear(Line().process({MapGradient(square), GlobalNormClip(1)}),
             {2 - 9 / std::sqrt(337), 3 - 16 / std::sqrt(337), 5});
}

TEST(GradientProcessors, check) {
  expectNear(Line().process({CheckGradient()}), {-1, -1, 5});
  Program program("p");
  Tensor x = program.input("x", f64, {2});
  Variable w = program.variable("net/w", f64, {2}, 1.0);
  program.function("train",
                   {.inputs = {x},
                    .updates = ApplyGradProcessors(SGD(), {CheckGradient()})
                                   .minimize(reduceSum(w * x))});
  Evaluator evaluator(program.text());
  evaluator.init(1);
  evaluator.run("train", {{{1, 2}, {2}, f64}});
  EXPECT_EQ(evaluator.error(), "");
  evaluator.run("train", {{{1, std::nan("")}, {2}, f64}});
  EXPECT_NE(evaluator.error().find("a finite gradient of 'net/w'"),
            std::string::npos)
      << evaluator.error();
}

TEST(GradientProcessors, print) {
  Line line;
  expectNear(line.process({PrintGradient("net/.*")}), {-1, -1, 5});
  std::string text = line.program.text();
  EXPECT_NE(text.find("gradient of net/b"), std::string::npos);
  EXPECT_EQ(text.find("gradient of a"), std::string::npos);
}

TEST(GradientProcessors, summaries) {
  Line line;
  Words shown;
  SummaryGradient summary(
      [&](const Variable &variable, Tensor gradient) {
        EXPECT_EQ(gradient.rank(), 0);
        shown.push_back(variable.name());
      },
      "net/.*");
  expectNear(line.process({summary, summary}), {-1, -1, 5});
  EXPECT_EQ(shown, (Words{"net/b"}));
  // A variable of another program is a different one, even with the same name.
  expectNear(Line().process({summary}), {-1, -1, 5});
  EXPECT_EQ(shown, (Words{"net/b", "net/b"}));
}

TEST(GradientProcessors, summariesOfEachStepOfEagerMode) {
  ExecutionScope mode(true);
  Program program("p");
  Variable w = program.variable("w", f64, {}, 2.0);
  Numbers shown;
  ApplyGradProcessors optimizer(
      SGD({.learningRate = 0.25}),
      {SummaryGradient([&](const Variable &, Tensor gradient) {
        shown.push_back(gradient.item());
      })});
  for (int step = 0; step < 3; ++step)
    (void)optimizer.minimize([&] { return w * w; });
  EXPECT_EQ(shown, (Numbers{4, 2, 1}));
}

TEST(Optimizers, variableAssignment) {
  Line line;
  VariableAssignment optimizer(
      SGD({.learningRate = 1}), [&](const Variable &variable, Tensor value) {
        return variable.name() == "a" ? maximum(value, 0.5) : Tensor();
      });
  expectNear(line.train(optimizer.minimize(line.loss), 2),
             {0.5, -1, 5, 0.5, -5, 5});
}

TEST(Optimizers, postProcess) {
  Line line;
  PostProcess optimizer(SGD({.learningRate = 1}),
                        [&] { return assign(line.c, 2.0 * line.c); });
  expectNear(line.train(optimizer.minimize(line.loss), 2),
             {-1, -1, 10, -4, -5, 20});
}

TEST(Optimizers, accumulateGradients) {
  Line line;
  AccumGrad optimizer(SGD({.learningRate = 1}), 3);
  expectNear(line.train(optimizer.minimize(line.loss), 6),
             {2, 3, 5, 2, 3, 5, -7, 3 - 12, 5, -7, -9, 5, -7, -9, 5, -7 - 9,
              -9 - 12, 5});
}

/// Trains w, which starts at 1 and has the gradient w, so that steps differ.
Numbers accumulated(const AnyOptimizer &optimizer, int steps) {
  Program program("p");
  Variable w = program.variable("w", f64, {2}, 1.0);
  program.function("train", {.updates = optimizer->minimize(l2Loss(w))});
  program.function("look", {.outputs = {{"w", w}}});
  Evaluator evaluator(program.text());
  evaluator.init(1);
  for (int i = 0; i < steps; ++i)
    evaluator.run("train", {});
  EXPECT_EQ(evaluator.error(), "");
  return evaluator.run("look", {})[0].values;
}

// Slots and the step count change only in steps that apply the sum.
TEST(Optimizers, accumulateForAnyOptimizer) {
  auto doubled = [](AnyOptimizer inner) {
    return ApplyGradProcessors(
        inner, {MapGradient([](Tensor gradient) { return 2.0 * gradient; })});
  };
  AnyOptimizer inner[] = {Adam(), Momentum({.learningRate = 0.1}), RMSProp(),
                          Adagrad()};
  for (const AnyOptimizer &optimizer : inner) {
    expectNear(accumulated(AccumGrad(optimizer, 2), 6),
               accumulated(doubled(optimizer), 3));
    expectNear(accumulated(AccumGrad(optimizer, 2), 7),
               accumulated(doubled(optimizer), 3));
  }
  expectNear(accumulated(AccumGrad(AccumGrad(SGD(), 2), 3), 12),
             accumulated(AccumGrad(SGD(), 6), 12));
}

// Inner processors see the sum, outer processors see each gradient.
TEST(Optimizers, nest) {
  Line line;
  AccumGrad optimizer(
      ApplyGradProcessors(SGD({.learningRate = 1}), {GlobalNormClip(1)}), 2);
  expectNear(
      line.train(optimizer.minimize(line.loss, {.variables = {line.a, line.b}}),
                 2),
      {2, 3, 5, 2 - 0.6, 3 - 0.8, 5});
  Line clipped;
  expectNear(clipped.train(ApplyGradProcessors(SGD({.learningRate = 1}), {})
                               .minimize(clipped.loss, {.clipByGlobalNorm = 1}),
                           1),
             {2 - 0.6, 3 - 0.8, 5});
}
} // namespace
