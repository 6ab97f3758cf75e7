//===- IntegerOps.h - i64 arithmetic, folded where constant ---------------===//
#ifndef TG_DIALECTS_TG_ELEMENTS_INTEGEROPS_H
#define TG_DIALECTS_TG_ELEMENTS_INTEGEROPS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include <optional>

namespace tg {

/// The number of an i64 constant; none for other values.
std::optional<int64_t> constantNumber(mlir::Value value);

/// Returns a number that divides an i64 value, as far as the arithmetic and the
/// loops that define it show within `depth` ops. 0 divides only zero.
int64_t knownDivisor(mlir::Value value, unsigned depth = 8);

/// Builds i64 arithmetic at the builder's insertion point. Constants fold, so
/// static extents add no code.
class IntegerOps {
public:
  /// `builder` must outlive this.
  IntegerOps(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  mlir::Value constant(int64_t number) const;
  mlir::Value add(mlir::Value lhs, mlir::Value rhs) const;
  mlir::Value sub(mlir::Value lhs, mlir::Value rhs) const;
  mlir::Value mul(mlir::Value lhs, mlir::Value rhs) const;
  mlir::Value min(mlir::Value lhs, mlir::Value rhs) const;
  mlir::Value max(mlir::Value lhs, mlir::Value rhs) const;
  /// Quotient and remainder of numbers that are not negative; rhs > 0.
  mlir::Value div(mlir::Value lhs, mlir::Value rhs) const;
  mlir::Value rem(mlir::Value lhs, mlir::Value rhs) const;
  /// ⌈lhs / rhs⌉ of the same.
  mlir::Value ceilDiv(mlir::Value lhs, mlir::Value rhs) const;
  /// ⌊lhs / rhs⌋ of any numbers; lhs for rhs = 0, which never traps.
  mlir::Value floorDiv(mlir::Value lhs, mlir::Value rhs) const;
  /// The greatest multiple of `step` up to `number` >= 0.
  mlir::Value roundDown(mlir::Value number, int64_t step) const;

  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value lhs,
                      mlir::Value rhs) const;

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
};

} // namespace tg

#endif // TG_DIALECTS_TG_ELEMENTS_INTEGEROPS_H
