/// Handles of values, and arithmetic on them as in mathematics.
#ifndef TG_TENSOR_H
#define TG_TENSOR_H

#include "types.h"

#include <memory>

namespace tg {

namespace dsl {
class Body;
} // namespace dsl

/// A value of a program under construction: a small handle, copied by value.
/// It never converts to a truth value or a number. One thread per program.
class Tensor {
public:
  /// No value; only good for being assigned to.
  Tensor() = default;
  /// The DSL's own: value number `id` of a program's body.
  Tensor(std::shared_ptr<dsl::Body> body, uint32_t id)
      : owner(std::move(body)), number(id) {}

  /// Element type and shape. Throws GraphError on a handle without value.
  TensorType type() const;
  DType dtype() const { return type().dtype; }
  Shape shape() const { return type().shape; }
  int64_t rank() const { return type().rank(); }
  /// As TensorType::dim.
  int64_t
  dim(int64_t axis,
      std::source_location where = std::source_location::current()) const {
    return type().dim(axis, where);
  }
  bool isDefined() const { return owner != nullptr; }

  /// The DSL's own.
  const std::shared_ptr<dsl::Body> &body() const { return owner; }
  uint32_t id() const { return number; }

private:
  std::shared_ptr<dsl::Body> owner;
  uint32_t number = 0;
};

/// Named state of a program. As a tensor it is the value before the step's
/// assignments; a function reads it once.
class Variable : public Tensor {
public:
  Variable() = default;
  /// The DSL's own.
  Variable(Tensor read, std::string name, bool trainable)
      : Tensor(std::move(read)), path(std::move(name)), learns(trainable) {}

  /// The name in model.mlir, in the library, in checkpoints and messages:
  /// digits/Linear_1/weight.
  const std::string &name() const { return path; }
  bool isTrainable() const { return learns; }
  /// The number of its elements.
  int64_t size() const;

private:
  std::string path;
  bool learns = false;
};

/// An argument of an operation: a tensor, or a number that becomes a scalar of
/// the other operands' element type. Remembers the line that wrote it.
class Operand {
public:
  Operand(Tensor tensor,
          std::source_location where = std::source_location::current())
      : value(std::move(tensor)), place(where) {}
  Operand(double number,
          std::source_location where = std::source_location::current())
      : scalar(number), place(where) {}

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

/// Elementwise, with broadcasting: shapes are aligned at the last dimension,
/// and a missing dimension or a 1 is broadcast.
Tensor operator+(Operand lhs, Operand rhs);
Tensor operator-(Operand lhs, Operand rhs);
Tensor operator*(Operand lhs, Operand rhs);
Tensor operator/(Operand lhs, Operand rhs);
Tensor operator-(Operand input);

/// Elementwise comparisons: tensors of truth values.
Tensor operator==(Operand lhs, Operand rhs);
Tensor operator!=(Operand lhs, Operand rhs);
Tensor operator<(Operand lhs, Operand rhs);
Tensor operator<=(Operand lhs, Operand rhs);
Tensor operator>(Operand lhs, Operand rhs);
Tensor operator>=(Operand lhs, Operand rhs);

} // namespace tg

#endif // TG_TENSOR_H
