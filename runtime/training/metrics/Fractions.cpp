//===- Fractions.cpp - parts of all examples ------------------------------===//
#include "Classes.h"
#include "StateText.h"
#include "Tensors.h"

#include <cmath>
#include <limits>

using namespace tg;
using namespace tg::training;
using data::DataError;

void Fraction::merge(const Metric &other) {
  const auto *same = dynamic_cast<const Fraction *>(&other);
  if (!same || same->name != name)
    throw DataError("expected another metric '" + name + "' to merge" +
                    (same ? ", found '" + same->name + "'" : ""));
  hits += same->hits;
  count += same->count;
}

double Fraction::value() const {
  return count ? static_cast<double>(hits) / static_cast<double>(count)
               : std::numeric_limits<double>::quiet_NaN();
}

std::string Fraction::state() const {
  return name + " " + std::to_string(hits) + " " + std::to_string(count);
}

void Fraction::restore(const std::string &state) {
  StateReader reader(state, name);
  reader.expect(name);
  const auto savedHits = reader.whole<uint64_t>();
  const auto savedCount = reader.whole<uint64_t>();
  reader.finish();
  if (savedHits > savedCount)
    reader.fail();
  hits = savedHits;
  count = savedCount;
}

void Accuracy::add(const MetricBatch &batch) {
  const std::vector<int64_t> labels = labelClasses(batch),
                             classes = predictedClasses(batch);
  for (size_t i = 0; i < labels.size(); ++i)
    addExample(classes[i] == labels[i]);
}

void ClassificationError::add(const MetricBatch &batch) {
  const std::vector<int64_t> labels = labelClasses(batch),
                             classes = predictedClasses(batch);
  for (size_t i = 0; i < labels.size(); ++i)
    addExample(classes[i] != labels[i]);
}

TopKError::TopKError(uint64_t k)
    : Fraction("top" + std::to_string(k) + "_error"), largest(k) {
  if (!k)
    throw DataError("expected the error of 1 or more classes, found 0");
}

/// Returns true if fewer than `k` scores are larger than that of the label.
template <typename T>
static bool isAmongLargest(std::span<const T> scores, int64_t label,
                           uint64_t k) {
  const auto number = static_cast<size_t>(label);
  uint64_t larger = 0;
  for (size_t i = 0; i < scores.size(); ++i) {
    if constexpr (std::is_floating_point_v<T>)
      if (std::isnan(scores[i]))
        return false;
    larger += scores[i] > scores[number] ||
              (i < number && scores[i] == scores[number]);
  }
  return larger < k;
}

void TopKError::add(const MetricBatch &batch) {
  expectRows(batch.predictions, batch.examples, "predictions");
  if (!isFloat(batch.predictions) || batch.predictions.ndim < 2)
    throw DataError("expected scores f32 or f64 [" +
                    std::to_string(batch.examples) + ", classes], found " +
                    describe(batch.predictions));
  const std::vector<int64_t> labels = labelClasses(batch);
  const auto classes = static_cast<size_t>(shapeOf(batch.predictions).back());
  visitElements(batch.predictions, [&](auto scores) {
    for (size_t i = 0; i < labels.size(); ++i)
      addExample(labels[i] == noClass ||
                 !isAmongLargest(scores.subspan(i * classes, classes),
                                 labels[i], largest));
  });
}
