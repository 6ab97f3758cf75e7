//===- Evaluation.cpp - means and metrics of a function -------------------===//
#include "Evaluation.h"

#include "Tensors.h"

#include <algorithm>

using namespace tg;
using namespace tg::training;

/// Returns the function, which changes no variable. Throws RuntimeError for
/// others.
static const tg_function_t &findTest(const Model &model,
                                     const std::string &name, bool hasMetrics) {
  const tg_function_t &test = findFunction(model, name);
  if (test.flags & TG_FUNCTION_WRITES_VARIABLES)
    throw RuntimeError(TG_ERROR_SLAB, name + ": found a function that changes "
                                             "variables, expected one that "
                                             "only reads them");
  if (scalarOutputs(test).empty() && !hasMetrics)
    throw RuntimeError(TG_ERROR_RANK,
                       name + ": found no scalar output, expected at least one "
                              "to evaluate, or a metric");
  return test;
}

Evaluation::Evaluation(const Model &model, const std::string &tested,
                       const data::Dataset &read, const MetricSpecs &specs)
    : function(findTest(model, tested, !specs.empty())), name(tested),
      data(read), feed(function, data) {
  if (data.hasRandomAccess() && !data.size())
    throw data::DataError("expected a data set with an end for '" + name +
                          "', found an endless one");
  for (const auto &[tag, spec] : specs)
    add(tag, spec);
}

/// Throws DataError if a metric names something that is not there.
static void expectName(const std::string &name, const char *what,
                       const std::vector<std::string> &known,
                       const std::string &tag) {
  if (name.empty() || std::ranges::find(known, name) != known.end())
    return;
  std::string names;
  for (const std::string &other : known)
    names += (names.empty() ? "" : ", ") + other;
  throw data::DataError("metric '" + tag + "': expected the name of " + what +
                        " among " + (names.empty() ? "none" : names) +
                        ", found '" + name + "'");
}

void Evaluation::add(const std::string &tag, MetricSpec spec) {
  std::vector<std::string> features, others, outputs, tensors;
  for (const data::FeatureType &feature : data.type()) {
    features.push_back(feature.name);
    if (!feed.takesFeature(feature.name))
      others.push_back(feature.name);
  }
  for (uint32_t i = 0; i < function.output_count; ++i)
    (function.outputs[i]->rank ? tensors : outputs)
        .emplace_back(function.outputs[i]->name);
  outputs.insert(outputs.end(), tensors.begin(), tensors.end());
  expectName(spec.label, "a label", features, tag);
  expectName(spec.prediction, "a prediction", outputs, tag);
  if (spec.label.empty() && others.size() == 1)
    spec.label = others.front();
  if (spec.prediction.empty() && tensors.size() == 1)
    spec.prediction = tensors.front();
  metrics.add(tag, std::move(spec));
}

MetricValues Evaluation::run(Context &context,
                             const std::map<std::string, double> &numbers,
                             const data::LoaderOptions &options) const {
  std::vector<std::pair<std::string, Mean>> means;
  for (const std::string &output : scalarOutputs(function))
    means.emplace_back(output, Mean());
  metrics.reset();
  data::Loader loader(data, options);
  bool isEmpty = true;
  while (const data::Example *batch = loader.next()) {
    const Outputs &outputs = context.run(name, feed.inputs(*batch, numbers));
    const uint64_t rows = rowsOf(*batch);
    for (auto &[output, mean] : means)
      mean.add(outputs.scalar(output), rows);
    metrics.add(featuresOf(data.type(), *batch), outputsOf(function, outputs),
                rows);
    isEmpty = false;
  }
  if (isEmpty)
    throw data::DataError("expected at least one example for '" + name +
                          "', found none");
  MetricValues values;
  for (const auto &[output, mean] : means)
    values.emplace_back(output, mean.value());
  for (auto &value : metrics.values())
    values.push_back(std::move(value));
  return values;
}
