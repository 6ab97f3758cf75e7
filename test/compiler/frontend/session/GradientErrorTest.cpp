// Compares gradients with central differences in sessions.
#include "../Errors.h"

#include <cmath>

using namespace tg;

namespace {
class GradientErrors : public testing::Test {
protected:
  Program graph{"g"};
  DefaultGraph building{graph};
  Session session{{.optimization = 1, .kernelCache = ""}};
};

/// Returns -x · log x with a custom gradient of `factor` times the correct one.
Tensor entropy(Tensor x, double factor) {
  auto forward = [](auto &inputs) {
    return std::vector{-inputs[0] * log(inputs[0])};
  };
  auto backward = [&](auto &inputs, auto &, auto &gradients) {
    return std::vector{gradients[0] * factor * (-1.0 - log(inputs[0]))};
  };
  return customGradient({x}, forward, backward)[0];
}

TEST_F(GradientErrors, findAWrongGradientThatIsGiven) {
  Tensor x = placeholder(f64, {2, 3});
  GradientErrorOptions options = {
      .initial = Array(std::vector<double>{.2, .3, .4, .5, .6, .7}, {2, 3})};
  Tensor right = entropy(x, 1);
  Tensor wrong = entropy(x, 1.5);
  EXPECT_LT(computeGradientError(session, x, {2, 3}, right, {2, 3}, options),
            1e-5);
  // -1 - log .7 is the largest derivative.
  EXPECT_NEAR(computeGradientError(session, x, {2, 3}, wrong, {2, 3}, options),
              0.5 * (1 + std::log(.7)), 1e-4);
  Array between(std::vector<double>{1, 1, 1, 1, 1, 1}, {2, 3});
  EXPECT_NEAR(computeGradientError(session, x, {2, 3}, wrong, {2, 3},
                                   {.initial = between}),
              0.5, 1e-4);
}

TEST_F(GradientErrors, findAGradientThatIsHeldBack) {
  Variable logits = variable({1, .5, .4, -.6, -.5}, "logits");
  auto of = [&](Tensor labels) { return softmaxCrossEntropy(logits, labels); };
  Tensor right = of(softmax(logits));
  Tensor wrong = of(stopGradient(softmax(logits)));
  EXPECT_LT(computeGradientError(logits, {5}, right, {}), 1e-3);
  EXPECT_GT(computeGradientError(logits, {5}, wrong, {}), .05);
  // The variable is uninitialized, so a random point is used.
  EXPECT_LT(computeGradientError(session, logits, {5}, right, {}), 1e-3);
  EXPECT_GT(computeGradientError(session, logits, {5}, wrong, {}), .01);
  EXPECT_FALSE(session.isInitialized(logits));
}

TEST_F(GradientErrors, startsFromTheVariablesValue) {
  Variable w = variable(3.0, {.name = "w", .dtype = f64});
  Tensor y = w * w * stopGradient(w); // 3w², with the gradient 2w²
  session.run(graph.initializer());
  session.run(assign(w, 5));
  EXPECT_NEAR(computeGradientError(session, w, {}, y, {}), 25, 1e-4);
  EXPECT_EQ(session.run(w).scalar(), 5);
  EXPECT_NEAR(computeGradientError(w, {}, y, {}), 9, 1e-4);
}

TEST_F(GradientErrors, takesUnknownExtentsFeedsAndScalars) {
  Tensor x = placeholder(f64, {dim("n"), 2}, "x");
  Tensor y = placeholder(f64, {dim("n"), 2}, "y");
  std::vector<double> six(6, 2.5);
  GradientErrorOptions options = {.feeds = {{y, {six, {3, 2}}}}, .seed = 7};
  EXPECT_LT(
      computeGradientError(session, x, {3, 2}, x * y + sin(x), {3, 2}, options),
      1e-6);
  EXPECT_LT(
      computeGradientError(session, x, {3, 2}, reduceSum(x * y), {}, options),
      1e-6);
  // y does not depend on x: its derivatives are 0.
  EXPECT_LT(computeGradientError(session, x, {3, 2}, y * 2.0, {3, 2}, options),
            1e-12);
  EXPECT_NEAR(
      computeGradientError(session, x, {3, 2}, stopGradient(x * 4.0), {3, 2}),
      4, 1e-6);
  // For an intermediate tensor, the ops before it do not count.
  Tensor middle = stopGradient(x) * 2.0;
  EXPECT_LT(
      computeGradientError(session, middle, {3, 2}, middle * middle, {3, 2}),
      1e-6);
  EXPECT_EQ(computeGradientError(session, x, {0, 2}, x * 2.0, {0, 2}), 0);
}

TEST_F(GradientErrors, goThroughLoopsAndBranches) {
  Tensor x = placeholder(f64, {4});
  Tensor looped = whileLoop([](Tensor i, Tensor) { return i < 3.0; },
                            [](Tensor i, Tensor value) {
                              return std::vector{i + 1.0, sin(value) * value};
                            },
                            {constant(0), x}, {.maxTrip = 5})[1];
  EXPECT_LT(computeGradientError(session, x, {4}, looped, {4}), 1e-5);
}

TEST_F(GradientErrors, tellTheMistake) {
  Tensor x = placeholder(f32, {dim("n"), 3}, "x");
  Tensor y = x * 2.0;
  Tensor whole = placeholder(i32, {2});
#define COMPUTE(...) computeGradientError(session, __VA_ARGS__)
  EXPECT_ERROR(COMPUTE(x, {3}, y, {2, 3}), "that fits [n, 3], found [3]");
  EXPECT_ERROR(COMPUTE(x, {2, 4}, y, {2, 3}), "x that fits [n, 3]");
  EXPECT_ERROR(COMPUTE(x, {-2, 3}, y, {2, 3}), "found [-2, 3]");
  EXPECT_ERROR(COMPUTE(x, {2, 3}, y, {2, 4}), "y that fits");
  EXPECT_ERROR(COMPUTE(x, {2, 3}, y, {5, 3}), "expected");
  EXPECT_ERROR(COMPUTE(whole, {2}, y, {2, 3}), "x to be of floats, found i32");
  EXPECT_ERROR(COMPUTE(x, {2, 3}, cast(x, i32), {2, 3}), "y to be of floats");
  EXPECT_ERROR(COMPUTE(Tensor(), {2}, y, {2, 3}), "");
  EXPECT_ERROR(COMPUTE(x, {2, 3}, y, {2, 3}, {.delta = 0}), "above 0");
  EXPECT_ERROR(COMPUTE(x, {2, 3}, y, {2, 3}, {.delta = 1e-30}),
               "a delta that moves element 0");
  EXPECT_ERROR(
      COMPUTE(x, {2, 3}, y, {2, 3}, {.initial = Array({1.5, 2.5, 3.5})}),
      "initial value of type f32 and shape [2, 3]");
  EXPECT_ERROR(COMPUTE(x, {2, 3}, x + randomNormal({3}), {2, 3}),
               "uses random numbers");
  EXPECT_ERROR(COMPUTE(x, {2, 3}, x * placeholder(f32, {}, "s"), {2, 3}),
               "placeholder 's'");
  Program other("other");
  EXPECT_ERROR(COMPUTE(x, {2, 3}, other.constant(1), {}), "another graph");
#undef COMPUTE
}

TEST_F(GradientErrors, leaveNoInputBehind) {
  Tensor x = graph.input("x", f32, {3});
  Tensor y = x * x;
  EXPECT_LT(computeGradientError(session, x, {3}, y, {3}), 2e-3);
  std::vector<std::string> warnings;
  graph.onWarning(
      [&](const Warning &warning) { warnings.push_back(warning.message); });
  graph.function("f", {.inputs = {x}, .outputs = {{"y", y}}});
  EXPECT_EQ(graph.text().find("gradient"), std::string::npos);
  EXPECT_TRUE(warnings.empty());
}
} // namespace
