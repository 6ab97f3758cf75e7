/// Arrays of numbers in the memory of a C++ program: the results of sessions,
/// and literals.
#ifndef TG_TENSOR_ARRAY_H
#define TG_TENSOR_ARRAY_H

#include "error.h"
#include "types.h"

#include <concepts>
#include <initializer_list>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace tg {

/// Returns the element type of a C++ type: int32_t gives i32, bool gives
/// boolean.
template <typename T>
  requires std::is_arithmetic_v<T>
constexpr DType dtypeOf() {
  static_assert(ElementNumber<T>,
                "tensors have elements of bool, or of a host type of "
                "tg/dtypes.h such as float, int32_t or uint8_t");
  return *dsl::findDType<T>();
}

/// A number, or nested lists of numbers, as written in a program: 5, {1, 2, 3},
/// {{1.5, 2}, {3, 4}}. Without a requested type, booleans become boolean, whole
/// numbers become i32 and all other numbers become f32.
class Literal {
public:
  /// Throws GraphError if no double equals the whole number, such as 2^53 + 1.
  template <typename T>
    requires std::is_arithmetic_v<T>
  Literal(T number,
          std::source_location where = std::source_location::current())
      : values{dsl::exactDouble(number, where)} {
    kind = std::is_same_v<T, bool>       ? Kind::truth
           : std::is_floating_point_v<T> ? Kind::real
                                         : Kind::whole;
  }
  /// Throws GraphError if lists at one depth differ in length.
  Literal(std::initializer_list<Literal> rows,
          std::source_location where = std::source_location::current());

  /// The elements in row-major order, and the extents of the nested lists.
  const std::vector<double> &elements() const { return values; }
  const std::vector<int64_t> &shape() const { return extents; }
  DType dtype() const {
    return kind == Kind::truth ? boolean : kind == Kind::whole ? i32 : f32;
  }

private:
  enum class Kind { truth, whole, real };
  std::vector<double> values;
  std::vector<int64_t> extents;
  Kind kind = Kind::real;
};

/// The elements of a tensor in row-major order, with their type and shape.
/// Copies share the elements, which do not change once they are filled.
class Array {
public:
  /// Makes an empty array. A run returns one for an operation without a value.
  Array() = default;
  /// Converts the numbers of a literal to a type. Throws GraphError if an
  /// integer type gets a fraction.
  Array(const Literal &literal, DType dtype,
        std::source_location where = std::source_location::current());
  Array(const Literal &literal,
        std::source_location where = std::source_location::current())
      : Array(literal, literal.dtype(), where) {}
  Array(std::initializer_list<Literal> rows,
        std::source_location where = std::source_location::current())
      : Array(Literal(rows, where), where) {}
  /// Copies the elements. Throws GraphError if the shape has another number of
  /// elements.
  template <typename T>
  Array(std::span<const T> elements, std::vector<int64_t> shape,
        std::source_location where = std::source_location::current())
      : Array(dtypeOf<T>(), std::move(shape), where) {
    fill(elements.data(), elements.size_bytes(), where);
  }
  template <typename T>
  Array(const std::vector<T> &elements, std::vector<int64_t> shape,
        std::source_location where = std::source_location::current())
      : Array(std::span<const T>(elements), std::move(shape), where) {}
  /// Makes an array of this type and shape, whose elements the caller fills
  /// through data(). Throws GraphError if an extent is negative, and
  /// std::bad_alloc if there is not enough memory.
  Array(DType dtype, std::vector<int64_t> shape,
        std::source_location where = std::source_location::current());

  /// Makes a view of elements in row-major order, which `owner` keeps alive and
  /// nobody changes.
  Array(DType dtype, std::vector<int64_t> shape,
        std::shared_ptr<const void> owner, const void *elements,
        std::source_location where = std::source_location::current());

  bool isDefined() const { return bytes != nullptr; }
  DType dtype() const { return type; }
  const std::vector<int64_t> &shape() const { return extents; }
  int64_t rank() const { return static_cast<int64_t>(extents.size()); }
  /// The number of elements, and the number of their bytes.
  size_t size() const { return count; }
  size_t byteCount() const;
  const void *data() const { return bytes.get(); }
  /// Access to the elements of a new array, to fill it. data() returns them.
  /// set() converts a number to the element type as C++ does and stores it; it
  /// throws GraphError if the index is out of range.
  void *data() { return bytes.get(); }
  void set(size_t index, double number,
           std::source_location where = std::source_location::current());

  /// Returns the elements. Throws GraphError if they are of another type.
  template <typename T>
  std::span<const T>
  values(std::source_location where = std::source_location::current()) const {
    expectType(dtypeOf<T>(), where);
    return {static_cast<const T *>(data()), size()};
  }
  /// Returns a copy of the elements, converted as C++ converts numbers.
  template <typename T>
  std::vector<T>
  to(std::source_location where = std::source_location::current()) const {
    std::vector<T> numbers;
    for (size_t i = 0; i < size(); ++i)
      numbers.push_back(static_cast<T>(at(i, where)));
    return numbers;
  }
  /// Returns the only element. Throws GraphError if the array does not have
  /// exactly one element.
  double
  scalar(std::source_location where = std::source_location::current()) const;

  /// Returns the element at an index in row-major order. Throws GraphError if
  /// the index is out of range.
  double at(size_t index,
            std::source_location where = std::source_location::current()) const;

private:
  void fill(const void *from, size_t size, std::source_location where);
  void expectType(DType expected, std::source_location where) const;

  DType type = f32;
  std::vector<int64_t> extents;
  size_t count = 0;
  std::shared_ptr<char[]> bytes;
};

/// Prints the elements in brackets, as NumPy does: [[1 2] [3 4]].
std::ostream &operator<<(std::ostream &stream, const Array &array);

} // namespace tg

#endif // TG_TENSOR_ARRAY_H
