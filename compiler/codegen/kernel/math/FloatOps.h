// Builders for floating-point arithmetic on scalars and on vectors of any
// width.
#ifndef TG_COMPILER_CODEGEN_KERNEL_MATH_FLOATOPS_H
#define TG_COMPILER_CODEGEN_KERNEL_MATH_FLOATOPS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/ArrayRef.h"

namespace tg {

/// Returns a vector of `element` if `shape` is a vector type, otherwise
/// `element`.
mlir::Type likeShape(mlir::Type element, mlir::Type shape);

/// Builds arith ops on values of one type: f32, f64 or a vector of them. The op
/// sequence does not depend on the width, so scalars and vectors give the same
/// bits. No op carries a fast-math flag, because the expansions rely on exact
/// steps.
class FloatOps {
public:
  /// `type` is f32, f64 or a vector of them. `builder` must outlive this
  /// object.
  FloatOps(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type);

  /// Returns true for f32, f64 and vectors of them.
  static bool supports(mlir::Type type);

  /// Returns a builder with the same vector width and another element type.
  FloatOps withElement(mlir::Type element) const;

  bool isF32() const { return mantissaBits() == 23; }
  /// Returns the number of stored significand bits: 23 or 52.
  int mantissaBits() const;
  /// Returns the exponent bias: 127 or 1023.
  int bias() const;
  mlir::Type getType() const { return type; }
  /// Returns the type of `toBits`: i32, i64 or a vector of them.
  mlir::Type getBitsType() const { return bitsType; }
  mlir::OpBuilder &getBuilder() const { return builder; }
  mlir::Location getLoc() const { return loc; }

  /// Returns `value`, rounded to the element type, in every lane.
  mlir::Value constant(double value) const;
  /// Returns `value` modulo 2^(width of the element type) in every lane.
  mlir::Value integer(int64_t value) const;

  mlir::Value add(mlir::Value a, mlir::Value b) const;
  mlir::Value sub(mlir::Value a, mlir::Value b) const;
  mlir::Value mul(mlir::Value a, mlir::Value b) const;
  mlir::Value div(mlir::Value a, mlir::Value b) const;
  /// Returns a·b + c: one fused op if the target has it, otherwise two ops.
  mlir::Value fma(mlir::Value a, mlir::Value b, mlir::Value c) const;
  mlir::Value abs(mlir::Value a) const;
  mlir::Value sqrt(mlir::Value a) const;
  mlir::Value floor(mlir::Value a) const;
  /// Returns |magnitude| with the sign of `sign`.
  mlir::Value copySign(mlir::Value magnitude, mlir::Value sign) const;
  /// Returns Σ coefficients[k]·x^k, lowest coefficient first. Up to degree 8,
  /// uses Estrin's scheme, because plain Horner is one dependency chain, which
  /// fills the scheduler of a core with waiting instructions. Above degree 8,
  /// uses Horner's scheme in x² on pairs of terms, which rounds more accurately
  /// than Estrin's scheme.
  mlir::Value polynomial(mlir::Value x,
                         llvm::ArrayRef<double> coefficients) const;
  /// Returns the minimum of `a` and `bound`; NaN is preserved.
  mlir::Value atMost(mlir::Value a, double bound) const;
  /// Returns the maximum of `a` and `bound`; NaN is preserved.
  mlir::Value atLeast(mlir::Value a, double bound) const;
  /// Returns `a` with the low half of its significand cleared, so that the
  /// product of two such values is exact.
  mlir::Value upperHalf(mlir::Value a) const;

  /// Returns an i1 per lane.
  mlir::Value compare(mlir::arith::CmpFPredicate predicate, mlir::Value a,
                      mlir::Value b) const;
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b) const;
  /// Returns the logical or, and the logical and, of i1 values.
  mlir::Value either(mlir::Value a, mlir::Value b) const;
  mlir::Value both(mlir::Value a, mlir::Value b) const;

  mlir::Value toBits(mlir::Value a) const;
  mlir::Value fromBits(mlir::Value bits) const;
  mlir::Value shiftLeft(mlir::Value bits, int count) const;
  /// Returns the logical right shift.
  mlir::Value shiftRight(mlir::Value bits, int count) const;
  mlir::Value addBits(mlir::Value a, mlir::Value b) const;
  mlir::Value subBits(mlir::Value a, mlir::Value b) const;
  mlir::Value andBits(mlir::Value a, int64_t mask) const;
  mlir::Value orBits(mlir::Value a, int64_t mask) const;
  /// Returns an i1 per lane.
  mlir::Value compareBits(mlir::arith::CmpIPredicate predicate, mlir::Value a,
                          mlir::Value b) const;
  /// Returns true if an i1 is true in any lane.
  mlir::Value anyLane(mlir::Value flags) const;

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Type type;
  mlir::Type bitsType;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_KERNEL_MATH_FLOATOPS_H
