/// Tests losses of adversarial networks in both modes.
#include "../Errors.h"
#include "../Evaluator.h"

#include <cmath>

using namespace tg;

namespace {
class GanLoss : public testing::Test {
protected:
  ExecutionScope scope{true};
  Program program{"gan"};
  Tensor real = program.tensor<float>({0, 2}, {2, 1});
  Tensor fake = program.tensor<float>({1, -3}, {2, 1});
};

double softplus(double x) { return std::log1p(std::exp(x)); }

TEST_F(GanLoss, ofProbabilities) {
  GanLosses losses = ganLosses(real, fake);
  EXPECT_NEAR(losses.generator.item(), (softplus(-1) + softplus(3)) / 2, 1e-6);
  EXPECT_NEAR(losses.discriminator.item(),
              (softplus(0) + softplus(-2) + softplus(1) + softplus(-3)) / 2,
              1e-6);
}

TEST_F(GanLoss, ofLeastSquares) {
  GanLosses losses = leastSquaresGanLosses(real, fake);
  EXPECT_NEAR(losses.generator.item(), 0.5 * (0 + 16) / 2, 1e-6);
  EXPECT_NEAR(losses.discriminator.item(), 0.5 * (1 + 1 + 1 + 9) / 2, 1e-6);
}

TEST_F(GanLoss, ofWasserstein) {
  GanLosses losses = wassersteinGanLosses(real, fake);
  EXPECT_NEAR(losses.generator.item(), 1, 1e-6);
  EXPECT_NEAR(losses.discriminator.item(), -2, 1e-6);
}

TEST_F(GanLoss, refusesWhatIsNoScore) {
  Tensor labels = program.tensor<int32_t>({0, 1}, {2});
  EXPECT_ERROR(ganLosses(labels, fake), "expected scores that are floats");
  EXPECT_ERROR(gradientPenalty([](Tensor x) { return x; }, real[0], fake[0]),
               "expected examples [n, ...] of rank 2 or more, found [1]");
  EXPECT_ERROR(gradientPenalty([&](Tensor) { return fake; }, real, fake),
               "expected a critic that depends on its input");
}

/// The gradient of x · w is w everywhere, so the penalty is (|w| - 1)² and its
/// gradient 2 (|w| - 1) w / |w|.
template <typename Build> void checkPenalty(Program &program, Build build) {
  Variable w = program.variable("w", f32, {2, 1}, values({3, 4}));
  auto critic = [&](Tensor x) { return matmul(x, w); };
  build(w, [&] {
    return gradientPenalty(critic, program.zeros({5, 2}), program.ones({5, 2}));
  });
}

TEST_F(GanLoss, slopesAreHeldEagerly) {
  checkPenalty(program, [&](Variable w, auto penalty) {
    GradientTape tape;
    Tensor loss = penalty();
    EXPECT_NEAR(loss.item(), 16, 1e-4);
    std::vector<float> slope = tape.gradient(loss, {w})[0].values<float>();
    EXPECT_NEAR(slope[0], 2 * 4 * 0.6, 1e-4);
    EXPECT_NEAR(slope[1], 2 * 4 * 0.8, 1e-4);
  });
}

TEST(GanLossGraph, slopesAreHeld) {
  Program program("gan");
  checkPenalty(program, [&](Variable, auto penalty) {
    Tensor loss = penalty();
    program.function("f", {.outputs = {{"loss", loss},
                                       {"slope", gradients(loss)[0].value}}});
  });
  Evaluator evaluator(program.text());
  evaluator.init(1);
  std::vector<Elements> found = evaluator.run("f", {});
  ASSERT_EQ(evaluator.error(), "");
  EXPECT_NEAR(found[0].values[0], 16, 1e-4);
  EXPECT_NEAR(found[1].values[0], 2 * 4 * 0.6, 1e-4);
  EXPECT_NEAR(found[1].values[1], 2 * 4 * 0.8, 1e-4);
}

/// x² has the gradient 2x, so the penalty depends on the sampled points: the
/// mean of (2x - 1)² between 0 and 1 is 1/3, but differs if all points are
/// equal.
TEST_F(GanLoss, placesAreDrawnBetweenTheExamples) {
  Tensor zeros = program.zeros({4000, 1});
  Tensor ones = program.ones({4000, 1});
  Tensor loss = gradientPenalty([](Tensor x) { return x * x; }, zeros, ones);
  EXPECT_NEAR(loss.item(), 1.0 / 3, 0.02);
}
} // namespace
