/// Losses and measures: of what is (predictions or logits), then what should be
/// (targets or labels), in this order. Both have one shape, or the target is a
/// number; labels say their shape. Nothing is broadcast: another shape is an
/// error, at run time if not before. All results are scalars unless they say
/// otherwise.
#ifndef TG_LOSS_H
#define TG_LOSS_H

#include "functional.h"

namespace tg {

/// Per row of logits [..., k]: labels are class numbers [...] or distributions
/// [..., k]. The result has the shape of a row's place.
Tensor softmaxCrossEntropy(Operand logits, Operand labels);
/// Its mean over the rows.
Tensor meanSoftmaxCrossEntropy(Operand logits, Operand labels);
/// Elementwise, of logits; the result has their shape.
Tensor sigmoidCrossEntropy(Operand logits, Operand target);

/// mean((t - p)²), mean|t - p|.
Tensor meanSquaredError(Operand prediction, Operand target);
Tensor meanAbsoluteError(Operand prediction, Operand target);
/// mean of ½e² where |e| <= delta, else of delta · (|e| - ½ delta), with e = t
/// - p; delta > 0. Huber, "Robust Estimation of a Location Parameter", 1964.
Tensor huberLoss(Operand prediction, Operand target, double delta = 1);
/// mean of -(t log p + (1 - t) log(1 - p)), p cut to [1e-6, 1 - 1e-6].
Tensor binaryEntropy(Operand prediction, Operand target);
/// mean(max(0, 1 - t · clip(p, 0, 1))).
Tensor hingeLoss(Operand prediction, Operand target);

/// The share of rows [..., k] whose greatest prediction is that of the label: a
/// class number [...], or a row [..., k] whose greatest element counts. And one
/// less that share.
Tensor accuracy(Operand prediction, Operand label);
Tensor errorRate(Operand prediction, Operand label);
/// Per row of [..., k] classes: are fewer than `count` predictions greater than
/// that of the label, a class number [...]? NaN counts as greater.
Tensor inTopK(Operand prediction, Operand label, int64_t count);

/// Of one-hot rows [n, 2], column 1 being "yes": how many of the predicted yes
/// are right, how many of the right ones are predicted, and the harmonic mean
/// of both. 0/0 is NaN.
Tensor binaryPrecision(Operand prediction, Operand target);
Tensor binaryRecall(Operand prediction, Operand target);
Tensor binaryF1(Operand prediction, Operand target);

} // namespace tg

#endif // TG_LOSS_H
