/// Histograms of summaries.
#ifndef TG_RUNTIME_TRAINING_EVENTS_HISTOGRAM_H
#define TG_RUNTIME_TRAINING_EVENTS_HISTOGRAM_H

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace tg::training {

/// Counts numbers in the buckets of tensorflow::histogram::Histogram. Bucket i
/// has the numbers from limit i - 1, included, to limit i. The limits are 0,
/// the numbers +-1e-12 * 1.1^k less than 1e20, and the largest double with both
/// signs.
class Histogram {
public:
  Histogram();

  /// Counts numbers. NaN and infinity are in no bucket.
  void add(std::span<const double> values);
  /// Returns the number of NaN and infinite numbers.
  size_t notFinite() const { return omitted; }

  /// Returns the tensorflow.HistogramProto. Of adjacent empty buckets, only the
  /// last one is in it. All numbers of a histogram of none are 0.
  std::string message() const;

private:
  /// The numbers in each bucket, and last those equal to the largest double,
  /// which belong to the bucket before.
  std::vector<uint64_t> counts;
  uint64_t number = 0;
  size_t omitted = 0;
  double min = std::numeric_limits<double>::max();
  double max = std::numeric_limits<double>::lowest();
  double sum = 0, sumSquares = 0;
};

} // namespace tg::training

#endif // TG_RUNTIME_TRAINING_EVENTS_HISTOGRAM_H
