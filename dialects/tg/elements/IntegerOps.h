//===- IntegerOps.h - i64 arithmetic, folded where constant ---------------===//
#ifndef TG_DIALECTS_TG_ELEMENTS_INTEGEROPS_H
#define TG_DIALECTS_TG_ELEMENTS_INTEGEROPS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include <optional>

namespace tg {

/// Returns the value of an i64 constant; none for other values.
std::optional<int64_t> constantNumber(mlir::Value value);

/// Returns a known divisor of an i64 value. It follows from the ops that define
/// the value, up to `depth` of them, and from the bounds and steps of loops.
/// The result 0 means that the value is 0.
int64_t knownDivisor(mlir::Value value, unsigned depth = 8);

/// A number as `variable` + `constant`.
struct ConstantSum {
  mlir::Value variable;
  int64_t constant;
};

/// Splits the constant off an i64 that is the sum of indices. The variable is
/// an i64, or an i32 that extends to one. Returns none if the sum does not end
/// in a constant.
std::optional<ConstantSum> splitConstant(mlir::Value value);

/// The width of the instructions that compute indices. Index values are i64 in
/// either case. 64-bit divisions are slow on GPUs, which divide in software.
enum class IndexWidth {
  /// 64 bits, for all numbers.
  wide,
  /// 32 bits. All operands and results must be in [-2^31, 2^31).
  narrow
};

/// Builds i64 arithmetic at the builder's insertion point. Constants fold, so
/// static extents add no code.
class IntegerOps {
public:
  /// `builder` must outlive this.
  IntegerOps(mlir::OpBuilder &builder, mlir::Location loc,
             IndexWidth width = IndexWidth::wide)
      : builder(builder), loc(loc), width(width) {}

  mlir::Value constant(int64_t number) const;
  /// Returns an i32 or i64 as an i64.
  mlir::Value extend(mlir::Value number) const;
  mlir::Value add(mlir::Value lhs, mlir::Value rhs) const;
  mlir::Value sub(mlir::Value lhs, mlir::Value rhs) const;
  mlir::Value mul(mlir::Value lhs, mlir::Value rhs) const;
  mlir::Value min(mlir::Value lhs, mlir::Value rhs) const;
  mlir::Value max(mlir::Value lhs, mlir::Value rhs) const;
  /// Build the quotient and the remainder of nonnegative numbers; rhs > 0.
  mlir::Value div(mlir::Value lhs, mlir::Value rhs) const;
  mlir::Value rem(mlir::Value lhs, mlir::Value rhs) const;
  /// Builds ⌈lhs / rhs⌉ for nonnegative numbers; rhs > 0.
  mlir::Value ceilDiv(mlir::Value lhs, mlir::Value rhs) const;
  /// Builds ⌊lhs / rhs⌋ for any numbers. It is lhs if rhs = 0, and never traps.
  mlir::Value floorDiv(mlir::Value lhs, mlir::Value rhs) const;
  /// Builds the greatest multiple of `step` that is at most `number` >= 0.
  mlir::Value roundDown(mlir::Value number, int64_t step) const;

  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value lhs,
                      mlir::Value rhs) const;

private:
  /// Splits the constant off a sum, unless this might overflow.
  std::optional<ConstantSum> split(mlir::Value value) const;
  /// Returns an i64 as an integer of the width.
  mlir::Value atWidth(mlir::Value number) const;
  /// Builds an operation of the width, and returns its result as an i64.
  template <typename Op>
  mlir::Value build(mlir::Value lhs, mlir::Value rhs) const;

  mlir::OpBuilder &builder;
  mlir::Location loc;
  IndexWidth width;
};

} // namespace tg

#endif // TG_DIALECTS_TG_ELEMENTS_INTEGEROPS_H
