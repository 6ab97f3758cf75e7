/// Adam makes the entropy of five logits as great as it can be: all
/// probabilities become 0.2. A loss that holds the labels' gradient back has
/// the same value and another gradient, and the entropy does not grow.
#include "Scenario.h"
using namespace tg;

/// The entropy as the cross entropy of a distribution with itself.
static Tensor right(Tensor logits) {
  return softmaxCrossEntropy(logits, softmax(logits));
}
static Tensor wrong(Tensor logits) {
  return softmaxCrossEntropy(logits, stopGradient(softmax(logits)));
}

int main() {
  Program program("entropy");
  Initializer start = values({1, 0.5, 0.4, -0.6, -0.5});
  auto maximize = [&](std::string name, Tensor (*entropy)(Tensor)) {
    Variable logits = program.variable(name, f32, {5}, start);
    Tensor value = entropy(logits);
    program.function(
        "train_" + name,
        {.outputs = {{"entropy", value}, {"p", softmax(logits)}},
         .updates = Adam({.learningRate = 0.01}).minimize(-value)});
  };
  maximize("right", right);
  maximize("wrong", wrong);
  Tensor x = program.input("x", f32, {5});
  program.function("gradients",
                   {.inputs = {x},
                    .outputs = {{"entropy", right(x)},
                                {"right", gradientsOf(right(x), {x})[0]},
                                {"wrong", gradientsOf(wrong(x), {x})[0]}}});

  Context context = load(program).context({.seed = 1});
  std::vector<float> at = {1, 0.5, 0.4, -0.6, -0.5};
  auto entropyAt = [&](size_t i, float delta) {
    std::vector<float> moved = at;
    moved[i] += delta;
    return context.run("gradients", {{"x", moved}}).scalar("entropy");
  };
  double errors[2] = {};
  for (size_t i = 0; i < 5; ++i) {
    double slope = (entropyAt(i, 1e-2f) - entropyAt(i, -1e-2f)) / 2e-2;
    const Outputs &found = context.run("gradients", {{"x", at}});
    errors[0] =
        std::fmax(errors[0], std::abs(slope - found.values<float>("right")[i]));
    errors[1] =
        std::fmax(errors[1], std::abs(slope - found.values<float>("wrong")[i]));
  }
  std::printf("error of the gradient: %.5f, %.5f\n", errors[0], errors[1]);
  check(errors[0] < 5e-4 && errors[1] > 0.05, "one gradient to be right");

  for (int step = 0; step < 2000; ++step) {
    context.run("train_right", {});
    context.run("train_wrong", {});
  }
  expect(context.run("train_right", {}), "p", {0.2f, 0.2f, 0.2f, 0.2f, 0.2f},
         1e-3);
  expect(context.run("train_right", {}), "entropy", {1.609438f});
  double kept = context.run("train_wrong", {}).scalar("entropy");
  std::printf("with the wrong gradient: %.3f\n", kept);
  check(kept < 1.55, "an entropy that did not grow");
}
