//===- Inference.cpp - metrics of data sets and of steps ------------------===//
#include "Support.h"
#include "runtime/training/loop/Evaluation.h"

using namespace tg;
using namespace tg::training;

/// Makes a set of metrics with tags that begin with a prefix.
static MetricSet makeSet(const MetricSpecs &metrics,
                         const std::string &prefix) {
  MetricSet set;
  for (const auto &[tag, spec] : metrics)
    set.add(prefix.empty() ? tag : prefix + "/" + tag, spec);
  return set;
}

/// Logs the values of metrics.
static void logAll(TrainingState &state, const MetricSet &metrics) {
  for (const auto &[tag, value] : metrics.values())
    state.log(tag, value);
}

namespace {

class InferenceRunner : public Callback {
public:
  InferenceRunner(data::Dataset read, InferenceOptions chosen)
      : data(std::move(read)), options(std::move(chosen)) {}

  std::string name() const override {
    return "inferenceRunner(" + options.prefix + ")";
  }
  void beforeTrain(TrainingState &state) override {
    // Refuses what does not fit, before the first step.
    Evaluation(state.model(), options.function, data, options.metrics);
  }
  void triggerEpoch(TrainingState &state) override {
    for (const auto &[tag, value] :
         state.evaluate(data, options.function, options.metrics))
      state.log(options.prefix.empty() ? tag : options.prefix + "/" + tag,
                value);
  }

private:
  data::Dataset data;
  InferenceOptions options;
};

class TrainingMetrics : public Callback {
public:
  TrainingMetrics(data::ExampleType type, const MetricSpecs &specs,
                  std::string before)
      : features(std::move(type)), metrics(makeSet(specs, before)),
        prefix(std::move(before)) {}

  std::string name() const override {
    return "trainingMetrics(" + prefix + ")";
  }
  void afterStep(TrainingState &state) override {
    const tg_function_t &function =
        findFunction(state.model(), state.options().function);
    metrics.add(featuresOf(features, state.batch()),
                outputsOf(function, state.outputs()), rowsOf(state.batch()));
  }
  void triggerEpoch(TrainingState &state) override {
    logAll(state, metrics);
    metrics.reset();
  }
  std::string state() const override { return metrics.state(); }
  void restore(const std::string &text) override { metrics.restore(text); }

private:
  data::ExampleType features;
  MetricSet metrics;
  std::string prefix;
};

} // namespace

CallbackPtr training::inferenceRunner(data::Dataset data,
                                      const InferenceOptions &options) {
  return std::make_shared<InferenceRunner>(std::move(data), options);
}

CallbackPtr training::trainingMetrics(const data::Dataset &data,
                                      const MetricSpecs &metrics,
                                      const std::string &prefix) {
  if (metrics.empty())
    throw data::DataError("expected a metric or more, found none");
  return std::make_shared<TrainingMetrics>(data.type(), metrics, prefix);
}
