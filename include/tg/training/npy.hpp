/// Readers for arrays in .npy files, the format of NumPy.
#ifndef TG_TRAINING_NPY_HPP
#define TG_TRAINING_NPY_HPP

#include "images.hpp"
#include "npy_header.hpp"

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
void readElements(DataFile &file, size_t count, std::vector<T> &elements) {
  std::vector<Stored> buffer(std::min<size_t>(count, 65536));
  elements.reserve(count);
  while (elements.size() < count) {
    buffer.resize(std::min(buffer.size(), count - elements.size()));
    file.read(reinterpret_cast<uint8_t *>(buffer.data()),
              buffer.size() * sizeof(Stored));
    for (Stored stored : buffer)
      if (!convertTo(stored, elements.emplace_back()))
        file.fail("has the number " + std::to_string(stored) + " at index " +
                  std::to_string(elements.size() - 1) +
                  ", which the requested type cannot represent");
  }
}

/// Reads the contents of the file before the elements, and moves the read
/// position to the first element.
inline npy::Front readFront(DataFile &file) {
  std::vector<char> bytes(std::min<uint64_t>(file.size(), npy::frontLimit));
  file.read(reinterpret_cast<uint8_t *>(bytes.data()), bytes.size());
  npy::Front front;
  std::string reason;
  if (!npy::parseFront(bytes, file.size(), front, reason))
    file.fail("is no array that can be read: " + reason);
  file.seek(front.dataOffset);
  return front;
}

} // namespace detail

/// Reads a little-endian array of numbers or booleans in C order. The rows are
/// along the first dimension; a scalar is a single row. Numbers of another type
/// are converted to T: floats are rounded, and integers must be representable
/// as T. Throws std::runtime_error for an invalid file, for a size that does
/// not match the header, and for a number that T cannot represent. Allocates
/// only the memory of the elements.
template <typename T> NpyTable<T> readNpy(const std::string &path) {
  static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>,
                "expected a type of numbers; booleans are read as uint8_t");
  detail::DataFile file(path);
  const npy::Front front = detail::readFront(file);
  NpyTable<T> table;
  size_t count = 1;
  for (int64_t extent : front.shape) {
    table.dims.push_back(static_cast<size_t>(extent));
    count *= static_cast<size_t>(extent);
  }
  for (size_t axis = 1; axis < table.dims.size(); ++axis)
    table.rowSize *= table.dims[axis];
  if (table.rowSize == 0)
    file.fail("has rows without elements, expected some");
  switch (TG_DTYPE_KEY(front.dtype.code, front.dtype.bits)) {
#define TG_READ(name, front, code, bits, host, ...)                            \
  case TG_DTYPE_KEY(TG_DTYPE_##code, bits):                                    \
    detail::readElements<T, host>(file, count, table.elements);                \
    break;
    TG_DTYPES(TG_READ)
#undef TG_READ
  default:
    file.fail("has an element type that cannot be read");
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
      throw std::runtime_error("'" + paths[next] + "' has " +
                               std::to_string(found) + " rows, expected the " +
                               std::to_string(rows) + " of '" + paths[0] + "'");
    ++next;
    return table;
  };
  // Elements of a braced list are evaluated from left to right.
  return {load(Table<T>(readNpy<T>(paths[next])))...};
}

} // namespace tg

#endif // TG_TRAINING_NPY_HPP
