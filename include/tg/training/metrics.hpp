/// Streaming metrics: numbers about all examples, of which one batch at a time
/// is in memory.
///
///   MetricSet metrics;
///   metrics.add("accuracy", {std::make_shared<Accuracy>(), "label",
///   "logits"}); for (each batch)
///     metrics.add({{"label", labels}}, {{"logits", logits}}, examples);
///   metrics.values(); // {"accuracy", 0.97}
///
/// Counts are exact, and sums are f64 with the rounding errors added back.
/// Metrics that count do not depend on how examples are divided into batches.
/// Functions throw data::DataError for tensors that do not fit together.
#ifndef TG_TRAINING_METRICS_HPP
#define TG_TRAINING_METRICS_HPP

#include "../data/feature.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tg::training {

/// A sum of f64 that adds the rounding errors of its additions at the end
/// (Neumaier, 1974).
class CompensatedSum {
public:
  void add(double number);
  /// Adds another sum, as if its numbers came after those of this sum.
  void add(const CompensatedSum &other);
  double value() const;

  /// Returns the exact state as text without spaces, or reads it. Throws
  /// DataError for another text.
  std::string text() const;
  static CompensatedSum parse(std::string_view text);

private:
  double sum = 0, errors = 0;
};

/// The results of one batch. Tensors are in the memory of the CPU.
struct MetricBatch {
  /// The number of examples.
  uint64_t examples = 0;
  /// One row for each example, or one number for the whole batch.
  tg_tensor_t predictions = {};
  /// One row for each example. Some metrics need none.
  std::optional<tg_tensor_t> labels = {};
};

/// Values with their names.
using MetricValues = std::vector<std::pair<std::string, double>>;

/// A number about the examples so far, or several ones. One thread uses a
/// metric at a time.
class Metric {
public:
  virtual ~Metric() = default;

  /// Adds the examples of a batch.
  virtual void add(const MetricBatch &batch) = 0;
  /// Adds the examples of a metric of the same class and options, as if they
  /// came after those of this metric. Throws DataError for another one.
  virtual void merge(const Metric &other) = 0;
  /// Returns the value, which is NaN without examples.
  virtual double value() const = 0;
  /// Returns all values with the ends of their tags. The default is the one
  /// value, without an end.
  virtual MetricValues values() const;
  /// Forgets all examples.
  virtual void reset() = 0;

  /// Returns the exact state as a line of text, or continues from such a line.
  /// restore() throws DataError for the text of another metric.
  virtual std::string state() const = 0;
  virtual void restore(const std::string &state) = 0;
};

/// The mean over examples. A prediction that is one number is the mean of its
/// batch; others are averaged over all their elements.
class Mean : public Metric {
public:
  using Metric::merge;
  /// Adds the mean of this many examples.
  void add(double mean, uint64_t examples);
  void add(const MetricBatch &batch) override;
  void merge(const Metric &other) override;
  double value() const override;
  void reset() override;
  std::string state() const override;
  void restore(const std::string &state) override;

private:
  CompensatedSum sum;
  uint64_t count = 0;
};

/// The mean of (prediction - label)^2 over all elements.
class MeanSquaredError : public Mean {
public:
  void add(const MetricBatch &batch) override;
};

/// The sum of all elements of predictions; 0 without examples.
class Sum : public Metric {
public:
  void add(const MetricBatch &batch) override;
  void merge(const Metric &other) override;
  double value() const override { return sum.value(); }
  void reset() override { sum = {}; }
  std::string state() const override;
  void restore(const std::string &state) override;

private:
  CompensatedSum sum;
};

/// One element of the predictions: the least, the greatest or the last one. A
/// NaN remains the least and the greatest one.
class Extremum : public Metric {
public:
  enum class Kind { Min, Max, Last };
  explicit Extremum(Kind chosen) : kind(chosen) {}

  void add(const MetricBatch &batch) override;
  void merge(const Metric &other) override;
  double value() const override;
  void reset() override { found.reset(); }
  std::string state() const override;
  void restore(const std::string &state) override;

private:
  void take(double number);

  Kind kind;
  std::optional<double> found;
};

/// The base class of metrics that are a part of all examples.
class Fraction : public Metric {
public:
  void merge(const Metric &other) override;
  double value() const override;
  void reset() override { hits = count = 0; }
  std::string state() const override;
  void restore(const std::string &state) override;

protected:
  /// `description` distinguishes metrics of other classes and options.
  explicit Fraction(std::string description) : name(std::move(description)) {}
  void addExample(bool isHit) {
    hits += isHit;
    ++count;
  }

private:
  std::string name;
  uint64_t hits = 0, count = 0;
};

/// The part of examples whose class is that of the label.
///
/// Predictions are numbers of classes, i8 to i64, or scores: f32 or f64 [...,
/// classes], of which the first largest one is the class. Scores with a NaN
/// have no class. Labels are numbers of classes in whole numbers of any type
/// [...], or one-hot rows [..., classes], with which scores may be compared.
class Accuracy : public Fraction {
public:
  Accuracy() : Fraction("accuracy") {}
  void add(const MetricBatch &batch) override;
};

/// The part of examples whose class is not that of the label: 1 - accuracy.
class ClassificationError : public Fraction {
public:
  ClassificationError() : Fraction("error") {}
  void add(const MetricBatch &batch) override;
};

/// The part of examples whose label is not among the classes with the k largest
/// scores. Of equal scores, the first ones are larger.
class TopKError : public Fraction {
public:
  /// Throws DataError for 0.
  explicit TopKError(uint64_t k);
  void add(const MetricBatch &batch) override;

private:
  uint64_t largest;
};

/// Precision, recall and F1 of two classes, of which 1 is positive.
///
/// Predictions and labels are numbers 0 and 1, or scores and one-hot rows of
/// two classes, as in Accuracy. Scores without a dimension of classes are
/// probabilities of class 1, with a threshold. A value is NaN if its
/// denominator is 0.
class BinaryClassificationStats : public Metric {
public:
  explicit BinaryClassificationStats(double least = 0.5) : threshold(least) {}

  void add(const MetricBatch &batch) override;
  void merge(const Metric &other) override;
  /// Returns F1.
  double value() const override;
  /// Returns the values "precision", "recall" and "f1".
  MetricValues values() const override;
  void reset() override { truePositives = predicted = labelled = 0; }
  std::string state() const override;
  void restore(const std::string &state) override;

private:
  double threshold;
  uint64_t truePositives = 0, predicted = 0, labelled = 0;
};

/// A metric, and the names of the tensors that it compares.
struct MetricSpec {
  std::shared_ptr<Metric> metric;
  /// The name of the labels; empty for a metric without labels, or for the only
  /// label.
  std::string label = {};
  /// The name of the predictions; empty for the only prediction.
  std::string prediction = {};
};

/// Metrics by their tags.
using MetricSpecs = std::vector<std::pair<std::string, MetricSpec>>;

/// A tensor of a batch with its name.
struct NamedTensor {
  std::string name;
  tg_tensor_t tensor = {};
};

/// Metrics with their tags.
class MetricSet {
public:
  /// Adds a metric. Throws DataError if the tag is taken.
  void add(const std::string &tag, MetricSpec spec);
  /// Adds the examples of a batch to all metrics. Throws DataError, which names
  /// the metric.
  void add(const std::vector<NamedTensor> &labels,
           const std::vector<NamedTensor> &predictions, uint64_t examples);
  /// Merges the metrics of another set with the same tags, one by one.
  void merge(const MetricSet &other);
  /// Returns all values in the order of the metrics: "accuracy",
  /// "cats/precision".
  MetricValues values() const;
  bool isEmpty() const { return metrics.empty(); }
  void reset();

  /// Returns one line for each metric: its tag and its state.
  std::string state() const;
  /// Throws DataError for the text of other metrics.
  void restore(const std::string &state);

private:
  std::vector<std::pair<std::string, MetricSpec>> metrics;
};

/// Makes a metric by its name: "mean", "sum", "min", "max", "last", "mse",
/// "accuracy", "error", "top5_error" (with any number) or "binary". Throws
/// DataError for another name.
std::shared_ptr<Metric> makeMetric(const std::string &name);

} // namespace tg::training

#endif // TG_TRAINING_METRICS_HPP
