//===- Loss.cpp - losses and measures -------------------------------------===//
#include "tg/loss.h"
#include "compiler/frontend/dsl/Build.h"

using namespace tg;
using namespace tg::dsl;

Tensor tg::softmaxCrossEntropy(Operand logits, Operand labels) {
  return call("softmax_cross_entropy", {logits, labels.tensor()});
}

Tensor tg::meanSoftmaxCrossEntropy(Operand logits, Operand labels) {
  Scope scope(logits);
  return reduceMean(softmaxCrossEntropy(logits, labels));
}

Tensor tg::sigmoidCrossEntropy(Operand logits, Operand target) {
  Scope scope(logits);
  Tensor isPositive = logits >= 0.0;
  return select(isPositive, logits, 0.0) - logits * target +
         log1p(exp(select(isPositive, -logits, logits)));
}

Tensor tg::meanSquaredError(Operand target, Operand prediction) {
  Scope scope(prediction);
  return reduceMean(square(target - prediction));
}

Tensor tg::meanAbsoluteError(Operand target, Operand prediction) {
  Scope scope(prediction);
  return reduceMean(abs(target - prediction));
}

Tensor tg::huberLoss(Operand target, Operand prediction, double delta) {
  Scope scope(prediction);
  if (!(delta > 0))
    raise("expected a delta above 0, found " + std::to_string(delta),
          prediction.tensor().body(), prediction.where());
  Tensor size = abs(target - prediction);
  return reduceMean(
      select(size <= delta, 0.5 * square(size), delta * (size - 0.5 * delta)));
}

Tensor tg::binaryEntropy(Operand target, Operand prediction) {
  Scope scope(prediction);
  target = beside(target, prediction);
  Tensor p = clip(prediction, 1e-6, 1 - 1e-6);
  return reduceMean(-(target * log(p) + (1.0 - target) * log(1.0 - p)));
}

Tensor tg::hingeLoss(Operand target, Operand prediction) {
  Scope scope(prediction);
  return reduceMean(relu(1.0 - target * clip(prediction, 0.0, 1.0)));
}

/// Class numbers as i64, from them or from rows like the prediction's.
static Tensor classesOf(const Operand &label, const Operand &prediction) {
  int64_t rank = prediction.tensor().rank();
  if (label.tensor().rank() != rank && label.tensor().rank() != rank - 1)
    raise("expected labels of rank " + std::to_string(rank - 1) + " or " +
              std::to_string(rank) + ", found " +
              toString(label.tensor().shape()),
          prediction.tensor().body(), prediction.where());
  return label.tensor().rank() == rank ? argmax(label) : cast(label, i64);
}

Tensor tg::accuracy(Operand prediction, Operand label) {
  Scope scope(prediction);
  Tensor isRight = argmax(prediction) == classesOf(label, prediction);
  return reduceMean(cast(isRight, f32));
}

Tensor tg::errorRate(Operand prediction, Operand label) {
  Scope scope(prediction);
  return 1.0 - accuracy(prediction, label);
}

Tensor tg::inTopK(Operand prediction, Operand label, int64_t count) {
  Scope scope(prediction);
  Tensor found = takeAlongAxis(prediction, expandDims(label, -1));
  Tensor isGreater = logicalNot(prediction <= found);
  return reduceSum(cast(isGreater, i64), {{-1}}) < static_cast<double>(count);
}

//===----------------------------------------------------------------------===//
// Two classes, one-hot
//===----------------------------------------------------------------------===//

/// Column 1 of rows [n, 2], as floats.
static Tensor yes(const Operand &rows) {
  return cast(slice(rows, {{0, 1}, {-1, 1}}), f32);
}

Tensor tg::binaryPrecision(Operand target, Operand prediction) {
  Scope scope(prediction);
  return reduceSum(yes(prediction) * yes(target)) / reduceSum(yes(prediction));
}

Tensor tg::binaryRecall(Operand target, Operand prediction) {
  Scope scope(prediction);
  return reduceSum(yes(prediction) * yes(target)) / reduceSum(yes(target));
}

Tensor tg::binaryF1(Operand target, Operand prediction) {
  Scope scope(prediction);
  Tensor precision = binaryPrecision(target, prediction);
  Tensor recall = binaryRecall(target, prediction);
  return 2.0 * precision * recall / (precision + recall);
}
