//===- Classes.cpp - classes of predictions and labels --------------------===//
#include "Classes.h"
#include "Tensors.h"

#include <algorithm>
#include <cmath>

using namespace tg;
using namespace tg::training;
using data::DataError;

/// Returns the first largest number of a row, or noClass if one is NaN.
template <typename T> static int64_t largest(std::span<const T> row) {
  if constexpr (std::is_floating_point_v<T>)
    if (std::ranges::any_of(row, [](T score) { return std::isnan(score); }))
      return noClass;
  return std::ranges::max_element(row) - row.begin();
}

std::vector<int64_t> training::largestScores(const tg_tensor_t &scores) {
  const auto classes = static_cast<size_t>(shapeOf(scores).back());
  if (!classes)
    throw DataError("expected a class or more, found " + describe(scores));
  std::vector<int64_t> numbers;
  visitElements(scores, [&](auto elements) {
    for (size_t first = 0; first < elements.size(); first += classes)
      numbers.push_back(largest(elements.subspan(first, classes)));
  });
  return numbers;
}

std::vector<int64_t> training::wholeNumbers(const tg_tensor_t &tensor,
                                            const char *what) {
  std::vector<int64_t> numbers;
  visitElements(tensor, [&](auto elements) {
    for (auto element : elements) {
      if constexpr (std::is_floating_point_v<decltype(element)>)
        if (!(std::abs(element) < 0x1p53) || std::trunc(element) != element)
          throw DataError(std::string("expected whole numbers as ") + what +
                          ", found " + std::to_string(element));
      numbers.push_back(static_cast<int64_t>(element));
    }
  });
  return numbers;
}

/// Returns true if predictions are scores [..., classes].
static bool areScores(const tg_tensor_t &predictions) {
  return isFloat(predictions) && predictions.ndim > 1;
}

std::vector<int64_t> training::predictedClasses(const MetricBatch &batch) {
  expectRows(batch.predictions, batch.examples, "predictions");
  return areScores(batch.predictions)
             ? largestScores(batch.predictions)
             : wholeNumbers(batch.predictions, "predictions");
}

/// Throws DataError for labels whose shape does not fit to the predictions.
[[noreturn]] static void failShape(const MetricBatch &batch) {
  throw DataError("expected labels for predictions " +
                  describe(batch.predictions) + ", found " +
                  describe(*batch.labels));
}

std::vector<int64_t> training::labelClasses(const MetricBatch &batch) {
  const tg_tensor_t &labels = labelsOf(batch);
  const auto shape = shapeOf(labels), scores = shapeOf(batch.predictions);
  const bool isSame = std::ranges::equal(shape, scores);
  if (!areScores(batch.predictions)) {
    if (!isSame)
      failShape(batch);
    return wholeNumbers(labels, "labels");
  }
  if (isSame)
    return largestScores(labels);
  if (!std::ranges::equal(shape, scores.first(scores.size() - 1)))
    failShape(batch);
  std::vector<int64_t> numbers = wholeNumbers(labels, "labels");
  for (int64_t number : numbers)
    if (number < 0 || number >= scores.back())
      throw DataError("expected labels from 0 to " +
                      std::to_string(scores.back() - 1) + ", found " +
                      std::to_string(number));
  return numbers;
}
