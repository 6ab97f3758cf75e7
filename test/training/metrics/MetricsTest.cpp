//===- MetricsTest.cpp - streaming metrics --------------------------------===//
#include "tg/training/metrics.hpp"
#include "test/data/Errors.h"
#include "tg/runtime/values.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

using namespace tg;
using namespace tg::training;
using data::errorOf;
using data::Feature;

template <typename T>
static Feature feature(std::vector<int64_t> shape, std::vector<T> elements) {
  Feature made(detail::dtypeOf<T>(), std::move(shape));
  std::ranges::copy(elements, made.values<T>().begin());
  return made;
}

/// Returns rows [first, first + count) of predictions and labels as a batch.
static MetricBatch rows(std::vector<Feature> &kept, const Feature &predictions,
                        const Feature &labels, int64_t first, int64_t count) {
  const auto part = [&](const Feature &all) {
    std::vector<int64_t> shape = all.shape();
    const size_t bytes = all.byteCount() / static_cast<size_t>(shape[0]);
    shape[0] = count;
    kept.emplace_back(all.dtype(), shape, nullptr,
                      all.data() + static_cast<size_t>(first) * bytes);
    return kept.back().tensor();
  };
  kept.reserve(kept.size() + 2);
  const tg_tensor_t predicted = part(predictions), label = part(labels);
  return {static_cast<uint64_t>(count), predicted, label};
}

TEST(Metrics, MeanIsWeightedByExamples) {
  Mean mean;
  EXPECT_TRUE(std::isnan(mean.value()));
  mean.add(2, 30);
  mean.add(5, 10);
  EXPECT_EQ(mean.value(), 2.75);
  const Feature loss = feature<float>({}, {1});
  mean.add(MetricBatch{40, loss.tensor()});
  EXPECT_EQ(mean.value(), 1.875);
  const Feature each = feature<int32_t>({2}, {10, 20});
  mean.reset();
  mean.add(MetricBatch{2, each.tensor()});
  EXPECT_EQ(mean.value(), 15);
  EXPECT_EQ(errorOf([&] { mean.add(MetricBatch{3, each.tensor()}); }),
            "expected predictions of 3 rows, found i32 [2]");
}

TEST(Metrics, SumsAddTheirRoundingErrors) {
  CompensatedSum sum;
  sum.add(1e16);
  for (int i = 0; i < 1000; ++i)
    sum.add(1);
  sum.add(-1e16);
  EXPECT_EQ(sum.value(), 1000);
  CompensatedSum two;
  two.add(1e16);
  two.add(1);
  CompensatedSum one;
  one.add(-1e16);
  two.add(one);
  EXPECT_EQ(two.value(), 1);
  two.add(std::numeric_limits<double>::infinity());
  EXPECT_EQ(two.value(), std::numeric_limits<double>::infinity());
}

TEST(Metrics, SumAndExtremaOfElements) {
  const Feature first = feature<double>({3}, {4, -1, 2});
  const Feature second = feature<double>({}, {3});
  const std::pair<const char *, double> expected[] = {
      {"sum", 8}, {"min", -1}, {"max", 4}, {"last", 3}};
  for (const auto &[name, value] : expected) {
    const auto metric = makeMetric(name);
    metric->add({3, first.tensor()});
    metric->add({3, second.tensor()});
    EXPECT_EQ(metric->value(), value) << name;
  }
  const auto least = makeMetric("min");
  EXPECT_TRUE(std::isnan(least->value()));
  const Feature bad = feature<double>({2}, {NAN, -7});
  least->add({2, bad.tensor()});
  EXPECT_TRUE(std::isnan(least->value()));
}

TEST(Metrics, SquaredError) {
  const Feature predicted = feature<float>({2, 2}, {1, 2, 3, 4});
  const Feature expected = feature<int32_t>({2, 2}, {1, 0, 3, 0});
  MeanSquaredError error;
  error.add({2, predicted.tensor(), expected.tensor()});
  EXPECT_EQ(error.value(), 5);
  const Feature flat = feature<int32_t>({2}, {1, 0});
  EXPECT_EQ(
      errorOf([&] { error.add({2, predicted.tensor(), flat.tensor()}); }),
      "expected predictions of the shape of the labels, i32 [2], found f32 "
      "[2, 2]");
  EXPECT_EQ(errorOf([&] { error.add({2, predicted.tensor()}); }),
            "expected labels, found none");
}

TEST(Metrics, AccuracyOfScoresAndClasses) {
  // The classes are 1, 0 (the first of equal ones), 2, and none.
  const Feature scores =
      feature<float>({4, 3}, {0, 2, 1, 5, 5, 1, -3, -2, -1, 9, NAN, 1});
  const Feature labels = feature<int64_t>({4}, {1, 1, 2, 0});
  Accuracy accuracy;
  ClassificationError error;
  accuracy.add({4, scores.tensor(), labels.tensor()});
  error.add({4, scores.tensor(), labels.tensor()});
  EXPECT_EQ(accuracy.value(), 0.5);
  EXPECT_EQ(error.value(), 0.5);
  const Feature oneHot =
      feature<uint8_t>({4, 3}, {0, 1, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0});
  accuracy.reset();
  accuracy.add({4, scores.tensor(), oneHot.tensor()});
  EXPECT_EQ(accuracy.value(), 0.75);
  const Feature classes = feature<int32_t>({4}, {1, 0, 2, 1});
  accuracy.reset();
  accuracy.add({4, classes.tensor(), labels.tensor()});
  EXPECT_EQ(accuracy.value(), 0.5);
}

TEST(Metrics, ErrorsOfLabels) {
  Accuracy accuracy;
  const Feature scores = feature<float>({2, 3}, {0, 2, 1, 5, 4, 1});
  const auto errorFor = [&](const Feature &labels) {
    return errorOf(
        [&] { accuracy.add({2, scores.tensor(), labels.tensor()}); });
  };
  EXPECT_EQ(errorFor(feature<int32_t>({2}, {1, 3})),
            "expected labels from 0 to 2, found 3");
  EXPECT_EQ(errorFor(feature<int32_t>({2}, {1, -1})),
            "expected labels from 0 to 2, found -1");
  EXPECT_EQ(errorFor(feature<float>({2}, {1, 0.5f})),
            "expected whole numbers as labels, found 0.500000");
  EXPECT_EQ(errorFor(feature<float>({3}, {1, 0, 1})),
            "expected labels of 2 rows, found f32 [3]");
  EXPECT_EQ(errorFor(feature<float>({2, 2}, {1, 0, 1, 0})),
            "expected labels for predictions f32 [2, 3], found f32 [2, 2]");
  EXPECT_TRUE(std::isnan(accuracy.value()));
}

TEST(Metrics, TopK) {
  const Feature scores =
      feature<float>({3, 4}, {4, 3, 2, 1, 1, 1, 1, 1, 0, 0, 5, 6});
  const Feature labels = feature<int32_t>({3}, {1, 2, 0});
  const double expected[] = {1, 2.0 / 3, 0, 0};
  for (uint64_t k = 1; k <= 4; ++k) {
    TopKError error(k);
    error.add({3, scores.tensor(), labels.tensor()});
    EXPECT_EQ(error.value(), expected[k - 1]) << k;
  }
  EXPECT_EQ(errorOf([] { TopKError none(0); }),
            "expected the error of 1 or more classes, found 0");
  const Feature classes = feature<int32_t>({3}, {1, 2, 0});
  EXPECT_EQ(errorOf([&] {
              TopKError(2).add({3, classes.tensor(), labels.tensor()});
            }),
            "expected scores f32 or f64 [3, classes], found i32 [3]");
}

TEST(Metrics, BinaryStatistics) {
  const Feature predicted = feature<float>({5}, {0.9f, 0.8f, 0.2f, 0.7f, 0.1f});
  const Feature labels = feature<uint8_t>({5}, {1, 0, 1, 1, 0});
  BinaryClassificationStats stats;
  stats.add({5, predicted.tensor(), labels.tensor()});
  const MetricValues values = stats.values();
  EXPECT_EQ(values[0], std::make_pair(std::string("precision"), 2.0 / 3));
  EXPECT_EQ(values[1], std::make_pair(std::string("recall"), 2.0 / 3));
  EXPECT_EQ(values[2], std::make_pair(std::string("f1"), 2.0 / 3));
  stats.reset();
  const Feature two = feature<int32_t>({2, 2}, {0, 1, 1, 0});
  const Feature hot = feature<int32_t>({2, 2}, {1, 0, 1, 0});
  stats.add({2, two.tensor(), hot.tensor()});
  EXPECT_EQ(stats.values()[0].second, 0);
  EXPECT_TRUE(std::isnan(stats.values()[1].second));
  const Feature wrong = feature<int32_t>({5}, {1, 0, 1, 3, 0});
  EXPECT_EQ(
      errorOf([&] { stats.add({5, predicted.tensor(), wrong.tensor()}); }),
      "expected labels 0 and 1, found 3");
}

/// Counts do not depend on batches, and states continue with the same bits.
class AllMetrics : public testing::TestWithParam<const char *> {
protected:
  AllMetrics() {
    std::mt19937 generator(7);
    std::uniform_real_distribution<float> uniform(-1, 1);
    std::vector<float> scores;
    std::vector<int32_t> numbers;
    for (int i = 0; i < 60; ++i) {
      scores.push_back(uniform(generator));
      scores.push_back(uniform(generator));
      numbers.push_back(static_cast<int32_t>(generator() % 2));
    }
    const bool isError = std::string(GetParam()) == "mse";
    predictions = feature<float>({60, 2}, scores);
    labels = isError ? predictions : feature<int32_t>({60}, numbers);
    if (isError)
      predictions = feature<float>({60, 2}, {scores.rbegin(), scores.rend()});
  }
  void add(Metric &metric, int64_t first, int64_t end, int64_t size) const {
    std::vector<Feature> kept;
    kept.reserve(256);
    for (; first < end; first += size)
      metric.add(
          rows(kept, predictions, labels, first, std::min(size, end - first)));
  }
  static void expectSame(const Metric &a, const Metric &b) {
    const MetricValues left = a.values(), right = b.values();
    ASSERT_EQ(left.size(), right.size());
    for (size_t i = 0; i < left.size(); ++i)
      EXPECT_DOUBLE_EQ(left[i].second, right[i].second) << left[i].first;
  }

  Feature predictions, labels;
};

TEST_P(AllMetrics, BatchesDoNotMatter) {
  const auto small = makeMetric(GetParam()), large = makeMetric(GetParam());
  add(*small, 0, 60, 7);
  add(*large, 0, 60, 60);
  EXPECT_EQ(small->state(), large->state());
}

TEST_P(AllMetrics, StatesContinueWithTheSameBits) {
  const auto whole = makeMetric(GetParam()), before = makeMetric(GetParam()),
             after = makeMetric(GetParam());
  add(*whole, 0, 60, 8);
  add(*before, 0, 32, 8);
  after->restore(before->state());
  EXPECT_EQ(after->state(), before->state());
  add(*after, 32, 60, 8);
  EXPECT_EQ(whole->state(), after->state());
  for (const char *damaged :
       {"", "mean", "other 1 2", "accuracy 3 2", "sum 00"})
    EXPECT_THROW(after->restore(damaged), data::DataError) << damaged;
  EXPECT_THROW(after->restore(whole->state() + " 1"), data::DataError);
  EXPECT_EQ(whole->state(), after->state());
  after->reset();
  EXPECT_EQ(after->state(), makeMetric(GetParam())->state());
}

TEST_P(AllMetrics, MergedInOrder) {
  const auto whole = makeMetric(GetParam()), first = makeMetric(GetParam()),
             second = makeMetric(GetParam());
  add(*whole, 0, 60, 60);
  add(*first, 0, 20, 20);
  add(*second, 20, 60, 20);
  first->merge(*second);
  expectSame(*whole, *first);
  const auto other =
      makeMetric(std::string(GetParam()) == "sum" ? "max" : "sum");
  EXPECT_NE(errorOf([&] { first->merge(*other); }).find("expected another"),
            std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(, AllMetrics,
                         testing::Values("mean", "sum", "min", "max", "last",
                                         "mse", "accuracy", "error",
                                         "top2_error", "binary"));

TEST(Metrics, SetsPickTensorsByName) {
  const Feature scores = feature<float>({2, 3}, {0, 2, 1, 5, 4, 1});
  const Feature loss = feature<float>({}, {0.5f});
  const Feature labels = feature<int32_t>({2}, {1, 2});
  MetricSet set;
  EXPECT_TRUE(set.isEmpty());
  set.add("loss", {makeMetric("mean"), "", "loss"});
  set.add("accuracy", {makeMetric("accuracy"), "label", "scores"});
  set.add("digit", {makeMetric("error"), "", "scores"});
  set.add({{"label", labels.tensor()}},
          {{"scores", scores.tensor()}, {"loss", loss.tensor()}}, 2);
  const MetricValues expected = {
      {"loss", 0.5}, {"accuracy", 0.5}, {"digit", 0.5}};
  EXPECT_EQ(set.values(), expected);

  MetricSet other;
  other.add("loss", {makeMetric("mean")});
  other.add("accuracy", {makeMetric("accuracy")});
  EXPECT_EQ(errorOf([&] { other.merge(set); }),
            "expected the metrics loss, accuracy to merge, found loss, "
            "accuracy, digit");
  other.add("digit", {makeMetric("error")});
  other.restore(set.state());
  EXPECT_EQ(other.state(), set.state());
  other.merge(set);
  EXPECT_EQ(other.values(), expected);
  EXPECT_THROW(other.restore("loss mean"), data::DataError);
  set.reset();
  EXPECT_TRUE(std::isnan(set.values()[0].second));
}

TEST(Metrics, SetsNameTheMetric) {
  const Feature scores = feature<float>({2, 3}, {0, 2, 1, 5, 4, 1});
  MetricSet set;
  set.add("accuracy", {makeMetric("accuracy"), "label", "scores"});
  EXPECT_EQ(errorOf([&] { set.add({}, {{"scores", scores.tensor()}}, 2); }),
            "metric 'accuracy': expected the name of a label among none, found "
            "'label'");
  EXPECT_EQ(errorOf([&] {
              set.add({}, {{"a", scores.tensor()}, {"b", scores.tensor()}}, 2);
            }),
            "metric 'accuracy': expected the name of a prediction among a, b, "
            "found 'scores'");
  EXPECT_EQ(errorOf([&] { set.add("accuracy", {makeMetric("error")}); }),
            "expected metrics with different tags, found two 'accuracy'");
  EXPECT_EQ(errorOf([&] { set.add("a b", {makeMetric("error")}); }),
            "expected the tag of a metric without spaces, found 'a b'");
  EXPECT_EQ(errorOf([&] { set.add("a", {}); }),
            "expected a metric for 'a', found none");
  EXPECT_EQ(errorOf([] { makeMetric("top0_error"); }),
            "expected mean, sum, min, max, last, mse, accuracy, error, "
            "top5_error or binary as a metric, found 'top0_error'");
}
