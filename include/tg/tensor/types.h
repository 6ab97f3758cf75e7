/// Element types, extents and shapes of the C++ frontend.
#ifndef TG_TENSOR_TYPES_H
#define TG_TENSOR_TYPES_H

#include "../cxx20.h"

#include <cstdint>
#include <iosfwd>
#include <source_location>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tg {

/// The element types: floats, signed integers, unsigned bytes and booleans.
/// Integers wrap around.
enum class DType { f32, f64, i8, i16, i32, i64, u8, boolean };
using enum DType;

/// The C++ types of elements: float, double, int8_t, int16_t, int32_t, int64_t,
/// uint8_t and bool.
template <typename T>
concept ElementNumber =
    std::is_arithmetic_v<T> &&
    (std::is_floating_point_v<T> ? sizeof(T) <= sizeof(double)
                                 : sizeof(T) == 1 || std::is_signed_v<T>);

/// The extent of a dimension: a number, or a dynamic extent, which may have a
/// name.
struct Extent {
  /// The value of a dynamic extent.
  static constexpr int64_t unknown = -1;

  Extent(int64_t number) : value(number) {}
  Extent(int64_t number, std::string called)
      : value(number), name(std::move(called)) {}

  /// The number, or `unknown`.
  int64_t value;
  /// The name, or "" for none. Extents of one name in a function are equal.
  std::string name;

  bool isKnown() const { return value != unknown; }
};

/// Returns a dynamic extent. Extents of one name in a function's inputs are
/// equal. One compiled library works for every value.
inline Extent dim(std::string name = "") {
  return Extent(Extent::unknown, std::move(name));
}

/// One extent per dimension; empty for a scalar.
using Shape = std::vector<Extent>;

/// Returns the name of an element type: f32.
std::string toString(DType dtype);
/// Returns the shape as written in messages: [?, 64]. A named dynamic extent is
/// written as its name.
std::string toString(const Shape &shape);
std::ostream &operator<<(std::ostream &stream, DType dtype);
std::ostream &operator<<(std::ostream &stream, const Shape &shape);

/// The element type and the shape of a tensor, which may have dynamic extents.
struct TensorType {
  DType dtype = f32;
  Shape shape;

  int64_t rank() const { return static_cast<int64_t>(shape.size()); }

  /// Returns the extent of a dimension. Negative axes count from the end.
  /// Throws GraphError if the axis does not exist or the extent is dynamic.
  int64_t
  dim(int64_t axis,
      std::source_location where = std::source_location::current()) const;
};

/// Prints the type as "f32 [?, 64]".
std::ostream &operator<<(std::ostream &stream, const TensorType &type);

} // namespace tg

#endif // TG_TENSOR_TYPES_H
