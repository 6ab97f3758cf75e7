/// Histograms of summaries and their buckets.
#include "EventFiles.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace tg;
using namespace tg::training;
using data::Feature;
using protozero::pbf_reader;

namespace {

class HistogramsTest : public EventsTest {};

} // namespace

/// Returns the numbers of a HistogramProto: min, max, num, sum, sum_squares,
/// limits, counts.
static std::vector<std::vector<double>> readHistogram(const std::string &text) {
  pbf_reader message(text);
  std::vector<std::vector<double>> fields(7);
  while (message.next()) {
    std::vector<double> &field = fields.at(message.tag() - 1);
    if (message.tag() < 6) {
      field = {message.get_double()};
      continue;
    }
    const auto all = message.get_packed_double();
    field = {all.begin(), all.end()};
  }
  return fields;
}

TEST_F(HistogramsTest, HistogramsCountFiniteNumbers) {
  EventWriter writer(directory, fixed());
  const std::vector<double> values = {0,      -0.0, 1,        1,  -2,
                                      1e-300, 1e30, INFINITY, NAN};
  EXPECT_EQ(writer.addHistogram("h", values, 3), 2u);
  writer.close();
  const Event event = readEvents(writer.path()).at(1);
  EXPECT_EQ(event.kind, 5u);
  const auto fields = readHistogram(event.value);
  EXPECT_EQ(fields[0][0], -2);
  EXPECT_EQ(fields[1][0], 1e30);
  EXPECT_EQ(fields[2][0], 7);
  EXPECT_DOUBLE_EQ(fields[3][0], 1e30);
  EXPECT_DOUBLE_EQ(fields[4][0], 1e60);
  const auto &limits = fields[5], &counts = fields[6];
  ASSERT_EQ(limits.size(), counts.size());
  EXPECT_TRUE(std::ranges::is_sorted(limits));
  // Each bucket has the numbers from the limit before it, included.
  double before = std::numeric_limits<double>::lowest();
  for (size_t i = 0; i < limits.size(); ++i) {
    const auto inBucket = [&](double value) {
      return std::isfinite(value) && value >= before && value < limits[i];
    };
    EXPECT_EQ(counts[i], std::ranges::count_if(values, inBucket)) << limits[i];
    before = limits[i];
  }
  // No two adjacent buckets are empty.
  for (size_t i = 1; i < counts.size(); ++i)
    EXPECT_TRUE(counts[i] || counts[i - 1]) << limits[i];
}

TEST_F(HistogramsTest, BucketsAreThoseOfTensorFlow) {
  std::vector<double> limits = {0};
  for (double limit = 1.0e-12; limit < 1.0e20; limit *= 1.1) {
    limits.push_back(limit);
    limits.push_back(-limit);
  }
  limits.push_back(std::numeric_limits<double>::max());
  limits.push_back(std::numeric_limits<double>::lowest());
  std::ranges::sort(limits);
  // Limits, their neighbours and the largest numbers.
  for (const double limit : limits)
    for (const double value : {limit, std::nextafter(limit, -INFINITY),
                               std::nextafter(limit, INFINITY), limit * 1.03}) {
      if (!std::isfinite(value))
        continue;
      Summary summary;
      summary.addHistogram("h", std::span(&value, 1));
      Event event;
      pbf_reader message(summary.bytes());
      ASSERT_TRUE(message.next(1));
      readValue(message.get_message(), event);
      const auto fields = readHistogram(event.value);
      const size_t bucket =
          std::ranges::find(fields[6], 1.0) - fields[6].begin();
      auto expected = std::ranges::upper_bound(limits, value);
      if (expected == limits.end())
        --expected;
      ASSERT_EQ(fields[5].at(bucket), *expected) << value;
    }
}

TEST_F(HistogramsTest, HistogramsOfNothingHaveNoNumbers) {
  Summary summary;
  EXPECT_EQ(summary.addHistogram("h", std::vector<float>{NAN}), 1u);
  Feature integers({TG_DTYPE_INT, 8, 1}, {3});
  std::ranges::fill(integers.values<int8_t>(), int8_t(-7));
  EXPECT_EQ(summary.addHistogram("i", integers), 0u);
  EventWriter writer(directory, fixed());
  writer.add(summary, 1);
  writer.add(Summary(), 2);
  writer.close();
  EXPECT_EQ(readEvents(writer.path()).size(), 2u);
  pbf_reader message(summary.bytes());
  std::vector<Event> values;
  while (message.next(1))
    readValue(message.get_message(), values.emplace_back());
  EXPECT_EQ(readHistogram(values[0].value)[2][0], 0);
  EXPECT_EQ(readHistogram(values[1].value)[3][0], -21);
}
