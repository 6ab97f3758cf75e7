/// Examples and their features, the values of data sets.
#ifndef TG_DATA_FEATURE_HPP
#define TG_DATA_FEATURE_HPP

#include "../cxx20.h"

#include "../dtypes.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace tg::data {

/// A failure to read or prepare data. The message names the file, the record
/// and the byte, if the data has them:
///
///   a.tfrecord: record 17 at byte 4242: expected ..., found ...
class DataError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// The name, element type and shape of a feature.
struct FeatureType {
  /// The extent of a dimension that differs between examples.
  static constexpr int64_t anyExtent = -1;

  std::string name;
  tg_dtype_t dtype = {};
  std::vector<int64_t> shape;

  /// Returns the type as written in messages: "f32 [28, ?]".
  std::string text() const;
};

/// The features of each example of a data set, in this order.
using ExampleType = std::vector<FeatureType>;

/// The elements of one feature in row-major order, with their type and shape.
/// Copies share the elements, which do not change once they are filled.
class Feature {
public:
  /// The alignment of the elements of a new feature, in bytes.
  static constexpr size_t alignment = 64;

  Feature() = default;
  /// Makes a feature whose elements the caller fills through data(). Throws
  /// DataError if an extent is negative or the size overflows, and
  /// std::bad_alloc if there is not enough memory.
  Feature(tg_dtype_t dtype, std::vector<int64_t> shape);
  /// Makes a view of elements that `owner` keeps alive. The elements have any
  /// alignment.
  Feature(tg_dtype_t dtype, std::vector<int64_t> shape,
          std::shared_ptr<const void> owner, const void *elements);

  bool isDefined() const { return first != nullptr; }
  tg_dtype_t dtype() const { return elementType; }
  const std::vector<int64_t> &shape() const { return extents; }
  /// Returns the number of elements, and the number of their bytes.
  size_t size() const { return count; }
  size_t byteCount() const { return count * elementType.bits / 8; }

  const std::byte *data() const { return first; }
  /// Returns the elements of a new feature, to fill them.
  std::byte *data() { return const_cast<std::byte *>(first); }
  std::span<const std::byte> bytes() const { return {first, byteCount()}; }
  /// Returns the elements as numbers of a C++ type of the same size.
  template <typename T> std::span<const T> values() const {
    expectBits(8 * sizeof(T));
    return {reinterpret_cast<const T *>(first), count};
  }
  template <typename T> std::span<T> values() {
    expectBits(8 * sizeof(T));
    return {reinterpret_cast<T *>(data()), count};
  }

  /// Returns the elements in another shape of equally many elements. Throws
  /// DataError if the number differs.
  Feature reshaped(std::vector<int64_t> shape) const;
  /// Returns row `index` of dimension 0, a view.
  Feature row(int64_t index) const;
  /// Returns a view for a run, valid while this feature exists.
  tg_tensor_t tensor() const;

private:
  void expectBits(size_t bits) const;

  tg_dtype_t elementType = {TG_DTYPE_FLOAT, 32, 1};
  std::vector<int64_t> extents;
  size_t count = 0;
  std::shared_ptr<const void> memory;
  const std::byte *first = nullptr;
};

class Records;

/// The features of one example, in the order of the data set's type.
struct Example {
  std::vector<Feature> features = {};
  /// The number of the example in its source, and the epoch. Random choices of
  /// a stage depend on both, and not on the order in which examples are read.
  uint64_t id = 0, epoch = 0;
  /// The record that the example was read from, for messages, or null.
  std::shared_ptr<const Records> source = nullptr;
  uint64_t record = 0;
};

} // namespace tg::data

#endif // TG_DATA_FEATURE_HPP
