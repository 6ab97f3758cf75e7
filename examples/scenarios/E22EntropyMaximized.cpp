/// Adam maximizes the entropy of five logits: all probabilities become 0.2. A
/// loss that stops the gradient of the labels has the same value but another
/// gradient, and the entropy does not grow.
#include "Scenario.h"
using namespace tg;

/// Returns the entropy as the cross entropy of a distribution with itself.
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
  Tensor x = Program("gradients").input("x", f32, {5});
  std::vector<float> point = {1, 0.5, 0.4, -0.6, -0.5};
  GradientErrorOptions options = {.initial = Array(point, {5})};
  double errors[] = {computeGradientError(x, {5}, right(x), {}, options),
                     computeGradientError(x, {5}, wrong(x), {}, options)};
  std::printf("error of the gradient: %.5f, %.5f\n", errors[0], errors[1]);
  check(errors[0] < 5e-4 && errors[1] > 0.05, "one gradient to be right");

  Context context = load(program).context({.seed = 1});
  for (int step = 0; step < 2000; ++step) {
    context.run("train_right", {});
    context.run("train_wrong", {});
  }
  expect(context.run("train_right", {}), "p", {0.2f, 0.2f, 0.2f, 0.2f, 0.2f},
         1e-3);
  expect(context.run("train_right", {}), "entropy", {1.609438f});
  double wrongEntropy = context.run("train_wrong", {}).scalar("entropy");
  std::printf("with the wrong gradient: %.3f\n", wrongEntropy);
  check(wrongEntropy < 1.55, "an entropy that did not grow");
}
