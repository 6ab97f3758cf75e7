//===- WeightedLoss.cpp - losses with weights of examples and classes -----===//
#include "compiler/frontend/training/Targets.h"
#include "tg/graph/program.h"
#include "tg/nn/loss.h"

using namespace tg;
using namespace tg::dsl;

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

/// Throws GraphError unless both have rows of classes, and casts both to
/// floats.
static void matchRows(Operand &prediction, Operand &target) {
  matchFloats(prediction, target);
  if (prediction.tensor().rank() < 2 || extentList(prediction).back() < 0)
    raiseAt(prediction, "expected examples [n, ..., k] with k known, found " +
                            toString(prediction.tensor().shape()));
}

/// Returns the weights of the classes as a tensor [k], or the number 1.
static Operand perClass(const Operand &prediction,
                        const std::vector<double> &weights) {
  if (weights.empty())
    return {1.0, prediction.where()};
  int64_t classes = extentList(prediction).back();
  if (static_cast<int64_t>(weights.size()) != classes)
    raiseAt(prediction, "expected a weight for each of " +
                            std::to_string(classes) + " classes, found " +
                            std::to_string(weights.size()));
  return Program::of(prediction.tensor(), prediction.where())
      .constant(weights, prediction.tensor().dtype(), {classes},
                prediction.where());
}

/// Returns the weight of the class of each row, [..., k] to [...].
static Operand perRow(const Operand &prediction, const Operand &target,
                      const std::vector<double> &weights) {
  if (weights.empty())
    return {1.0, target.where()};
  return reduceSum(target * perClass(prediction, weights), {.axes = {-1}});
}

/// Multiplies terms [n, ...] by the weights of the examples.
static Tensor weighExamples(Operand terms, const LossWeights &weights) {
  if (!weights.examples.isDefined())
    return terms;
  Operand examples = weights.examples;
  int64_t count = extentList(terms)[0];
  int64_t found = -1;
  if (examples.tensor().rank() == 1)
    found = extentList(examples)[0];
  if (examples.tensor().rank() != 1 ||
      (found != count && found != -1 && count != -1))
    raiseAt(terms, "expected weights [n] of examples " +
                       toString(terms.tensor().shape()) + ", found " +
                       toString(examples.tensor().shape()));
  std::vector<int64_t> shape(terms.tensor().rank(), -1);
  shape[0] = 1;
  // Prevents that a single weight is broadcast to all examples.
  if (count == -1 && found == 1)
    terms = ensureShape(terms, shape);
  if (count == 1 && found == -1)
    examples = ensureShape(examples, {1});
  for (int64_t axis = 1; axis < terms.tensor().rank(); ++axis)
    examples = expandDims(examples, -1);
  return terms * examples;
}

/// Throws GraphError if normalization is requested without example weights.
static void expectNormalizer(const Operand &prediction,
                             const LossWeights &weights) {
  if (weights.normalizes && !weights.examples.isDefined())
    raiseAt(prediction,
            "expected weights of examples to normalize by, found none");
}

/// Returns the mean of weighted terms [n, ...], or their sum divided by the sum
/// of the weights.
static Tensor meanOf(const Operand &terms, const LossWeights &weights) {
  expectNormalizer(terms, weights);
  Tensor weighted = weighExamples(terms, weights);
  if (!weights.normalizes)
    return reduceMean(weighted);
  Tensor sum = reduceSum(weights.examples);
  Tensor isAny = sum > 0.0;
  return select(isAny, reduceSum(weighted) / select(isAny, sum, 1.0), 0.0);
}

//===----------------------------------------------------------------------===//
// Cross entropies
//===----------------------------------------------------------------------===//

Tensor tg::weightedFocalCrossEntropy(Operand logits, Operand target,
                                     const FocalOptions &options) {
  Scope scope(logits);
  matchRows(logits, target);
  if (!(options.gamma >= 0))
    raiseAt(logits, "expected a gamma of at least 0, found " +
                        std::to_string(options.gamma));
  Tensor terms = softmaxCrossEntropy(logits, target) *
                 perRow(logits, target, options.weights.classes);
  if (options.gamma != 0) {
    Tensor unlikely =
        reduceSum((1.0 - softmax(logits)) * target, {.axes = {-1}});
    terms = terms * pow(unlikely, options.gamma);
  }
  return meanOf(terms, options.weights);
}

/// Computes (1 - t) x + (1 + (q - 1) t) (log(1 + exp(-|x|)) + max(-x, 0)),
/// where q is the factor of positives.
Tensor tg::weightedSigmoidCrossEntropy(Operand logits, Operand target,
                                       const WeightedSigmoidOptions &options) {
  Scope scope(logits);
  matchRows(logits, target);
  Tensor terms = sigmoidCrossEntropy(logits, target);
  if (!options.positives.empty())
    terms = terms - (perClass(logits, options.positives) - 1.0) * target *
                        logSigmoid(logits);
  return meanOf(terms * perClass(logits, options.weights.classes),
                options.weights);
}

//===----------------------------------------------------------------------===//
// Dice
//===----------------------------------------------------------------------===//

/// Returns the prediction of each class, [n, ..., k], from the logits.
static Tensor dicePrediction(const Operand &logits,
                             const WeightedDiceOptions &options) {
  if (options.hard)
    return oneHot(argMax(logits), extentList(logits).back(),
                  logits.tensor().dtype());
  Tensor likely = softmax(logits);
  return options.power == 1 ? likely : pow(likely, options.power);
}

/// Returns the weights of the classes of each example from the areas [n, k].
static Tensor areaWeights(const Tensor &area, double greatest) {
  constexpr double minimumArea = 1e-5;
  Tensor inverse = reciprocal(square(maximum(area, minimumArea)));
  return select(area >= minimumArea, minimum(inverse, greatest), 0.0);
}

Tensor tg::weightedDiceLoss(Operand logits, Operand target,
                            const WeightedDiceOptions &options) {
  Scope scope(logits);
  matchRows(logits, target);
  if (options.sums && options.weights.normalizes)
    raiseAt(logits, "expected a sum or a normalized mean, found both");
  constexpr double minimumDivisor = 1e-10;
  Tensor prediction = dicePrediction(logits, options);
  auto sumOverPositions = [axes = axesFrom(logits, 1, 1)](const Tensor &terms) {
    return axes.empty() ? terms : reduceSum(terms, {.axes = axes});
  };
  Tensor common = sumOverPositions(target * prediction);
  Tensor areas = sumOverPositions(target + prediction);
  Operand weight = perClass(logits, options.weights.classes);
  if (options.greatestInverseArea != 0)
    weight =
        areaWeights(sumOverPositions(target), options.greatestInverseArea) *
        weight;
  ReduceOptions classes{.axes = {1}};
  Tensor overlap = reduceSum(common * weight, classes) /
                   maximum(reduceSum(areas * weight, classes), minimumDivisor);
  Tensor terms = 1.0 - 2.0 * overlap;
  return options.sums ? reduceSum(weighExamples(terms, options.weights))
                      : meanOf(terms, options.weights);
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

Tensor tg::weightedRootMeanSquaredError(Operand prediction, Operand target,
                                        const WeightedErrorOptions &options) {
  Scope scope(prediction);
  matchRows(prediction, target);
  Tensor found = options.appliesSoftmax ? softmax(prediction)
                                        : Tensor(prediction.tensor());
  Tensor mean = meanOf(square(target - found) *
                           perClass(prediction, options.weights.classes),
                       options.weights);
  // Avoids the infinite gradient of the square root at 0.
  Tensor isAny = mean > 0.0;
  return select(isAny, sqrt(select(isAny, mean, 1.0)), 0.0);
}

Tensor tg::weightedMeanAbsoluteError(Operand prediction, Operand target,
                                     const LossWeights &weights) {
  Scope scope(prediction);
  matchRows(prediction, target);
  return meanOf(abs(target - prediction) *
                    perClass(prediction, weights.classes),
                weights);
}

//===----------------------------------------------------------------------===//
// Accuracies
//===----------------------------------------------------------------------===//

Tensor tg::weightedAccuracy(Operand prediction, Operand target,
                            const LossWeights &weights) {
  Scope scope(prediction);
  matchRows(prediction, target);
  Tensor isRight = argMax(prediction) == argMax(target);
  return meanOf(cast(isRight, target.tensor().dtype()) *
                    perRow(prediction, target, weights.classes),
                weights);
}

Tensor tg::binaryAccuracy(Operand logits, Operand target,
                          const BinaryAccuracyOptions &options) {
  Scope scope(logits);
  matchRows(logits, target);
  Tensor isYes = sigmoid(logits) > options.threshold;
  Tensor isRight = logicalNot(logicalXor(isYes, target != 0.0));
  return meanOf(cast(isRight, logits.tensor().dtype()) *
                    perClass(logits, options.weights.classes),
                options.weights);
}
