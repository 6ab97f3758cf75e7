//===- Inference.cpp - metrics of data sets and of steps ------------------===//
#include "Support.h"
#include "runtime/training/loop/Feed.h"
#include "tg/data/loader.hpp"

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
      : data(std::move(read)), options(std::move(chosen)),
        metrics(makeSet(options.metrics, options.prefix)) {}

  std::string name() const override {
    return "inferenceRunner(" + options.prefix + ")";
  }
  void beforeTrain(TrainingState &state) override {
    // Refuses features that do not fit, before the first step.
    const tg_function_t &function = findTest(state);
    Feed(function, data);
    if (data.hasRandomAccess() && !data.size())
      throw data::DataError("expected a data set with an end for '" +
                            options.function + "', found an endless one");
  }
  void triggerEpoch(TrainingState &state) override {
    if (!metrics.isEmpty())
      return evaluate(state);
    for (const auto &[tag, value] : state.evaluate(data, options.function))
      state.log(options.prefix.empty() ? tag : options.prefix + "/" + tag,
                value);
  }

private:
  /// Returns the function, which has no effect on the training.
  const tg_function_t &findTest(const TrainingState &state) const {
    const tg_function_t &function =
        findFunction(state.model(), options.function);
    if (function.flags & TG_FUNCTION_WRITES_VARIABLES)
      throw RuntimeError(TG_ERROR_SLAB,
                         options.function +
                             ": found a function that changes variables, "
                             "expected one that only reads them");
    return function;
  }

  void evaluate(TrainingState &state) {
    const tg_function_t &function = findTest(state);
    const Feed feed(function, data);
    std::map<std::string, double> numbers;
    for (uint32_t i = 0; i < function.input_count; ++i)
      if (feed.takesNumber(function.inputs[i]->name))
        numbers[function.inputs[i]->name] = state.get(function.inputs[i]->name);
    // The samples are the same for any number of evaluations before.
    if (drawsSamples(function))
      state.context().setSeed(static_cast<int64_t>(data::hashCounters(
          {static_cast<uint64_t>(state.options().seed), state.step(), 1})));
    metrics.reset();
    data::Loader loader(data, state.options().loader);
    while (const data::Example *batch = loader.next()) {
      const Outputs &outputs =
          state.context().run(options.function, feed.inputs(*batch, numbers));
      metrics.add(featuresOf(data.type(), *batch), outputsOf(function, outputs),
                  rowsOf(*batch));
    }
    logAll(state, metrics);
  }

  data::Dataset data;
  InferenceOptions options;
  MetricSet metrics;
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
