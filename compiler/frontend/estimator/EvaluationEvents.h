//===- EvaluationEvents.h - event files of evaluations --------------------===//
#ifndef TG_COMPILER_FRONTEND_ESTIMATOR_EVALUATIONEVENTS_H
#define TG_COMPILER_FRONTEND_ESTIMATOR_EVALUATIONEVENTS_H

#include "tg/training/events.hpp"
#include "tg/training/metrics.hpp"

namespace tg::estimator {

/// The results of an evaluation: numbers, and the summaries of its first batch.
struct EvaluationNumbers {
  training::MetricValues values;
  training::Summary summary;
};

/// Writes evaluations to an event file in a directory, which is made for the
/// first one.
class EvaluationEvents {
public:
  explicit EvaluationEvents(std::string path) : directory(std::move(path)) {}

  /// Writes an evaluation after so many steps. Throws data::DataError.
  void write(uint64_t step, const EvaluationNumbers &numbers);

private:
  std::string directory;
  std::unique_ptr<training::EventWriter> writer;
};

} // namespace tg::estimator

#endif // TG_COMPILER_FRONTEND_ESTIMATOR_EVALUATIONEVENTS_H
