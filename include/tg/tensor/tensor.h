/// Handles of values, and arithmetic on them.
#ifndef TG_TENSOR_TENSOR_H
#define TG_TENSOR_TENSOR_H

#include "error.h"
#include "types.h"

#include <concepts>
#include <initializer_list>
#include <memory>

namespace tg {

namespace dsl {
class Body;
} // namespace dsl

class Index;

/// A value of a program under construction: a small handle, copied by value. It
/// never converts to a boolean or a number. A program and its tensors belong to
/// one thread. In eager mode (graph/eager.h) a tensor has its elements at
/// once, and their memory is freed with its last handle. In graph mode the
/// program keeps the op.
class Tensor {
public:
  /// Makes a handle without a value, which can only be assigned to.
  Tensor() = default;
  /// Internal: the value `id` of a program's body.
  Tensor(std::shared_ptr<dsl::Body> body, uint32_t id);

  /// Returns the element type and shape. Throws GraphError on a handle without
  /// a value.
  TensorType
  type(std::source_location where = std::source_location::current()) const;
  DType
  dtype(std::source_location where = std::source_location::current()) const {
    return type(where).dtype;
  }
  Shape
  shape(std::source_location where = std::source_location::current()) const {
    return type(where).shape;
  }
  int64_t
  rank(std::source_location where = std::source_location::current()) const {
    return type(where).rank();
  }
  /// As TensorType::dim.
  int64_t
  dim(int64_t axis,
      std::source_location where = std::source_location::current()) const {
    return type(where).dim(axis, where);
  }
  bool isDefined() const { return owner != nullptr; }

  /// Returns the elements in row-major order. T is the C++ type of the element
  /// type: float, double, int8_t and so on, or bool for booleans. Works in
  /// eager mode. Throws GraphError in graph mode, where tensors have values
  /// only when a session or a library runs, and if T is another type.
  template <typename T>
  std::vector<T>
  values(std::source_location where = std::source_location::current()) const;
  /// Returns the only element of a tensor of one element, under the conditions
  /// of values().
  double
  item(std::source_location where = std::source_location::current()) const;

  /// Returns the name in the graph, as TensorFlow assigns it: MatMul:0, for the
  /// second MatMul of a scope MatMul_1:0, in a name scope Scope_A/Add:0. Throws
  /// GraphError on a handle without a value.
  std::string
  name(std::source_location where = std::source_location::current()) const;
  /// Names the op of this tensor, below the open name scopes, and returns the
  /// tensor. If the name is taken, _1, _2 … is appended. Throws GraphError if
  /// the name is not valid.
  Tensor
  named(const std::string &opName,
        std::source_location where = std::source_location::current()) const;
  /// Refines the extents of this handle. They are static from here on; extents
  /// that were dynamic are checked at run time. Throws GraphError if a static
  /// extent of the tensor differs from the extent in `shape`. Other handles of
  /// the value are not refined.
  void setShape(const Shape &shape,
                std::source_location where = std::source_location::current());

  /// Returns a part of the tensor, as in NumPy: t[2] is a row, t[-1] the last
  /// one, t[{0, 3}] an element, t[{Slice(), 1}] a column, t[Slice(1, -1)] all
  /// rows but the first and the last, t[Slice(Slice::end, Slice::end, -1)] all
  /// rows in reverse. t[rows] gathers the rows that an integer tensor lists.
  /// Dimensions without an index stay whole. An index outside of the tensor is
  /// an error, before the run if possible, otherwise at run time.
  Tensor operator[](const Index &index) const;
  Tensor operator[](std::initializer_list<Index> indices) const;

  /// Internal.
  const std::shared_ptr<dsl::Body> &body() const { return owner; }
  uint32_t id() const { return number; }
  /// Internal: returns a handle without a value, whose use throws this message.
  static Tensor missing(std::string sentence);
  /// Internal: returns the message of a handle from missing(), null for any
  /// other handle.
  const std::string *whyMissing() const {
    return owner ? nullptr : static_cast<const std::string *>(holder.get());
  }

private:
  std::shared_ptr<dsl::Body> owner;
  uint32_t number = 0;
  /// Owns the value of an eager tensor, or the message of a missing one.
  std::shared_ptr<const void> holder;
};

/// In graph mode prints Tensor("MatMul:0", shape=(10, ?), dtype=float32). In
/// eager mode prints the elements, with rows in brackets: [[1 2] [3 4]]; of
/// long dimensions only the first and last three elements.
std::ostream &operator<<(std::ostream &stream, const Tensor &tensor);

/// A variable: named state of a program. Used as a tensor it is the value
/// before the assignments of the step. A function reads it once.
class Variable : public Tensor {
public:
  Variable() = default;
  /// Internal.
  Variable(Tensor read, std::string name, bool trainable)
      : Tensor(std::move(read)), path(std::move(name)), learns(trainable) {}

  /// Returns the name in model.mlir, in the library, in checkpoints and
  /// messages: digits/Linear_1/weight. Throws GraphError on the handle of a
  /// variable that a layer does not have.
  const std::string &
  name(std::source_location where = std::source_location::current()) const {
    if (whyMissing())
      raiseMissing(where);
    return path;
  }
  bool isTrainable() const { return learns; }
  /// Returns the number of elements.
  int64_t
  size(std::source_location where = std::source_location::current()) const;

private:
  [[noreturn]] void raiseMissing(const std::source_location &where) const;

  std::string path;
  bool learns = false;
};

/// An argument of an operation: a tensor, or a number that becomes a scalar of
/// the other operands' element type. Records the source location.
class Operand {
public:
  /// Throws GraphError on a handle without a value.
  Operand(Tensor tensor,
          std::source_location where = std::source_location::current());
  /// Throws GraphError if no double equals the whole number, such as 2^53 + 1.
  template <typename T>
    requires std::is_arithmetic_v<T>
  Operand(T number,
          std::source_location where = std::source_location::current())
      : scalar(dsl::exactDouble(number, where)), place(where) {}

  bool isNumber() const { return !value.isDefined(); }
  double number() const { return scalar; }
  /// Returns the tensor. Throws GraphError on a number.
  const Tensor &tensor() const;
  operator const Tensor &() const { return tensor(); }
  const std::source_location &where() const { return place; }

private:
  Tensor value;
  double scalar = 0;
  std::source_location place;
};

/// A list of operands: {a, b}, or a vector of tensors.
class Operands : public std::vector<Operand> {
public:
  Operands(std::initializer_list<Operand> operands);
  Operands(std::vector<Operand> operands);
  Operands(const std::vector<Tensor> &tensors,
           std::source_location where = std::source_location::current());
};

/// A range of a dimension: every `step`th element from `start` up to but
/// excluding `stop`, backwards if `step` is negative. Negative bounds count
/// from the end. `Slice::end` stands for a bound that NumPy omits: as
/// `stop` it is the end of the dimension in the direction of the step, as
/// `start` of a negative step it is the last element. x[::-1] is
/// x[Slice(Slice::end, Slice::end, -1)], x[3:0:-1] is x[Slice(3, 0, -1)].
struct Slice {
  static constexpr int64_t end = INT64_MAX;

  Slice(int64_t from = 0, int64_t to = end, int64_t every = 1)
      : start(from), stop(to), step(every) {}

  int64_t start, stop, step;
};

/// The index of one dimension: a number, which removes the dimension, an
/// integer tensor, or a slice. Records the source location.
class Index {
public:
  template <std::integral Number>
    requires(!std::same_as<Number, bool>)
  Index(Number value,
        std::source_location place = std::source_location::current())
      : kind(Kind::number), number(static_cast<int64_t>(value)), where(place) {}
  Index(Tensor index,
        std::source_location place = std::source_location::current())
      : kind(Kind::tensor), tensor(std::move(index)), where(place) {}
  Index(Slice range,
        std::source_location place = std::source_location::current())
      : kind(Kind::slice), slice(range), where(place) {}

  /// Internal: the kind of index, and its value.
  enum class Kind { number, tensor, slice };
  Kind kind;
  int64_t number = 0;
  Tensor tensor;
  Slice slice;
  std::source_location where;
};

/// Elementwise arithmetic, with broadcasting: shapes are aligned at the last
/// dimension, and a missing dimension or an extent of 1 is broadcast.
Tensor operator+(Operand lhs, Operand rhs);
Tensor operator-(Operand lhs, Operand rhs);
Tensor operator*(Operand lhs, Operand rhs);
Tensor operator/(Operand lhs, Operand rhs);
/// The remainder as in C++, with the sign of lhs; floorMod() has the sign of
/// rhs.
Tensor operator%(Operand lhs, Operand rhs);
Tensor operator-(Operand input);

/// Makes the handle refer to the result. The old value does not change.
Tensor &operator+=(Tensor &lhs, Operand rhs);
Tensor &operator-=(Tensor &lhs, Operand rhs);
Tensor &operator*=(Tensor &lhs, Operand rhs);
Tensor &operator/=(Tensor &lhs, Operand rhs);
/// Deleted, since a variable changes only by assign(w, w + x), in the functions
/// that take it.
Tensor &operator+=(Variable &lhs, Operand rhs) = delete;
Tensor &operator-=(Variable &lhs, Operand rhs) = delete;
Tensor &operator*=(Variable &lhs, Operand rhs) = delete;
Tensor &operator/=(Variable &lhs, Operand rhs) = delete;

Tensor &operator%=(Tensor &lhs, Operand rhs);
Tensor &operator%=(Variable &lhs, Operand rhs) = delete;

/// Logical on booleans, bitwise on integers.
Tensor operator&(Operand lhs, Operand rhs);
Tensor operator|(Operand lhs, Operand rhs);
Tensor operator^(Operand lhs, Operand rhs);
Tensor operator~(Operand input);
Tensor &operator&=(Tensor &lhs, Operand rhs);
Tensor &operator|=(Tensor &lhs, Operand rhs);
Tensor &operator^=(Tensor &lhs, Operand rhs);
Tensor &operator&=(Variable &lhs, Operand rhs) = delete;
Tensor &operator|=(Variable &lhs, Operand rhs) = delete;
Tensor &operator^=(Variable &lhs, Operand rhs) = delete;
/// The logical negation of booleans.
Tensor operator!(Operand input);

/// Elementwise comparisons, which return boolean tensors.
Tensor operator==(Operand lhs, Operand rhs);
Tensor operator!=(Operand lhs, Operand rhs);
Tensor operator<(Operand lhs, Operand rhs);
Tensor operator<=(Operand lhs, Operand rhs);
Tensor operator>(Operand lhs, Operand rhs);
Tensor operator>=(Operand lhs, Operand rhs);

} // namespace tg

#endif // TG_TENSOR_TENSOR_H
