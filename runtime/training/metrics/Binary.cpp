//===- Binary.cpp - precision, recall and F1 ------------------------------===//
#include "Classes.h"
#include "StateText.h"
#include "Tensors.h"

#include <limits>

using namespace tg;
using namespace tg::training;
using data::DataError;

/// Returns a class, 0 or 1, for each example.
static std::vector<int64_t> binaryClasses(const tg_tensor_t &tensor,
                                          const char *what, double threshold) {
  const auto shape = shapeOf(tensor);
  std::vector<int64_t> classes;
  if (shape.size() > 1 && shape.back() == 2) {
    classes = largestScores(tensor);
  } else if (isFloat(tensor)) {
    visitElements(tensor, [&](auto elements) {
      for (auto element : elements)
        classes.push_back(static_cast<double>(element) > threshold);
    });
  } else {
    classes = wholeNumbers(tensor, what);
  }
  for (int64_t number : classes)
    if (number != 0 && number != 1 && number != noClass)
      throw DataError(std::string("expected ") + what + " 0 and 1, found " +
                      std::to_string(number));
  return classes;
}

void BinaryClassificationStats::add(const MetricBatch &batch) {
  expectRows(batch.predictions, batch.examples, "predictions");
  const std::vector<int64_t> labels = binaryClasses(labelsOf(batch), "labels",
                                                    threshold),
                             classes = binaryClasses(batch.predictions,
                                                     "predictions", threshold);
  if (labels.size() != classes.size())
    throw DataError("expected labels for predictions " +
                    describe(batch.predictions) + ", found " +
                    describe(*batch.labels));
  for (size_t i = 0; i < labels.size(); ++i) {
    truePositives += classes[i] == 1 && labels[i] == 1;
    predicted += classes[i] == 1;
    labelled += labels[i] == 1;
  }
}

void BinaryClassificationStats::merge(const Metric &other) {
  const auto *same = dynamic_cast<const BinaryClassificationStats *>(&other);
  if (!same || same->threshold != threshold)
    throw DataError("expected another metric 'binary' with the threshold " +
                    std::to_string(threshold) + " to merge" +
                    (same ? ", found " + std::to_string(same->threshold) : ""));
  truePositives += same->truePositives;
  predicted += same->predicted;
  labelled += same->labelled;
}

/// Returns a quotient of counts, or NaN if the denominator is 0.
static double quotient(uint64_t numerator, uint64_t denominator) {
  return denominator
             ? static_cast<double>(numerator) / static_cast<double>(denominator)
             : std::numeric_limits<double>::quiet_NaN();
}

double BinaryClassificationStats::value() const {
  return quotient(2 * truePositives, predicted + labelled);
}

MetricValues BinaryClassificationStats::values() const {
  return {{"precision", quotient(truePositives, predicted)},
          {"recall", quotient(truePositives, labelled)},
          {"f1", value()}};
}

std::string BinaryClassificationStats::state() const {
  return "binary " + bitsText(threshold) + " " + std::to_string(truePositives) +
         " " + std::to_string(predicted) + " " + std::to_string(labelled);
}

void BinaryClassificationStats::restore(const std::string &state) {
  StateReader reader(state, "binary");
  reader.expect("binary");
  reader.expect(bitsText(threshold));
  BinaryClassificationStats saved(threshold);
  saved.truePositives = reader.whole<uint64_t>();
  saved.predicted = reader.whole<uint64_t>();
  saved.labelled = reader.whole<uint64_t>();
  reader.finish();
  *this = saved;
}
