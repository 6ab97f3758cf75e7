/// Random splits of arrays into parts for training, validation and test.
#ifndef TG_TRAINING_SPLIT_HPP
#define TG_TRAINING_SPLIT_HPP

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

} // namespace tg

#endif // TG_TRAINING_SPLIT_HPP
