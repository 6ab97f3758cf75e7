/// Classes of predictions and labels.
#ifndef TG_RUNTIME_TRAINING_METRICS_CLASSES_H
#define TG_RUNTIME_TRAINING_METRICS_CLASSES_H

#include "tg/training/metrics.hpp"

#include <span>

namespace tg::training {

/// The class of scores that have none, since one of them is NaN.
constexpr int64_t noClass = -1;

/// Returns the class of each example of a batch: numbers of classes as they
/// are, or the first largest score of each row.
std::vector<int64_t> predictedClasses(const MetricBatch &batch);

/// Returns the class of each label, which is less than the number of scores if
/// predictions are scores.
std::vector<int64_t> labelClasses(const MetricBatch &batch);

/// Returns the number of the first largest score of each row of a tensor with a
/// dimension of classes.
std::vector<int64_t> largestScores(const tg_tensor_t &scores);

/// Returns the elements of a tensor as whole numbers. Throws DataError for
/// fractions. `what` is "predictions" or "labels".
std::vector<int64_t> wholeNumbers(const tg_tensor_t &tensor, const char *what);

} // namespace tg::training

#endif // TG_RUNTIME_TRAINING_METRICS_CLASSES_H
