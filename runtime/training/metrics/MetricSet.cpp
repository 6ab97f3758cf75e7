//===- MetricSet.cpp - metrics with tags ----------------------------------===//
#include "StateText.h"
#include "tg/training/metrics.hpp"

#include <charconv>

using namespace tg;
using namespace tg::training;
using data::DataError;

void MetricSet::add(const std::string &tag, MetricSpec spec) {
  if (tag.empty() || tag.find_first_of(" \t\n\r") != std::string::npos)
    throw DataError("expected the tag of a metric without spaces, found '" +
                    tag + "'");
  for (const auto &[taken, other] : metrics)
    if (taken == tag)
      throw DataError("expected metrics with different tags, found two '" +
                      tag + "'");
  if (!spec.metric)
    throw DataError("expected a metric for '" + tag + "', found none");
  metrics.emplace_back(tag, std::move(spec));
}

/// Returns the tensor with this name, or the only one for an empty name.
static const tg_tensor_t &find(const std::vector<NamedTensor> &tensors,
                               const std::string &name, const char *what) {
  if (name.empty() && tensors.size() == 1)
    return tensors.front().tensor;
  std::string known;
  for (const NamedTensor &tensor : tensors) {
    if (tensor.name == name)
      return tensor.tensor;
    known += (known.empty() ? "" : ", ") + tensor.name;
  }
  throw DataError(std::string("expected the name of ") + what + " among " +
                  (known.empty() ? "none" : known) + ", found '" + name + "'");
}

void MetricSet::add(const std::vector<NamedTensor> &labels,
                    const std::vector<NamedTensor> &predictions,
                    uint64_t examples) {
  for (const auto &[tag, spec] : metrics)
    try {
      MetricBatch batch{examples,
                        find(predictions, spec.prediction, "a prediction")};
      if (!spec.label.empty() || labels.size() == 1)
        batch.labels = find(labels, spec.label, "a label");
      spec.metric->add(batch);
    } catch (const DataError &error) {
      throw DataError("metric '" + tag + "': " + error.what());
    }
}

/// Returns the tags of metrics, for messages.
static std::string
tagsOf(const std::vector<std::pair<std::string, MetricSpec>> &metrics) {
  std::string tags;
  for (const auto &[tag, spec] : metrics)
    tags += (tags.empty() ? "" : ", ") + tag;
  return tags.empty() ? "none" : tags;
}

void MetricSet::merge(const MetricSet &other) {
  const std::string tags = tagsOf(metrics), found = tagsOf(other.metrics);
  if (tags != found)
    throw DataError("expected the metrics " + tags + " to merge, found " +
                    found);
  for (size_t i = 0; i < metrics.size(); ++i)
    metrics[i].second.metric->merge(*other.metrics[i].second.metric);
}

MetricValues MetricSet::values() const {
  MetricValues all;
  for (const auto &[tag, spec] : metrics)
    for (const auto &[end, value] : spec.metric->values())
      all.emplace_back(end.empty() ? tag : tag + "/" + end, value);
  return all;
}

void MetricSet::reset() {
  for (const auto &[tag, spec] : metrics)
    spec.metric->reset();
}

std::string MetricSet::state() const {
  std::string text;
  for (const auto &[tag, spec] : metrics)
    text += tag + " " + spec.metric->state() + "\n";
  return text;
}

void MetricSet::restore(const std::string &state) {
  StateReader lines(state, "metrics");
  for (const auto &[tag, spec] : metrics) {
    lines.expect(tag);
    spec.metric->restore(lines.rest());
  }
  lines.finish();
}

/// Returns k of "top<k>_error", or 0 for other names.
static uint64_t largestOf(std::string_view name) {
  constexpr std::string_view begin = "top", end = "_error";
  if (!name.starts_with(begin) || !name.ends_with(end))
    return 0;
  name.remove_prefix(begin.size());
  name.remove_suffix(end.size());
  uint64_t k = 0;
  const auto [parsed, error] =
      std::from_chars(name.data(), name.data() + name.size(), k);
  return error == std::errc() && parsed == name.data() + name.size() ? k : 0;
}

std::shared_ptr<Metric> training::makeMetric(const std::string &name) {
  if (name == "mean")
    return std::make_shared<Mean>();
  if (name == "sum")
    return std::make_shared<Sum>();
  if (name == "min")
    return std::make_shared<Extremum>(Extremum::Kind::Min);
  if (name == "max")
    return std::make_shared<Extremum>(Extremum::Kind::Max);
  if (name == "last")
    return std::make_shared<Extremum>(Extremum::Kind::Last);
  if (name == "mse")
    return std::make_shared<MeanSquaredError>();
  if (name == "accuracy")
    return std::make_shared<Accuracy>();
  if (name == "error")
    return std::make_shared<ClassificationError>();
  if (name == "binary")
    return std::make_shared<BinaryClassificationStats>();
  if (const uint64_t k = largestOf(name))
    return std::make_shared<TopKError>(k);
  throw DataError("expected mean, sum, min, max, last, mse, accuracy, error, "
                  "top5_error or binary as a metric, found '" +
                  name + "'");
}
