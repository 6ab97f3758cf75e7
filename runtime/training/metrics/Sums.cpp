//===- Sums.cpp - sums, means and extrema ---------------------------------===//
#include "StateText.h"
#include "Tensors.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace tg;
using namespace tg::training;
using data::DataError;

void CompensatedSum::add(double number) {
  const double next = sum + number;
  // Infinities have no error.
  if (std::isfinite(next))
    errors += std::abs(sum) >= std::abs(number) ? (sum - next) + number
                                                : (number - next) + sum;
  sum = next;
}

void CompensatedSum::add(const CompensatedSum &other) {
  add(other.sum);
  errors += other.errors;
}

double CompensatedSum::value() const { return sum + errors; }

std::string CompensatedSum::text() const {
  return bitsText(sum) + bitsText(errors);
}

CompensatedSum CompensatedSum::parse(std::string_view text) {
  if (text.size() != 32)
    throw DataError("expected 32 digits of a sum, found '" + std::string(text) +
                    "'");
  StateReader reader(std::string(text.substr(0, 16)) + " " +
                         std::string(text.substr(16)),
                     "sum");
  CompensatedSum parsed;
  parsed.sum = reader.number();
  parsed.errors = reader.number();
  return parsed;
}

/// Returns another metric as one of this class. Throws DataError if it is none.
template <typename Class>
static const Class &sameClass(const Class &, const Metric &other,
                              const char *name) {
  const auto *same = dynamic_cast<const Class *>(&other);
  if (!same)
    throw DataError(std::string("expected another metric '") + name +
                    "' to merge");
  return *same;
}

MetricValues Metric::values() const { return {{"", value()}}; }

void Mean::add(double mean, uint64_t examples) {
  if (examples)
    sum.add(mean * static_cast<double>(examples));
  count += examples;
}

void Mean::add(const MetricBatch &batch) {
  const tg_tensor_t &tensor = batch.predictions;
  if (tensor.ndim)
    expectRows(tensor, batch.examples, "predictions");
  visitElements(tensor, [&](auto elements) {
    if (!tensor.ndim)
      return add(static_cast<double>(elements[0]), batch.examples);
    for (auto element : elements)
      add(static_cast<double>(element), 1);
  });
}

void Mean::merge(const Metric &other) {
  const Mean &same = sameClass(*this, other, "mean");
  sum.add(same.sum);
  count += same.count;
}

double Mean::value() const {
  return count ? sum.value() / static_cast<double>(count)
               : std::numeric_limits<double>::quiet_NaN();
}

void Mean::reset() {
  sum = {};
  count = 0;
}

std::string Mean::state() const {
  return "mean " + sum.text() + " " + std::to_string(count);
}

void Mean::restore(const std::string &state) {
  StateReader reader(state, "mean");
  reader.expect("mean");
  const CompensatedSum saved = CompensatedSum::parse(reader.word());
  const auto examples = reader.whole<uint64_t>();
  reader.finish();
  sum = saved;
  count = examples;
}

void MeanSquaredError::add(const MetricBatch &batch) {
  const tg_tensor_t &labels = labelsOf(batch);
  if (!std::ranges::equal(shapeOf(labels), shapeOf(batch.predictions)))
    throw DataError("expected predictions of the shape of the labels, " +
                    describe(labels) + ", found " +
                    describe(batch.predictions));
  visitElements(batch.predictions, [&](auto predicted) {
    visitElements(labels, [&](auto expected) {
      for (size_t i = 0; i < predicted.size(); ++i) {
        const double difference = static_cast<double>(predicted[i]) -
                                  static_cast<double>(expected[i]);
        Mean::add(difference * difference, 1);
      }
    });
  });
}

void Sum::add(const MetricBatch &batch) {
  visitElements(batch.predictions, [&](auto elements) {
    for (auto element : elements)
      sum.add(static_cast<double>(element));
  });
}

void Sum::merge(const Metric &other) {
  sum.add(sameClass(*this, other, "sum").sum);
}

std::string Sum::state() const { return "sum " + sum.text(); }

void Sum::restore(const std::string &state) {
  StateReader reader(state, "sum");
  reader.expect("sum");
  const CompensatedSum saved = CompensatedSum::parse(reader.word());
  reader.finish();
  sum = saved;
}

/// Returns the name of a kind in states.
static const char *nameOf(Extremum::Kind kind) {
  switch (kind) {
  case Extremum::Kind::Min:
    return "min";
  case Extremum::Kind::Max:
    return "max";
  case Extremum::Kind::Last:
    break;
  }
  return "last";
}

void Extremum::take(double number) {
  const bool replaces =
      !found || kind == Kind::Last ||
      (!std::isnan(*found) &&
       (std::isnan(number) ||
        (kind == Kind::Min ? number < *found : number > *found)));
  if (replaces)
    found = number;
}

void Extremum::add(const MetricBatch &batch) {
  visitElements(batch.predictions, [&](auto elements) {
    for (auto element : elements)
      take(static_cast<double>(element));
  });
}

void Extremum::merge(const Metric &other) {
  const Extremum &same = sameClass(*this, other, nameOf(kind));
  if (same.kind != kind)
    throw DataError(std::string("expected another metric '") + nameOf(kind) +
                    "' to merge, found '" + nameOf(same.kind) + "'");
  if (same.found)
    take(*same.found);
}

double Extremum::value() const {
  return found.value_or(std::numeric_limits<double>::quiet_NaN());
}

std::string Extremum::state() const {
  return std::string(nameOf(kind)) + " " + (found ? bitsText(*found) : "none");
}

void Extremum::restore(const std::string &state) {
  StateReader reader(state, nameOf(kind));
  reader.expect(nameOf(kind));
  std::optional<double> saved;
  if (!state.ends_with(" none"))
    saved = reader.number();
  else
    reader.expect("none");
  reader.finish();
  found = saved;
}
