//===- Loss.cpp - losses and metrics --------------------------------------===//
#include "tg/nn/loss.h"
#include "compiler/frontend/graph/Elements.h"
#include "compiler/frontend/training/Targets.h"

using namespace tg;
using namespace tg::dsl;

//===----------------------------------------------------------------------===//
// Losses
//===----------------------------------------------------------------------===//

Tensor tg::softmaxCrossEntropy(Operand logits, Operand labels) {
  return call("softmax_cross_entropy", {logits, labels.tensor()});
}

Tensor tg::meanSoftmaxCrossEntropy(Operand logits, Operand labels) {
  Scope scope(logits);
  return reduceMean(softmaxCrossEntropy(logits, labels));
}

Tensor tg::sigmoidCrossEntropy(Operand logits, Operand target) {
  Scope scope(logits);
  matchTargets(logits, target, "sigmoidCrossEntropy");
  Tensor isPositive = logits >= 0.0;
  return select(isPositive, logits, 0.0) - logits * target +
         log1p(exp(select(isPositive, -logits, logits)));
}

Tensor tg::meanSquaredError(Operand prediction, Operand target) {
  Scope scope(prediction);
  matchTargets(prediction, target, "meanSquaredError");
  return reduceMean(square(target - prediction));
}

Tensor tg::meanAbsoluteError(Operand prediction, Operand target) {
  Scope scope(prediction);
  matchTargets(prediction, target, "meanAbsoluteError");
  return reduceMean(abs(target - prediction));
}

Tensor tg::huberLoss(Operand prediction, Operand target, double delta) {
  Scope scope(prediction);
  matchTargets(prediction, target, "huberLoss");
  if (!(delta > 0))
    raiseAt(prediction, "expected a delta above 0, found " + textOf(delta));
  Tensor size = abs(target - prediction);
  return reduceMean(
      select(size <= delta, 0.5 * square(size), delta * (size - 0.5 * delta)));
}

Tensor tg::binaryCrossEntropy(Operand prediction, Operand target) {
  Scope scope(prediction);
  matchTargets(prediction, target, "binaryCrossEntropy");
  target = toTensorLike(target, prediction);
  Tensor p = clip(prediction, 1e-6, 1 - 1e-6);
  return reduceMean(-(target * log(p) + (1.0 - target) * log(1.0 - p)));
}

Tensor tg::hingeLoss(Operand prediction, Operand target) {
  Scope scope(prediction);
  matchTargets(prediction, target, "hingeLoss");
  return reduceMean(relu(1.0 - target * clip(prediction, 0.0, 1.0)));
}

//===----------------------------------------------------------------------===//
// Metrics
//===----------------------------------------------------------------------===//

/// Returns class indices as i64, from class indices or from rows of the
/// prediction's shape.
static Tensor classesOf(Operand prediction, Operand label) {
  if (label.tensor().rank() == prediction.tensor().rank()) {
    matchShapes(prediction, label);
    return argMax(label);
  }
  expectClasses(prediction, label);
  return cast(label, i64);
}

Tensor tg::accuracy(Operand prediction, Operand label) {
  Scope scope(prediction);
  Tensor isRight = argMax(prediction) == classesOf(prediction, label);
  return reduceMean(cast(isRight, f32));
}

Tensor tg::errorRate(Operand prediction, Operand label) {
  Scope scope(prediction);
  return 1.0 - accuracy(prediction, label);
}

Tensor tg::inTopK(Operand prediction, Operand label, int64_t count) {
  Scope scope(prediction);
  expectClasses(prediction, label);
  if (count < 0)
    raiseAt(prediction,
            "expected at least 0 classes, found " + std::to_string(count));
  Tensor found = takeAlongAxis(prediction, expandDims(label, -1));
  Tensor isGreater = logicalNot(prediction <= found);
  return reduceSum(cast(isGreater, i64), {{-1}}) < static_cast<double>(count);
}

//===----------------------------------------------------------------------===//
// Metrics of two one-hot classes
//===----------------------------------------------------------------------===//

namespace {
/// Column 1 of rows [n, 2], as floats.
struct Columns {
  Tensor prediction, target;
};
} // namespace

static Columns positiveColumns(Operand prediction, Operand target) {
  if (extentList(prediction).size() != 2 || extentList(prediction)[1] != 2)
    raiseAt(prediction, "expected one-hot rows [n, 2], found " +
                            toString(prediction.tensor().shape()));
  target.tensor(); // throws for a number
  matchShapes(prediction, target);
  SliceOptions column{{0, 1}, {-1, 1}};
  return {cast(slice(prediction, column), f32),
          cast(slice(target, column), f32)};
}

Tensor tg::binaryPrecision(Operand prediction, Operand target) {
  Scope scope(prediction);
  Columns column = positiveColumns(prediction, target);
  return reduceSum(column.prediction * column.target) /
         reduceSum(column.prediction);
}

Tensor tg::binaryRecall(Operand prediction, Operand target) {
  Scope scope(prediction);
  Columns column = positiveColumns(prediction, target);
  return reduceSum(column.prediction * column.target) /
         reduceSum(column.target);
}

Tensor tg::binaryF1(Operand prediction, Operand target) {
  Scope scope(prediction);
  Tensor precision = binaryPrecision(prediction, target);
  Tensor recall = binaryRecall(prediction, target);
  return 2.0 * precision * recall / (precision + recall);
}
