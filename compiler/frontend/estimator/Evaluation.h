//===- Evaluation.h - predictions and metrics of batches ------------------===//
#ifndef TG_COMPILER_FRONTEND_ESTIMATOR_EVALUATION_H
#define TG_COMPILER_FRONTEND_ESTIMATOR_EVALUATION_H

#include "compiler/frontend/estimator/State.h"

namespace tg::estimator {

/// Returns the features of a batch that a function of a model takes.
std::vector<Input> inputsOf(const Model &model, const std::string &function,
                            const data::ExampleType &type,
                            const data::Example &batch);

/// Returns a copy of an output as a feature.
data::Feature copyOf(const Outputs &outputs, const tg_value_t &output);

/// Runs the function `evaluate` of a model on batches of a data set.
class Evaluation {
public:
  /// `steps` is the number of batches, 0 for all.
  Evaluation(const Compiled &compiled, InputData data, const MetricSpecs &specs,
             uint64_t steps, const RunConfig &config);

  /// Evaluates the variables of a context. Equal variables give equal values.
  EvaluationNumbers run(Context &context) const;

private:
  /// Adds the outputs of a batch to the metrics.
  void add(training::MetricSet &metrics, const data::Example &batch,
           const Outputs &outputs) const;
  /// Returns the summaries of the tensors in the outputs.
  training::Summary summarize(const Outputs &outputs) const;

  Model model;
  SummaryOp summaries;
  InputData data;
  MetricSpecs specs;
  uint64_t steps;
  int64_t seed;
  data::LoaderOptions loader;
};

} // namespace tg::estimator

#endif // TG_COMPILER_FRONTEND_ESTIMATOR_EVALUATION_H
