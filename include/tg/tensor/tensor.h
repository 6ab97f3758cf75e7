/// Handles of values, and arithmetic on them as in mathematics.
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

/// A value of a program under construction: a small handle, copied by value.
/// It never converts to a truth value or a number. One thread per program.
/// In eager mode (graph/eager.h) it has its elements at once, and their memory
/// is freed with the last handle of it; in graph mode the program keeps the op.
class Tensor {
public:
  /// No value; only good for being assigned to.
  Tensor() = default;
  /// The DSL's own: value number `id` of a program's body.
  Tensor(std::shared_ptr<dsl::Body> body, uint32_t id);

  /// Element type and shape. Throws GraphError on a handle without value.
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

  /// The elements, row-major; T is the C++ type of the element type: float,
  /// double, int8_t and so on, bool of truth values. Eager mode; throws
  /// GraphError in graph mode, where tensors have values when a session or a
  /// library runs, and where T is another type.
  template <typename T>
  std::vector<T>
  values(std::source_location where = std::source_location::current()) const;
  /// The only element of a tensor of one, as values() has it.
  double
  item(std::source_location where = std::source_location::current()) const;

  /// The name in the graph, as TensorFlow gives them: MatMul:0, the second such
  /// op of a scope MatMul_1:0, in a name scope Scope_A/Add:0. Throws GraphError
  /// on a handle without value.
  std::string
  name(std::source_location where = std::source_location::current()) const;
  /// This tensor, whose op gets the name below the open name scopes; with _1,
  /// _2 … behind it where something has it. Throws GraphError where it is no
  /// name.
  Tensor
  named(const std::string &opName,
        std::source_location where = std::source_location::current()) const;
  /// Makes this handle one with extents that are known or checked at run time:
  /// where both this shape and that one know an extent they must agree, or
  /// GraphError is thrown. Other handles of the value keep what they know.
  void setShape(const Shape &shape,
                std::source_location where = std::source_location::current());

  /// Parts by place, as in NumPy: t[2] is a row, t[-1] the last one, t[{0, 3}]
  /// an element, t[{Slice(), 1}] a column, t[Slice(1, -1)] all rows but the
  /// first and the last, t[Slice(Slice::end, Slice::end, -1)] all in reverse;
  /// t[rows] are the rows that a tensor of integers lists. Dimensions without
  /// an index stay whole. A place outside the tensor is an error, at run time
  /// if not before.
  Tensor operator[](const Index &index) const;
  Tensor operator[](std::initializer_list<Index> indices) const;

  /// The DSL's own.
  const std::shared_ptr<dsl::Body> &body() const { return owner; }
  uint32_t id() const { return number; }
  /// The DSL's own: a handle without value whose use throws this sentence.
  static Tensor missing(std::string sentence);
  /// The DSL's own: that sentence; null for any other handle.
  const std::string *whyMissing() const {
    return owner ? nullptr : static_cast<const std::string *>(holder.get());
  }

private:
  std::shared_ptr<dsl::Body> owner;
  uint32_t number = 0;
  /// Keeps the value of an eager tensor; of a missing one the sentence.
  std::shared_ptr<const void> holder;
};

/// In graph mode Tensor("MatMul:0", shape=(10, ?), dtype=float32). In eager
/// mode the elements, rows in brackets: [[1 2] [3 4]]; of long dimensions
/// the first and last three.
std::ostream &operator<<(std::ostream &stream, const Tensor &tensor);

/// Named state of a program. As a tensor it is the value before the step's
/// assignments; a function reads it once.
class Variable : public Tensor {
public:
  Variable() = default;
  /// The DSL's own.
  Variable(Tensor read, std::string name, bool trainable)
      : Tensor(std::move(read)), path(std::move(name)), learns(trainable) {}

  /// The name in model.mlir, in the library, in checkpoints and messages:
  /// digits/Linear_1/weight. Throws GraphError on one that a layer does not
  /// have.
  const std::string &
  name(std::source_location where = std::source_location::current()) const {
    if (whyMissing())
      raiseMissing(where);
    return path;
  }
  bool isTrainable() const { return learns; }
  /// The number of its elements.
  int64_t
  size(std::source_location where = std::source_location::current()) const;

private:
  [[noreturn]] void raiseMissing(const std::source_location &where) const;

  std::string path;
  bool learns = false;
};

/// An argument of an operation: a tensor, or a number that becomes a scalar of
/// the other operands' element type. Remembers the line that wrote it.
class Operand {
public:
  /// Throws GraphError on a handle without value.
  Operand(Tensor tensor,
          std::source_location where = std::source_location::current());
  /// Throws GraphError on a whole number that no double equals: 2^53 + 1.
  template <typename T>
    requires std::is_arithmetic_v<T>
  Operand(T number,
          std::source_location where = std::source_location::current())
      : scalar(dsl::exactDouble(number, where)), place(where) {}

  bool isNumber() const { return !value.isDefined(); }
  double number() const { return scalar; }
  /// The tensor. Throws GraphError on a number.
  const Tensor &tensor() const;
  operator const Tensor &() const { return tensor(); }
  const std::source_location &where() const { return place; }

private:
  Tensor value;
  double scalar = 0;
  std::source_location place;
};

/// Operands in order: {a, b}, or a vector of tensors.
class Operands : public std::vector<Operand> {
public:
  Operands(std::initializer_list<Operand> operands);
  Operands(std::vector<Operand> operands);
  Operands(const std::vector<Tensor> &tensors,
           std::source_location where = std::source_location::current());
};

/// The part of a dimension that an index keeps: every `step`th element from
/// `start` to before `stop`, backwards if `step` is negative. Negative numbers
/// count from the end. `Slice::end` is the bound that NumPy leaves out: as
/// `stop` it is the end of the dimension in the direction of the step, as
/// `start` of a negative step the last element. x[::-1] is x[Slice(Slice::end,
/// Slice::end, -1)], x[3:0:-1] is x[Slice(3, 0, -1)].
struct Slice {
  static constexpr int64_t end = INT64_MAX;

  Slice(int64_t from = 0, int64_t to = end, int64_t every = 1)
      : start(from), stop(to), step(every) {}

  int64_t start, stop, step;
};

/// The index of one dimension: a number, which drops it, a tensor of integers,
/// or a slice. Remembers the line that wrote it.
class Index {
public:
  template <std::integral Number>
    requires(!std::same_as<Number, bool>)
  Index(Number value,
        std::source_location place = std::source_location::current())
      : kind(Kind::number), number(static_cast<int64_t>(value)), where(place) {}
  Index(Tensor places,
        std::source_location place = std::source_location::current())
      : kind(Kind::tensor), tensor(std::move(places)), where(place) {}
  Index(Slice part,
        std::source_location place = std::source_location::current())
      : kind(Kind::slice), slice(part), where(place) {}

  /// The DSL's own: which it is, and its value.
  enum class Kind { number, tensor, slice };
  Kind kind;
  int64_t number = 0;
  Tensor tensor;
  Slice slice;
  std::source_location where;
};

/// Elementwise, with broadcasting: shapes are aligned at the last dimension,
/// and a missing dimension or a 1 is broadcast.
Tensor operator+(Operand lhs, Operand rhs);
Tensor operator-(Operand lhs, Operand rhs);
Tensor operator*(Operand lhs, Operand rhs);
Tensor operator/(Operand lhs, Operand rhs);
/// As of C++ numbers, with the sign of lhs; floorMod has that of rhs.
Tensor operator%(Operand lhs, Operand rhs);
Tensor operator-(Operand input);

/// The handle becomes that of the result; the value it had before stays.
Tensor &operator+=(Tensor &lhs, Operand rhs);
Tensor &operator-=(Tensor &lhs, Operand rhs);
Tensor &operator*=(Tensor &lhs, Operand rhs);
Tensor &operator/=(Tensor &lhs, Operand rhs);
/// A variable changes by assign(w, w + x), in the functions that take it.
Tensor &operator+=(Variable &lhs, Operand rhs) = delete;
Tensor &operator-=(Variable &lhs, Operand rhs) = delete;
Tensor &operator*=(Variable &lhs, Operand rhs) = delete;
Tensor &operator/=(Variable &lhs, Operand rhs) = delete;

Tensor &operator%=(Tensor &lhs, Operand rhs);
Tensor &operator%=(Variable &lhs, Operand rhs) = delete;

/// Logical on truth values, bitwise on integers.
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
/// Negates booleans.
Tensor operator!(Operand input);

/// Elementwise comparisons: tensors of truth values.
Tensor operator==(Operand lhs, Operand rhs);
Tensor operator!=(Operand lhs, Operand rhs);
Tensor operator<(Operand lhs, Operand rhs);
Tensor operator<=(Operand lhs, Operand rhs);
Tensor operator>(Operand lhs, Operand rhs);
Tensor operator>=(Operand lhs, Operand rhs);

} // namespace tg

#endif // TG_TENSOR_TENSOR_H
