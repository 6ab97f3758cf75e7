/// Tests the tapes of eager mode: the recorded ops, and gradients of any order.
#include "../Errors.h"
#include "EagerProgram.h"

#include <cmath>

using namespace tg;

// Two tapes never share a record.
static_assert(!std::is_copy_constructible_v<GradientTape> &&
              !std::is_copy_assignable_v<GradientTape>);

namespace {
class EagerTapeTest : public EagerProgram {};
} // namespace

using Floats = std::vector<float>;

TEST_F(EagerTapeTest, TapesHoldWhatTheyRecordAlone) {
  Variable w = program.variable("w", f32, {}, 3.0);
  Tensor x = program.constant(2);
  GradientTape tape;
  Tensor a = x * x, b = a * x;
  EXPECT_EQ(program.recordedOperationCount(), 0u);
  Tensor c = w * b;
  EXPECT_EQ(program.recordedOperationCount(), 1u);
}

TEST_F(EagerTapeTest, GradientsOfATape) {
  Tensor x = vector({1, 2, 3});
  GradientTape tape;
  tape.watch(x);
  Tensor y = reduceSum(x * x * x);
  std::vector<Tensor> found = tape.gradient(y, std::vector<Tensor>{x});
  EXPECT_EQ(found[0].values<float>(), (Floats{3, 12, 27}));
  EXPECT_ERROR(tape.gradient(y, std::vector<Tensor>{x}),
               "expected one call of gradient()");
}

TEST_F(EagerTapeTest, GradientsOfProducts) {
  auto gradient = [&](std::vector<float> elements) {
    Tensor x = vector(std::move(elements));
    GradientTape tape;
    tape.watch(x);
    Tensor y = reduceProd(x);
    return tape.gradient(y, std::vector<Tensor>{x})[0].values<float>();
  };
  EXPECT_EQ(gradient({2, 3, 4}), (Floats{12, 8, 6}));
  EXPECT_EQ(gradient({1e30f, 1e30f, 0, 1e-30f}), (Floats{0, 0, 1e30f, 0}));
  std::vector<float> found = gradient({1e-30f, 1e-20f, 2e15f, 1e30f});
  std::vector<float> expected = {2e25f, 2e15f, 1e-20f, 2e-35f};
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(found[i] / expected[i], 1, 1e-6) << i;
}

TEST_F(EagerTapeTest, SecondGradientsOfProducts) {
  Tensor x = vector({1, 2, 3, 4});
  GradientTape outer;
  outer.watch(x);
  Tensor first;
  {
    GradientTape inner;
    inner.watch(x);
    first = inner.gradient(reduceProd(x), std::vector<Tensor>{x})[0];
  }
  EXPECT_EQ(first.values<float>(), (Floats{24, 12, 8, 6}));
  std::vector<Tensor> second =
      outer.gradient(reduceSum(first * first), std::vector<Tensor>{x});
  EXPECT_EQ(second[0].values<float>(), (Floats{488, 676, 504, 392}));
}

TEST_F(EagerTapeTest, WhatIsNotWatchedHasNoGradient) {
  Tensor x = vector({1, 2});
  Tensor z = vector({1, 2});
  GradientTape tape({.persistent = true});
  tape.watch(x);
  Tensor y = x * z;
  Tensor w = z * 2;
  Tensor stopped = stopGradient(x) * 2;
  EXPECT_FALSE(tape.gradient(y, std::vector<Tensor>{z})[0].isDefined());
  EXPECT_FALSE(tape.gradient(w, std::vector<Tensor>{x})[0].isDefined());
  EXPECT_FALSE(tape.gradient(stopped, std::vector<Tensor>{x})[0].isDefined());
  // The gradients of several target elements are added, and intermediate
  // tensors have gradients as well.
  Tensor u = exp(y);
  std::vector<Tensor> both = tape.gradient(u, std::vector<Tensor>{x, y});
  EXPECT_NEAR(both[0].values<float>()[1], 2 * std::exp(4.0), 1e-3);
  EXPECT_NEAR(both[1].values<float>()[0], std::exp(1.0), 1e-5);
}

TEST_F(EagerTapeTest, AfterStopNothingIsRecorded) {
  Tensor x = vector({3});
  GradientTape tape({.persistent = true});
  tape.watch(x);
  Tensor y = x * x;
  tape.stop();
  Tensor z = y * x;
  EXPECT_FALSE(tape.gradient(z, std::vector<Tensor>{x})[0].isDefined());
  EXPECT_EQ(tape.gradient(y, std::vector<Tensor>{x})[0].item(), 6);
}

/// Returns the names of x, w and b for which the sum of squares of the
/// derivatives of a loss by x has a derivative. Uses nested tapes.
static std::string reachedBySecondOrder(
    const std::function<Tensor(Tensor x, Tensor w, Tensor b)> &loss) {
  Program program("p");
  Tensor x = program.constant({1, 2}, f32, {1, 2});
  Variable w = program.variable("w", f32, {2, 2}, ones());
  Variable b = program.variable("b", f32, {2}, zeros());
  GradientTape outer;
  outer.watch(x);
  Tensor penalty;
  {
    GradientTape inner;
    inner.watch(x);
    Tensor y = loss(x, w, b);
    penalty =
        reduceSum(square(inner.gradient(y, std::vector<Tensor>{x}).front()));
  }
  std::string reached;
  std::vector<Tensor> found =
      outer.gradient(penalty, std::vector<Tensor>{x, w, b});
  for (size_t i = 0; i < found.size(); ++i)
    if (found[i].isDefined())
      reached += "xwb"[i];
  return reached;
}

// A layer is linear in its input, so the derivative depends only on the
// weights; the others have no gradient, as in TensorFlow.
TEST(GradientTapes, givesNoValueOfSecondOrderInEitherMode) {
  for (bool isEager : {true, false}) {
    SCOPED_TRACE(isEager);
    ExecutionScope mode(isEager);
    EXPECT_EQ(reachedBySecondOrder([](Tensor x, Tensor w, Tensor b) {
                return reduceSum(matmul(x, w) + b);
              }),
              "w");
    EXPECT_EQ(reachedBySecondOrder([](Tensor x, Tensor w, Tensor b) {
                return reduceSum(relu(matmul(x, w) + b));
              }),
              "w");
    EXPECT_EQ(reachedBySecondOrder([](Tensor x, Tensor w, Tensor b) {
                return reduceSum(tanh(matmul(x, w) + b));
              }),
              "xwb");
    EXPECT_EQ(reachedBySecondOrder([](Tensor x, Tensor w, Tensor b) {
                return reduceSum(x * reduceSum(w) + b) + reduceSum(w * b);
              }),
              "w");
    EXPECT_EQ(reachedBySecondOrder(
                  [](Tensor x, Tensor, Tensor) { return reduceSum(x * 3.0); }),
              "");
  }
}

TEST_F(EagerTapeTest, NestedTapesGiveHigherOrders) {
  Tensor x = program.constant(2, f64);
  GradientTape outer;
  outer.watch(x);
  Tensor second;
  {
    GradientTape middle;
    middle.watch(x);
    Tensor first;
    {
      GradientTape inner;
      inner.watch(x);
      first = inner.gradient(x * x * x * x, std::vector<Tensor>{x})[0];
    }
    EXPECT_EQ(first.item(), 32);
    second = middle.gradient(first, std::vector<Tensor>{x})[0];
  }
  EXPECT_EQ(second.item(), 48);
  EXPECT_EQ(outer.gradient(second, std::vector<Tensor>{x})[0].item(), 48);
}

/// Gradients are zero as in graph mode, although the body has no derivative at
/// 0.
TEST_F(EagerTapeTest, MapsOverNothingHaveGradientsOfZero) {
  Variable w = program.variable("w", f32, {3}, 2.0);
  Tensor x = program.tensor(std::span<const float>(), {0, 3});
  GradientTape tape;
  tape.watch(x);
  Tensor y = mapFn([&](Tensor row) { return w / row; }, {x});
  EXPECT_EQ(toString(y.shape()), "[0, 3]");
  std::vector<Tensor> found = tape.gradient(reduceSum(y), {w, x});
  ASSERT_EQ(found.size(), 2u);
  ASSERT_TRUE(found[0].isDefined() && found[1].isDefined());
  EXPECT_EQ(found[0].values<float>(), std::vector<float>(3, 0));
  EXPECT_EQ(toString(found[1].shape()), "[0, 3]");
}

TEST_F(EagerTapeTest, VariablesAreWatchedInEachContent) {
  Variable w = program.variable("w", f32, {}, 3.0);
  Variable fixed =
      program.variable("fixed", f32, {}, 3.0, {.trainable = false});
  GradientTape tape;
  Tensor y = w * w * fixed;
  (void)assign(w, w + 1);
  Tensor sum = y + 10 * w;
  std::vector<Tensor> found =
      tape.gradient(sum, std::vector<Variable>{w, fixed});
  EXPECT_EQ(found[0].item(), 18 + 10);
  EXPECT_FALSE(found[1].isDefined());
  EXPECT_EQ(w.item(), 4);
}

TEST_F(EagerTapeTest, TapesMayWatchNoVariables) {
  Variable w = program.variable("w", f32, {}, 3.0);
  GradientTape tape({.watchVariables = false});
  EXPECT_FALSE(tape.gradient(w * w, {w})[0].isDefined());
}

TEST_F(EagerTapeTest, AVariableHasAGradientForItself) {
  Variable v = program.variable("v", f32, {2}, ones());
  Variable w = program.variable("w", f32, {2}, ones());
  GradientTape tape({.persistent = true});
  Tensor y = v;
  std::vector<Tensor> found = tape.gradient(y, {v, w});
  EXPECT_EQ(found[0].values<float>(), (Floats{1, 1}));
  EXPECT_FALSE(found[1].isDefined());
}

TEST_F(EagerTapeTest, AVariableThatIsNotWatchedHasNoGradientForItself) {
  Variable v = program.variable("v", f32, {}, 3.0);
  Variable fixed =
      program.variable("fixed", f32, {}, 3.0, {.trainable = false});
  GradientTape tape({.persistent = true, .watchVariables = false});
  EXPECT_FALSE(tape.gradient(v, {v})[0].isDefined());
  tape.watch(fixed);
  EXPECT_EQ(tape.gradient(fixed, {fixed})[0].item(), 1);
}

TEST_F(EagerTapeTest, ControlFlowMayGiveTheVariableItself) {
  Variable v = program.variable("v", f32, {}, 3.0);
  GradientTape tape({.persistent = true});
  Tensor looped = whileLoop([](Tensor x) { return x < 0.0; },
                            [](Tensor x) { return x * 2; }, {v});
  EXPECT_EQ(tape.gradient(looped, {v})[0].item(), 1);
  Tensor folded = foldl([](Tensor sum, Tensor x) { return sum + x; },
                        program.zeros({0}), v);
  EXPECT_EQ(tape.gradient(folded, {v})[0].item(), 1);
  Tensor chosen =
      cond(v > 0.0, [&] { return Tensor(v); }, [&] { return v * 2; });
  EXPECT_EQ(tape.gradient(chosen, {v})[0].item(), 1);
  // An op that uses the results has the right gradient as well.
  EXPECT_EQ(tape.gradient(looped * folded * chosen, {v})[0].item(), 27);
}

TEST_F(EagerTapeTest, ALossMayBeAVariable) {
  Variable v = program.variable("v", f32, {}, 3.0);
  (void)SGD({.learningRate = 0.5}).minimize([&] { return Tensor(v); });
  EXPECT_EQ(v.item(), 2.5);
  {
    GradientTape tape;
    (void)SGD({.learningRate = 0.5}).minimize(v);
  }
  EXPECT_EQ(v.item(), 2);
  std::vector<Gradient> found =
      SGD({.learningRate = 0.5}).computeGradients([&] { return Tensor(v); });
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].value.item(), 1);
}

TEST_F(EagerTapeTest, GradientPenalty) {
  Variable w = program.variable("w", f64, {2}, values({1, 2}));
  Tensor x = program.tensor<double>({3, 4}, {2});
  GradientTape tape;
  tape.watch(x);
  Tensor y = reduceSum(w * x * x);
  Tensor slope = gradientsOf(y, {x})[0];
  // d/dw Σ(2wx)² = 8wx².
  Tensor penalty = reduceSum(square(slope));
  EXPECT_EQ(tape.gradient(penalty, {w})[0].values<double>(),
            (std::vector<double>{72, 256}));
}

TEST_F(EagerTapeTest, LossesOutsideOfTapesAreRefused) {
  Variable w = program.variable("w", f32, {}, 3.0);
  Tensor loss = w * w;
  EXPECT_ERROR(SGD().minimize(loss),
               "expected a loss that depends on trainable variables");
  GradientTape tape;
  EXPECT_ERROR(gradients(loss, {w}),
               "expected a tensor that a GradientTape recorded");
}
