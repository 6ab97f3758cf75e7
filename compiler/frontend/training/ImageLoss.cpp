//===- ImageLoss.cpp - losses and metrics of images -----------------------===//
#include "compiler/frontend/training/Targets.h"
#include "tg/nn/loss.h"

using namespace tg;
using namespace tg::dsl;

/// The lower bound of divisors.
constexpr double kMinimumDivisor = 1e-6;

namespace {
/// Sums over positions of the product of prediction and target, of the
/// prediction, and of the target.
struct Areas {
  Tensor common, predicted, expected;
};
} // namespace

static Areas areasOf(const Tensor &prediction, const Tensor &target,
                     const std::vector<int64_t> &axes) {
  ReduceOptions options{.axes = axes};
  return {reduceSum(prediction * target, options),
          reduceSum(prediction, options), reduceSum(target, options)};
}

/// Returns the areas of each image [n, ...].
static Areas areasOfImages(Operand prediction, Operand target) {
  matchFloats(prediction, target);
  if (prediction.tensor().rank() < 2)
    raiseAt(prediction, "expected images [n, ...], found " +
                            toString(prediction.tensor().shape()));
  return areasOf(prediction, target, axesFrom(prediction, 1));
}

/// Throws GraphError unless there are channels and positions.
static void expectChannels(const Operand &prediction) {
  if (prediction.tensor().rank() < 3)
    raiseAt(prediction, "expected images [n, ..., c], found " +
                            toString(prediction.tensor().shape()));
}

//===----------------------------------------------------------------------===//
// Metrics
//===----------------------------------------------------------------------===//

Tensor tg::imagePrecision(Operand prediction, Operand target) {
  Scope scope(prediction);
  Areas area = areasOfImages(prediction, target);
  return area.common / maximum(area.predicted, kMinimumDivisor);
}

Tensor tg::imageRecall(Operand prediction, Operand target) {
  Scope scope(prediction);
  Areas area = areasOfImages(prediction, target);
  return area.common / maximum(area.expected, kMinimumDivisor);
}

Tensor tg::imageF1(Operand prediction, Operand target) {
  Scope scope(prediction);
  Tensor precision = imagePrecision(prediction, target);
  Tensor recall = imageRecall(prediction, target);
  return reduceMean(2.0 * precision * recall /
                    maximum(precision + recall, kMinimumDivisor));
}

Tensor tg::smoothIntersectionOverUnion(Operand prediction, Operand target) {
  Scope scope(prediction);
  Areas area = areasOfImages(prediction, target);
  Tensor both = area.predicted + area.expected - area.common;
  return reduceMean(area.common / (both + kMinimumDivisor));
}

Tensor tg::intersectionOverUnion(Operand prediction, Operand target,
                                 double threshold) {
  Scope scope(prediction);
  matchFloats(prediction, target);
  Tensor isAbove = prediction > threshold;
  return smoothIntersectionOverUnion(cast(isAbove, prediction.tensor().dtype()),
                                     target);
}

//===----------------------------------------------------------------------===//
// Dice losses
//===----------------------------------------------------------------------===//

namespace {
/// Numerator and denominator of an overlap.
struct Quotient {
  Tensor numerator, denominator;
};
} // namespace

/// Returns sums over channels, [n], with greater weights for small targets.
static Quotient weighBySize(const Areas &area) {
  Tensor weight = reciprocal(square(area.expected + 0.1));
  ReduceOptions channels{.axes = {1}};
  return {reduceSum(weight * area.common, channels),
          reduceSum(weight * (area.expected + area.predicted), channels)};
}

Tensor tg::generalizedDiceLoss(Operand prediction, Operand target) {
  Scope scope(prediction);
  matchFloats(prediction, target);
  expectChannels(prediction);
  std::vector<int64_t> axes = axesFrom(prediction, 1, 1);
  Quotient inside = weighBySize(areasOf(prediction, target, axes));
  Quotient outside = weighBySize(areasOf(1.0 - prediction, 1.0 - target, axes));
  return reduceMean(1.0 - 2.0 * (inside.numerator + outside.numerator) /
                              (inside.denominator + outside.denominator));
}

Tensor tg::meanDiceLoss(Operand prediction, Operand target) {
  Scope scope(prediction);
  matchFloats(prediction, target);
  expectChannels(prediction);
  Areas area = areasOf(prediction, target, axesFrom(prediction, 0, 1));
  return reduceMean(
      1.0 - 2.0 * area.common /
                maximum(area.predicted + area.expected, kMinimumDivisor));
}

Tensor tg::inverseDiceLoss(Operand prediction, Operand target, double smooth) {
  Scope scope(prediction);
  matchFloats(prediction, target);
  Areas area = areasOf(1.0 - prediction, 1.0 - target, {});
  return 1.0 - (2.0 * area.common + smooth) /
                   (area.predicted + area.expected + smooth);
}
