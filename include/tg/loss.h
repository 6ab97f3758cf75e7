/// Losses and measures. `target` is what should be, `prediction` what is; all
/// results are scalars unless they say otherwise.
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
Tensor meanSquaredError(Operand target, Operand prediction);
Tensor meanAbsoluteError(Operand target, Operand prediction);
/// mean of ½e² where |e| <= delta, else of delta · (|e| - ½ delta), with e = t
/// - p; delta > 0. Huber, "Robust Estimation of a Location Parameter", 1964.
Tensor huberLoss(Operand target, Operand prediction, double delta = 1);
/// mean of -(t log p + (1 - t) log(1 - p)), p cut to [1e-6, 1 - 1e-6].
Tensor binaryEntropy(Operand target, Operand prediction);
/// mean(max(0, 1 - t · clip(p, 0, 1))).
Tensor hingeLoss(Operand target, Operand prediction);

/// The share of rows whose greatest prediction is the label: a class number or
/// a row like the prediction's. And one less that share.
Tensor accuracy(Operand prediction, Operand label);
Tensor errorRate(Operand prediction, Operand label);
/// Per row of [..., k] classes: are fewer than `count` predictions greater than
/// that of the label, a class number? NaN counts as greater.
Tensor inTopK(Operand prediction, Operand label, int64_t count);

/// Of one-hot rows [n, 2], column 1 being "yes"; 0/0 is NaN.
Tensor binaryPrecision(Operand target, Operand prediction);
Tensor binaryRecall(Operand target, Operand prediction);
Tensor binaryF1(Operand target, Operand prediction);

} // namespace tg

#endif // TG_LOSS_H
