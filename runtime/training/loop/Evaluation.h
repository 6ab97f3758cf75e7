/// Means and metrics of a function on a data set.
#ifndef TG_RUNTIME_TRAINING_LOOP_EVALUATION_H
#define TG_RUNTIME_TRAINING_LOOP_EVALUATION_H

#include "Feed.h"
#include "tg/data/loader.hpp"
#include "tg/training/metrics.hpp"

namespace tg::training {

/// Runs a function that changes no variable on all examples of an epoch.
class Evaluation {
public:
  /// Refuses a function without scalar outputs and metrics, features that do
  /// not fit, and an endless data set. Throws RuntimeError and DataError.
  Evaluation(const Model &model, const std::string &function,
             const data::Dataset &data, const MetricSpecs &metrics);

  /// Checks that each input is a feature or one of these numbers.
  void expectValues(const std::map<std::string, double> &numbers) const {
    feed.expectValues(numbers);
  }
  /// Returns the mean of each scalar output, weighted by examples, and the
  /// values of the metrics.
  MetricValues run(Context &context,
                   const std::map<std::string, double> &numbers,
                   const data::LoaderOptions &options) const;

private:
  /// Adds a metric. Its label is by default the only feature that is no input,
  /// and its prediction the only output that is no scalar.
  void add(const std::string &tag, MetricSpec spec);

  const tg_function_t &function;
  std::string name;
  data::Dataset data;
  Feed feed;
  mutable MetricSet metrics;
};

} // namespace tg::training

#endif // TG_RUNTIME_TRAINING_LOOP_EVALUATION_H
