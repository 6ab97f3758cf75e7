/// A relu as a host function with its gradient as a host function, both
/// registered by name: on random x the gradient of relu(x · x) differs from
/// central differences by less than 2e-3 in f32. With a wrong gradient it
/// differs by more than 0.1.
#include "Scenario.h"
#include <functional>
using namespace tg;

/// Returns a host function that applies a function elementwise.
static ArrayFunction elementwise(std::function<float(float, float)> element) {
  return [element](const std::vector<Array> &inputs) {
    std::vector<float> results;
    for (size_t i = 0; i < inputs[0].size(); ++i)
      results.push_back(element(static_cast<float>(inputs[0].at(i)),
                                static_cast<float>(inputs.back().at(i))));
    return std::vector{Array(results, inputs[0].shape())};
  };
}

int main() {
  Program program("host");
  Tensor x = program.input("x", f32, {10});
  const TensorType like = {f32, {10}};
  registerHost(program, "relu",
               elementwise([](float x, float) { return std::fmax(x, 0.0f); }));
  registerHost(program, "relu_gradient",
               elementwise([](float y, float gradient) {
                 return y > 0 ? gradient : 0;
               }));
  // Passes the cotangent where the result is above 0.
  registerGradient(
      program, "MyReluGrad", [&](auto &, auto &outputs, auto &gradients) {
        return std::vector{hostCall("relu_gradient", {outputs[0], gradients[0]},
                                    like, {.pure = true})};
      });
  registerGradient(program, "WrongGrad", [](auto &, auto &, auto &gradients) {
    return std::vector{gradients[0] * 3.0};
  });
  auto reluWith = [&](const char *gradient) {
    GradientOverride gradientOverride(program, {{"relu", gradient}});
    return hostCall("relu", {x * x}, like);
  };

  Session session(program);
  GradientErrorOptions options = {.seed = 16};
  double error = computeGradientError(session, x, {10}, reluWith("MyReluGrad"),
                                      {10}, options);
  double wrongError = computeGradientError(
      session, x, {10}, reluWith("WrongGrad"), {10}, options);
  std::printf("gradient error %.2g, of a wrong gradient %.2g\n", error,
              wrongError);
  check(error < 2e-3, "an error below 2e-3");
  check(wrongError > 0.1, "an error above 0.1 of a wrong gradient");
}
