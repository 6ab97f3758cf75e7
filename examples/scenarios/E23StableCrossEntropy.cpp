/// The cross entropy of large logits is 500, with a gradient of [0.5, -0.5]. A
/// naive formula gives infinity, and a naive softmax NaN.
#include "Scenario.h"
using namespace tg;

int main() {
  Program program("stable");
  Tensor logits = program.input("logits", f32, {2});
  Tensor labels = program.constant({0.5, 0.5}, f32, {2});
  Tensor loss = softmaxCrossEntropy(logits, labels);
  program.function(
      "run",
      {.inputs = {logits},
       .outputs = {{"loss", loss},
                   {"gradient", gradientsOf(loss, {logits})[0]},
                   {"naive_loss", -reduceSum(labels * log(softmax(logits)))},
                   {"naive_softmax", exp(logits) / reduceSum(exp(logits))}}});

  Context context = load(program).context();
  std::vector<float> largeLogits = {1000, 0};
  const Outputs &outputs = context.run("run", {{"logits", largeLogits}});
  expect(outputs, "loss", {500});
  expect(outputs, "gradient", {0.5f, -0.5f});
  expect(outputs, "naive_loss", {INFINITY});
  expect(outputs, "naive_softmax", {NAN, 0});
}
