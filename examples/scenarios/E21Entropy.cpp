/// The entropy of five equal logits is ln 5; softmax of [1000, 0] is [1, 0].
#include "Scenario.h"
using namespace tg;

static Tensor entropy(Tensor logits) {
  return -reduceSum(softmax(logits) * logSoftmax(logits), {.axes = {-1}});
}

int main() {
  Program program("entropy");
  Tensor largeLogits = program.constant({1000, 0}, f32, {2});
  program.function("run", {.outputs = {{"entropy", entropy(program.ones({5}))},
                                       {"softmax", softmax(largeLogits)}}});
  Context context = load(program).context();
  expect(context.run("run", {}), "entropy", {1.609438f});
  expect(context.run("run", {}), "softmax", {1, 0});
}
