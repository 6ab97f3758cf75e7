/// Random splits of arrays into parts for training, validation and test.
#ifndef TG_TRAINING_SPLIT_HPP
#define TG_TRAINING_SPLIT_HPP

#include "../data/dataset.hpp"
#include "batches.hpp"

#include <cmath>
#include <numeric>

namespace tg {

namespace detail {

/// Divides `rows` rows into parts of the given ratio. Returns the end of each
/// part.
inline std::vector<size_t> partEnds(size_t rows,
                                    const std::vector<double> &ratio) {
  double total = 0;
  for (double part : ratio) {
    if (!(part >= 0) || !std::isfinite(part))
      throw std::invalid_argument("expected parts of 0 or more, found " +
                                  std::to_string(part));
    total += part;
  }
  if (total == 0)
    throw std::invalid_argument(
        "expected a ratio with a part above 0, found none");
  std::vector<size_t> ends;
  double cumulative = 0;
  for (double part : ratio) {
    cumulative += part;
    // Tolerates rounding errors in the sums of the ratio.
    ends.push_back(static_cast<size_t>(
        static_cast<double>(rows) * cumulative / total + 1e-9));
  }
  ends.back() = rows;
  return ends;
}

template <typename T>
Table<T> gatherRows(const Rows<T> &rows, std::span<const size_t> chosen) {
  Table<T> table{{}, rows.rowSize()};
  table.elements.reserve(chosen.size() * rows.rowSize());
  for (size_t row : chosen)
    table.elements.insert(table.elements.end(), rows[row].begin(),
                          rows[row].end());
  return table;
}

} // namespace detail

/// Splits the rows of arrays randomly into parts of this ratio. Each row is in
/// exactly one part. Row i of each array in a part belongs to the same example.
/// Generators in equal states give equal parts with any standard library.
/// Throws std::invalid_argument if the arrays differ in length or the ratio is
/// invalid.
///
///   auto parts = randomSplit({5, 1}, generator, Rows(x, 64), Rows(y));
///   auto &[image, label] = parts[0]; // 5 of each 6 examples
template <typename Generator, typename... T>
std::vector<std::tuple<Table<T>...>>
randomSplit(const std::vector<double> &ratio, Generator &generator,
            Rows<T>... arrays) {
  std::vector<size_t> order(DataIterator<T...>({}, arrays...).size());
  std::iota(order.begin(), order.end(), size_t(0));
  for (size_t remaining = order.size(); remaining > 1; --remaining)
    std::swap(order[remaining - 1], order[generator() % remaining]);
  std::vector<std::tuple<Table<T>...>> parts;
  size_t begin = 0;
  for (size_t end : detail::partEnds(order.size(), ratio)) {
    const std::span<const size_t> chosen(order.data() + begin, end - begin);
    parts.emplace_back(detail::gatherRows(arrays, chosen)...);
    begin = end;
  }
  return parts;
}

struct SplitOptions {
  /// The ratio of the parts: by default 5 of each 6 examples for training, and
  /// one for validation.
  std::vector<double> ratio = {5, 1};
  /// Draws the examples of each part at random. Otherwise the first part has
  /// the first examples, and so on.
  bool randomizes = false;
  uint64_t seed = 0;
};

/// Splits the rows of arrays into parts. Row i of each array in a part belongs
/// to the same example. Throws std::invalid_argument as randomSplit() does.
template <typename... T>
std::vector<std::tuple<Table<T>...>> splitArrays(const SplitOptions &options,
                                                 Rows<T>... arrays) {
  // The last of `remaining` rows swaps with itself.
  struct InOrder {
    size_t remaining;
    size_t operator()() { return --remaining; }
  };
  if (options.randomizes) {
    std::mt19937_64 generator(options.seed);
    return randomSplit(options.ratio, generator, arrays...);
  }
  InOrder order{DataIterator<T...>({}, arrays...).size()};
  return randomSplit(options.ratio, order, arrays...);
}

/// Splits the examples of a data set with random access into parts. Needs the
/// library tg::Data. Throws data::DataError for a data set of unknown size, and
/// std::invalid_argument for an invalid ratio.
inline std::vector<data::Dataset>
splitDataset(const data::Dataset &data, const SplitOptions &options = {}) {
  if (!data.hasRandomAccess() || !data.size())
    throw data::DataError("expected a data set of known size to split, found "
                          "one without random access or without an end");
  const data::Dataset all =
      options.randomizes
          ? data.shuffle({.seed = options.seed, .reshuffles = false})
          : data;
  std::vector<data::Dataset> parts;
  size_t begin = 0;
  for (size_t end : detail::partEnds(*data.size(), options.ratio)) {
    parts.push_back(all.skip(begin).take(end - begin));
    begin = end;
  }
  return parts;
}

} // namespace tg

#endif // TG_TRAINING_SPLIT_HPP
