// One spelling for float arithmetic on scalars and on vectors of any width.
#ifndef TG_COMPILER_CODEGEN_KERNEL_MATH_FLOATOPS_H
#define TG_COMPILER_CODEGEN_KERNEL_MATH_FLOATOPS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/ArrayRef.h"

namespace tg {

/// `element`, or a vector of it if `shape` is a vector type.
mlir::Type likeShape(mlir::Type element, mlir::Type shape);

/// Builds arith ops on values of one type: f32, f64 or a vector of them. The
/// same calls give the same ops for every width, hence the same bits. No op
/// carries a fast-math flag: the expansions rely on exact steps.
class FloatOps {
public:
  /// `type` is f32, f64 or a vector of them; `builder` must outlive this.
  FloatOps(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type);

  /// True for f32 and f64 and for vectors of them.
  static bool supports(mlir::Type type);

  /// The same builder and width for another element type.
  FloatOps withElement(mlir::Type element) const;

  bool isF32() const { return mantissaBits() == 23; }
  /// Stored bits of the significand: 23 or 52.
  int mantissaBits() const;
  /// Exponent bias: 127 or 1023.
  int bias() const;
  mlir::Type getType() const { return type; }
  /// i32 or i64, or a vector of them: the type of `toBits`.
  mlir::Type getBitsType() const { return bitsType; }
  mlir::OpBuilder &getBuilder() const { return builder; }
  mlir::Location getLoc() const { return loc; }

  /// `value` rounded to the element type, in every lane.
  mlir::Value constant(double value) const;
  /// `value` modulo 2^bits of the element type, in every lane.
  mlir::Value integer(int64_t value) const;

  mlir::Value add(mlir::Value a, mlir::Value b) const;
  mlir::Value sub(mlir::Value a, mlir::Value b) const;
  mlir::Value mul(mlir::Value a, mlir::Value b) const;
  mlir::Value div(mlir::Value a, mlir::Value b) const;
  /// a·b + c: one fused op where the target has it, two ops elsewhere.
  mlir::Value fma(mlir::Value a, mlir::Value b, mlir::Value c) const;
  mlir::Value abs(mlir::Value a) const;
  mlir::Value sqrt(mlir::Value a) const;
  mlir::Value floor(mlir::Value a) const;
  /// |magnitude| with the sign of `sign`.
  mlir::Value copySign(mlir::Value magnitude, mlir::Value sign) const;
  /// Σ coefficients[k]·x^k, lowest coefficient first. Up to degree 8 by
  /// Estrin's scheme, pairs and pairs of pairs; above, pairs by Horner's in x²,
  /// which rounds better. Plain Horner is a chain so long that a core's
  /// scheduler fills with waiting steps.
  mlir::Value polynomial(mlir::Value x,
                         llvm::ArrayRef<double> coefficients) const;
  /// The lesser of `a` and the number `bound`; NaN stays.
  mlir::Value capAbove(mlir::Value a, double bound) const;
  /// The greater of `a` and the number `bound`; NaN stays.
  mlir::Value capBelow(mlir::Value a, double bound) const;
  /// `a` with the low half of its significand cleared, so that the product of
  /// two such values is exact.
  mlir::Value upperHalf(mlir::Value a) const;

  /// A truth value per lane.
  mlir::Value compare(mlir::arith::CmpFPredicate predicate, mlir::Value a,
                      mlir::Value b) const;
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b) const;
  /// Logical or, and of truth values.
  mlir::Value either(mlir::Value a, mlir::Value b) const;
  mlir::Value both(mlir::Value a, mlir::Value b) const;

  mlir::Value toBits(mlir::Value a) const;
  mlir::Value fromBits(mlir::Value bits) const;
  mlir::Value shiftLeft(mlir::Value bits, int count) const;
  /// Shifts zeros in.
  mlir::Value shiftRight(mlir::Value bits, int count) const;
  mlir::Value addBits(mlir::Value a, mlir::Value b) const;
  mlir::Value subBits(mlir::Value a, mlir::Value b) const;
  mlir::Value andBits(mlir::Value a, int64_t mask) const;
  mlir::Value orBits(mlir::Value a, int64_t mask) const;
  /// A truth value per lane.
  mlir::Value compareBits(mlir::arith::CmpIPredicate predicate, mlir::Value a,
                          mlir::Value b) const;
  /// True if a truth value is in any lane.
  mlir::Value anyLane(mlir::Value flags) const;

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Type type;
  mlir::Type bitsType;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_KERNEL_MATH_FLOATOPS_H
