//===- GanLoss.cpp - losses of adversarial networks -----------------------===//
#include "compiler/frontend/training/Targets.h"
#include "tg/graph/eager.h"
#include "tg/nn/cookbook.h"
#include "tg/nn/loss.h"
#include "tg/tensor/reductions.h"

using namespace tg;
using namespace tg::dsl;

/// Throws GraphError unless the scores are floats.
static void expectScores(const Operand &scores) {
  if (!isFloat(scores.tensor().dtype()))
    raiseAt(scores, "expected scores that are floats, found " +
                        toString(scores.tensor().dtype()));
}

GanLosses tg::ganLosses(Operand real, Operand fake) {
  Scope scope(real);
  expectScores(real);
  expectScores(fake);
  auto against = [](const Operand &scores, double target) {
    return reduceMean(sigmoidCrossEntropy(scores, target));
  };
  return {against(fake, 1), against(real, 1) + against(fake, 0)};
}

GanLosses tg::leastSquaresGanLosses(Operand real, Operand fake) {
  Scope scope(real);
  expectScores(real);
  expectScores(fake);
  return {0.5 * reduceMean(square(fake - 1.0)),
          0.5 * (reduceMean(square(real - 1.0)) + reduceMean(square(fake)))};
}

GanLosses tg::wassersteinGanLosses(Operand real, Operand fake) {
  Scope scope(real);
  expectScores(real);
  expectScores(fake);
  Tensor mean = reduceMean(fake);
  return {-mean, mean - reduceMean(real)};
}

Tensor tg::gradientPenalty(const std::function<Tensor(Tensor)> &critic,
                           Operand real, Operand fake, double norm) {
  required(critic, "a critic", real.where());
  Scope scope(real);
  const Tensor &examples = real.tensor();
  if (examples.rank() < 2)
    raiseAt(real, "expected examples [n, ...] of rank 2 or more, found " +
                      toString(examples.shape()));
  std::vector<int64_t> others;
  for (int64_t axis = 1; axis < examples.rank(); ++axis)
    others.push_back(axis);
  Tensor weight = randomUniformLike(reduceMax(real, {others, true}));
  Tensor interpolated = stopGradient(lerp(real, fake, weight));
  GradientTape tape;
  tape.watch(interpolated, real.where());
  Tensor scores = reduceSum(critic(interpolated));
  Tensor slope = tape.gradient(scores, {interpolated}, real.where()).front();
  if (!slope.isDefined())
    raiseAt(
        real,
        "expected a critic that depends on its input, found one that does not");
  Tensor length = sqrt(reduceSum(square(slope), {others}) + 1e-12);
  return reduceMean(square(length - norm));
}
