//===- Histogram.cpp - buckets of numbers ---------------------------------===//
#include "Histogram.h"

#include "Messages.h"

#include <algorithm>
#include <bit>
#include <cmath>

using namespace tg::training;

/// Returns the limits of all buckets in ascending order, and infinity.
static std::vector<double> makeLimits() {
  std::vector<double> positive;
  for (double limit = 1.0e-12; limit < 1.0e20; limit *= 1.1)
    positive.push_back(limit);
  positive.push_back(std::numeric_limits<double>::max());
  std::vector<double> limits;
  for (auto limit = positive.rbegin(); limit != positive.rend(); ++limit)
    limits.push_back(-*limit);
  limits.push_back(0);
  limits.insert(limits.end(), positive.begin(), positive.end());
  limits.push_back(std::numeric_limits<double>::infinity());
  return limits;
}

namespace {

/// The limits, and a table of the bucket of each number by its 16 upper bits:
/// sign, exponent and 4 bits of the fraction. Such an interval has a ratio of
/// at most 17/16, so at most one limit is in it.
class Buckets {
public:
  Buckets() : limits(makeLimits()), first(1 << 16) {
    for (uint32_t key = 0; key < first.size(); ++key) {
      // The least number of the interval: the farthest from 0 if negative.
      const uint64_t rest = key >> 15 ? (uint64_t(1) << 48) - 1 : 0;
      const auto least = std::bit_cast<double>(uint64_t(key) << 48 | rest);
      const auto bucket =
          std::isfinite(least)
              ? std::upper_bound(limits.begin(), limits.end(), least)
              : limits.begin();
      first[key] = static_cast<uint16_t>(bucket - limits.begin());
    }
  }

  /// Returns the bucket of a finite number. Those equal to the last limit but
  /// infinity have a bucket of their own.
  size_t find(double value) const {
    const size_t bucket = first[std::bit_cast<uint64_t>(value) >> 48];
    return bucket + (value >= limits[bucket]);
  }

  const std::vector<double> limits;

private:
  std::vector<uint16_t> first;
};

} // namespace

static const Buckets &buckets() {
  static const Buckets all;
  return all;
}

Histogram::Histogram() : counts(buckets().limits.size()) {}

void Histogram::add(std::span<const double> values) {
  const Buckets &all = buckets();
  for (const double value : values) {
    if (!std::isfinite(value)) {
      ++omitted;
      continue;
    }
    ++counts[all.find(value)];
    if (value < min)
      min = value;
    if (value > max)
      max = value;
    sum += value;
    sumSquares += value * value;
  }
  number += values.size();
}

std::string Histogram::message() const {
  const std::vector<double> &ends = buckets().limits;
  std::vector<uint64_t> merged = counts;
  const size_t last = merged.size() - 2;
  merged[last] += merged[last + 1];
  std::vector<double> limits, numbers;
  for (size_t i = 0; i <= last; ++i) {
    if (!merged[i] && i < last && !merged[i + 1])
      continue;
    limits.push_back(ends[i]);
    numbers.push_back(static_cast<double>(merged[i]));
  }
  const uint64_t finite = number - omitted;
  std::string message;
  Builder<HistogramField> fields(message);
  fields.add_double(HistogramField::min, finite ? min : 0);
  fields.add_double(HistogramField::max, finite ? max : 0);
  fields.add_double(HistogramField::num, static_cast<double>(finite));
  fields.add_double(HistogramField::sum, sum);
  fields.add_double(HistogramField::sum_squares, sumSquares);
  fields.add_packed_double(HistogramField::bucket_limit, limits.begin(),
                           limits.end());
  fields.add_packed_double(HistogramField::bucket, numbers.begin(),
                           numbers.end());
  return message;
}
