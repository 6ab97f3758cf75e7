/// Arrays divided into batches.
#ifndef TG_TRAINING_BATCHES_HPP
#define TG_TRAINING_BATCHES_HPP

#include "../data/dataset.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace tg {

/// A view of an array of examples, one row of elements each. It does not own
/// the memory.
template <typename T> class Rows {
public:
  using Element = T;

  /// `all` consists of whole rows of `size` >= 1 elements. Throws
  /// std::invalid_argument otherwise.
  Rows(std::span<const T> all, size_t size = 1) : elements(all), length(size) {
    if (!length || elements.size() % length)
      throw std::invalid_argument(
          "expected whole rows of " + std::to_string(length) +
          " elements, found " + std::to_string(elements.size()) + " elements");
  }
  Rows(const std::vector<T> &all, size_t size = 1)
      : Rows(std::span<const T>(all), size) {}

  /// Returns the number of rows, and the number of elements per row.
  size_t size() const { return elements.size() / length; }
  size_t rowSize() const { return length; }

  std::span<const T> operator[](size_t row) const {
    return elements.subspan(row * length, length);
  }
  /// Returns the rows in [first, end), clamped to the existing rows.
  Rows slice(size_t first, size_t end) const {
    end = std::min(end, size());
    first = std::min(first, end);
    return {elements.subspan(first * length, (end - first) * length), length};
  }
  /// Returns all elements, as a run takes them for an input.
  std::span<const T> values() const { return elements; }
  operator std::span<const T>() const { return elements; }

private:
  std::span<const T> elements;
  size_t length;
};

/// An array that owns its memory.
template <typename T> struct Table {
  std::vector<T> elements;
  /// The number of elements per row.
  size_t rowSize = 1;

  Rows<T> rows() const { return {elements, rowSize}; }
};

using data::BatchOptions;

namespace detail {

/// Returns rows as a feature [rows], or [rows, elements] for rows of more than
/// one element. `owner` keeps their memory alive; null: the caller does.
template <typename T>
data::Feature featureOf(const Rows<T> &rows,
                        std::shared_ptr<const void> owner) {
  constexpr uint8_t code = std::is_same_v<T, bool>       ? TG_DTYPE_BOOL
                           : std::is_floating_point_v<T> ? TG_DTYPE_FLOAT
                           : std::is_signed_v<T>         ? TG_DTYPE_INT
                                                         : TG_DTYPE_UINT;
  std::vector<int64_t> shape = {static_cast<int64_t>(rows.size())};
  if (rows.rowSize() != 1)
    shape.push_back(static_cast<int64_t>(rows.rowSize()));
  return {{code, static_cast<uint8_t>(8 * sizeof(T)), 1},
          std::move(shape),
          std::move(owner),
          rows.values().data()};
}

/// Returns the rows of such a feature.
template <typename T> Rows<T> rowsOf(const data::Feature &feature) {
  const std::vector<int64_t> &shape = feature.shape();
  return {feature.values<T>(),
          shape.size() > 1 ? static_cast<size_t>(shape[1]) : 1};
}

} // namespace detail

/// The base class of iterators over arrays with equal numbers of rows. The
/// arrays must outlive the iterator.
template <typename... T> class DataIterator {
public:
  DataIterator(const BatchOptions &choice, Rows<T>... rows)
      : options(choice), arrays(rows...) {
    if (!options.size)
      throw std::invalid_argument("expected batches of 1 or more, found 0");
    auto check = [this](size_t found) {
      if (found != size())
        throw std::invalid_argument("expected arrays of " +
                                    std::to_string(size()) + " rows, found " +
                                    std::to_string(found));
    };
    (check(rows.size()), ...);
  }

  /// Returns the number of examples, not of batches.
  size_t size() const { return std::get<0>(arrays).size(); }

  /// Returns the batches of the rows in order as a data set, whose features are
  /// the arrays with these names, [rows] or [rows, elements]. The elements are
  /// not copied. Needs the library tg::Data.
  data::Dataset dataset(const std::vector<std::string> &names) const {
    std::vector<data::Feature> features;
    std::apply(
        [&](const auto &...rows) {
          (features.push_back(detail::featureOf(rows, nullptr)), ...);
        },
        arrays);
    return data::Dataset::fromArrays(names, features).batch(options);
  }

protected:
  /// Returns the rows in [first, end) of all arrays.
  std::tuple<Rows<T>...> sliceAll(size_t first, size_t end) const {
    return std::apply(
        [&](const auto &...rows) {
          return std::tuple<Rows<T>...>(rows.slice(first, end)...);
        },
        arrays);
  }

  BatchOptions options;
  std::tuple<Rows<T>...> arrays;
};

/// Windows of the size of a batch, which start `step` rows apart:
///
///   for (auto [image, label] : StepIterator(2, {.size = 4}, images, labels))
template <typename... T> class StepIterator : public DataIterator<T...> {
public:
  StepIterator(size_t rows, const BatchOptions &choice, Rows<T>... all)
      : DataIterator<T...>(choice, all...), step(rows) {
    if (!step)
      throw std::invalid_argument("expected steps of 1 or more rows, found 0");
  }

  /// Returns the number of windows.
  size_t batchCount() const {
    const size_t rows = this->size();
    const size_t batchSize = this->options.size;
    if (this->options.dropsRemainder)
      return rows < batchSize ? 0 : (rows - batchSize) / step + 1;
    return rows / step + (rows % step != 0);
  }
  std::tuple<Rows<T>...> operator[](size_t batch) const {
    return this->sliceAll(batch * step, batch * step + this->options.size);
  }
  /// Returns the same iterator over the rows in [first, end).
  StepIterator slice(size_t first, size_t end) const {
    return std::apply(
        [&](const auto &...rows) {
          return StepIterator(step, this->options, rows...);
        },
        this->sliceAll(first, end));
  }

  class Position {
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = std::tuple<Rows<T>...>;
    using difference_type = ptrdiff_t;
    using pointer = void;
    using reference = value_type;

    Position(const StepIterator &iterator, size_t index)
        : windows(&iterator), batch(index) {}
    value_type operator*() const { return (*windows)[batch]; }
    Position &operator++() {
      ++batch;
      return *this;
    }
    Position operator++(int) { return {*windows, batch++}; }
    bool operator==(const Position &other) const {
      return batch == other.batch;
    }

  private:
    const StepIterator *windows;
    size_t batch;
  };
  Position begin() const { return {*this, 0}; }
  Position end() const { return {*this, batchCount()}; }

private:
  size_t step;
};

/// The rows in order, divided into consecutive batches: 100 rows by 32 give
/// batches of 32, 32, 32 and 4.
template <typename... T> class SequentialIterator : public StepIterator<T...> {
public:
  SequentialIterator(const BatchOptions &choice, Rows<T>... all)
      : StepIterator<T...>(choice.size, choice, all...) {}

  SequentialIterator slice(size_t first, size_t end) const {
    return std::apply(
        [&](const auto &...rows) {
          return SequentialIterator(this->options, rows...);
        },
        this->sliceAll(first, end));
  }
};

/// The rows of arrays in random order, copied into its own arrays. Each epoch
/// can have a new order.
template <typename... T> class Shuffled {
public:
  explicit Shuffled(Rows<T>... all) : arrays(all...), order(countOf(all...)) {
    reset();
  }

  /// Shuffles the rows and returns the batches, which are valid until the next
  /// call. The order depends only on the seed and the epoch, not on earlier
  /// calls or on the standard library. A training run that resumes after epoch
  /// 4 therefore has the same orders as an uninterrupted one.
  SequentialIterator<T...> shuffle(uint64_t seed, uint64_t epoch,
                                   const BatchOptions &options) {
    reset();
    const auto half = [](uint64_t number, int shift) {
      return static_cast<uint32_t>(number >> shift);
    };
    std::seed_seq mixed{half(seed, 0), half(seed, 32), half(epoch, 0),
                        half(epoch, 32)};
    std::mt19937_64 generator(mixed);
    return shuffle(generator, options);
  }
  /// Shuffles by a generator. It permutes the order of the last call, so the
  /// result also depends on all earlier calls. Equal generators give equal
  /// orders with any standard library.
  template <typename Generator>
  SequentialIterator<T...> shuffle(Generator &generator,
                                   const BatchOptions &options) {
    for (size_t remaining = order.size(); remaining > 1; --remaining)
      std::swap(order[remaining - 1], order[generator() % remaining]);
    return copy(options, std::index_sequence_for<T...>());
  }

private:
  void reset() { std::iota(order.begin(), order.end(), size_t(0)); }

  static size_t countOf(const Rows<T> &...all) {
    return DataIterator<T...>({}, all...).size();
  }

  template <size_t... I>
  SequentialIterator<T...> copy(const BatchOptions &options,
                                std::index_sequence<I...>) {
    (copyRows(std::get<I>(arrays), std::get<I>(copies)), ...);
    return {options,
            Rows<T>(std::get<I>(copies), std::get<I>(arrays).rowSize())...};
  }
  template <typename E>
  void copyRows(const Rows<E> &rows, std::vector<E> &result) {
    result.clear();
    result.reserve(rows.values().size());
    for (size_t row : order)
      result.insert(result.end(), rows[row].begin(), rows[row].end());
  }

  std::tuple<Rows<T>...> arrays;
  std::vector<size_t> order;
  std::tuple<std::vector<T>...> copies;
};

} // namespace tg

#endif // TG_TRAINING_BATCHES_HPP
