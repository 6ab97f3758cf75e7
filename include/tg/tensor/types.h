/// Element types, extents and shapes of the C++ frontend.
#ifndef TG_TENSOR_TYPES_H
#define TG_TENSOR_TYPES_H

#include "../cxx20.h"
#include "../dtypes.h"

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <source_location>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tg {

/// The element types of ../dtypes.h: floats, signed integers, unsigned bytes
/// (u8) and booleans (boolean). Integers wrap around.
enum class DType {
#define TG_ELEMENT(name, front, ...) front,
  TG_DTYPES(TG_ELEMENT)
#undef TG_ELEMENT
};
using enum DType;

namespace dsl {
/// Returns the element type of a C++ number: boolean for bool, otherwise the
/// type of ../dtypes.h of the same size and kind. Returns none if there is
/// none.
template <typename T> constexpr std::optional<DType> findDType() {
#define TG_ELEMENT(name, front, code, bits, host, rounding, ...)               \
  if (std::is_same_v<T, bool> ==                                               \
          (TG_ROUNDING_##rounding == TG_ROUNDING_TRUTH) &&                     \
      sizeof(T) == sizeof(host) &&                                             \
      std::is_floating_point_v<T> == std::is_floating_point_v<host> &&         \
      std::is_signed_v<T> == std::is_signed_v<host>)                           \
    return DType::front;
  TG_DTYPES(TG_ELEMENT)
#undef TG_ELEMENT
  return std::nullopt;
}
} // namespace dsl

/// The C++ types of elements: bool, and the numbers of ../dtypes.h, such as
/// float and int32_t.
template <typename T>
concept ElementNumber =
    std::is_arithmetic_v<T> && dsl::findDType<T>().has_value();

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
