/// Readers for arrays in .npy files, the format of NumPy. Need the library
/// tg::Data.
#ifndef TG_TRAINING_NPY_HPP
#define TG_TRAINING_NPY_HPP

#include "../data/arrays.hpp"
#include "batches.hpp"

#include <type_traits>

namespace tg {

/// An array from a file, with its extents.
template <typename T> struct NpyTable : Table<T> {
  std::vector<size_t> dims;
};

namespace detail {

/// Converts a number of a file to T. Returns false if T cannot represent it.
/// Floats are rounded; integers and booleans must be representable exactly.
template <typename T, typename Stored> bool convertTo(Stored stored, T &value) {
  if constexpr (std::is_floating_point_v<T>) {
    value = static_cast<T>(stored);
    return true;
  } else if constexpr (std::is_floating_point_v<Stored>) {
    return false;
  } else {
    // All integer types of the format fit into int64_t.
    const auto wide = static_cast<int64_t>(stored);
    value = static_cast<T>(wide);
    return std::in_range<T>(wide);
  }
}

template <typename T, typename Stored>
void convertAll(const std::string &path, std::span<const Stored> from,
                std::vector<T> &elements) {
  elements.reserve(from.size());
  for (Stored stored : from)
    if (!convertTo(stored, elements.emplace_back()))
      throw data::DataError(path + ": element " +
                            std::to_string(elements.size() - 1) + " is " +
                            std::to_string(stored) +
                            ", expected a number that the requested type "
                            "represents");
}

} // namespace detail

/// Reads a little-endian array of numbers or booleans in C order. The rows are
/// along the first dimension; a scalar is a single row. Numbers of another type
/// are converted to T: floats are rounded, and integers must be representable
/// as T. Throws data::DataError for an invalid file, for a size that does not
/// match the header, and for a number that T cannot represent.
template <typename T> NpyTable<T> readNpy(const std::string &path) {
  static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>,
                "expected a type of numbers; booleans are read as uint8_t");
  const data::Feature array = data::readNpy(path);
  NpyTable<T> table;
  for (int64_t extent : array.shape())
    table.dims.push_back(static_cast<size_t>(extent));
  for (size_t axis = 1; axis < table.dims.size(); ++axis)
    table.rowSize *= table.dims[axis];
  if (table.rowSize == 0)
    throw data::DataError(
        path + ": expected rows with elements, found " +
        data::FeatureType{"", array.dtype(), array.shape()}.text());
  switch (TG_DTYPE_KEY(array.dtype().code, array.dtype().bits)) {
#define TG_READ(name, front, code, bits, host, ...)                            \
  case TG_DTYPE_KEY(TG_DTYPE_##code, bits):                                    \
    detail::convertAll<T, host>(path, array.values<host>(), table.elements);   \
    break;
    TG_DTYPES(TG_READ)
#undef TG_READ
  default:
    throw data::DataError(path + ": found elements " +
                          tg_dtype_name(array.dtype()) +
                          ", expected a type that can be converted");
  }
  return table;
}

/// Reads one file for each T, arrays with equal numbers of rows. This is the
/// default reader of DataBlocks.
template <typename... T>
std::tuple<Table<T>...> loadNpy(const std::vector<std::string> &paths) {
  if (paths.size() != sizeof...(T))
    throw std::invalid_argument("expected " + std::to_string(sizeof...(T)) +
                                " .npy files for a block, found " +
                                std::to_string(paths.size()));
  size_t next = 0, rows = 0;
  const auto load = [&]<typename E>(Table<E> table) {
    const size_t found = table.rows().size();
    if (next == 0)
      rows = found;
    else if (found != rows)
      throw data::DataError(paths[next] + ": expected the " +
                            std::to_string(rows) + " rows of " + paths[0] +
                            ", found " + std::to_string(found));
    ++next;
    return table;
  };
  // Elements of a braced list are evaluated from left to right.
  return {load(Table<T>(readNpy<T>(paths[next])))...};
}

} // namespace tg

#endif // TG_TRAINING_NPY_HPP
