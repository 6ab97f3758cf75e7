// Elementary functions as op sequences, for f32, f64 and vectors of them.
#ifndef TG_COMPILER_CODEGEN_KERNEL_MATH_FUNCTIONS_H
#define TG_COMPILER_CODEGEN_KERNEL_MATH_FUNCTIONS_H

#include "compiler/codegen/kernel/math/FloatOps.h"

namespace tg {

/// Each function builds the elementary function it is named after for values of
/// the type of `ops`. README.md lists the errors in ulp. Infinities, NaN,
/// signed zeros and subnormals behave as in C's math.h.
mlir::Value expandExp(const FloatOps &ops, mlir::Value x);
mlir::Value expandExpm1(const FloatOps &ops, mlir::Value x);
mlir::Value expandLog(const FloatOps &ops, mlir::Value x);
mlir::Value expandLog1p(const FloatOps &ops, mlir::Value x);
mlir::Value expandTanh(const FloatOps &ops, mlir::Value x);
mlir::Value expandErf(const FloatOps &ops, mlir::Value x);
mlir::Value expandSin(const FloatOps &ops, mlir::Value x);
mlir::Value expandCos(const FloatOps &ops, mlir::Value x);
mlir::Value expandAtan(const FloatOps &ops, mlir::Value x);
mlir::Value expandErfInv(const FloatOps &ops, mlir::Value x);
mlir::Value expandPow(const FloatOps &ops, mlir::Value base,
                      mlir::Value exponent);
/// Builds the exact remainder of C's fmod as a loop over exponent bits.
mlir::Value expandRemainder(const FloatOps &ops, mlir::Value lhs,
                            mlir::Value rhs);

/// Builds e^(high + low) in f64, where |low| is far below |high|. `high` may be
/// any value, `low` must be finite.
mlir::Value expandExpOfSum(const FloatOps &ops, mlir::Value high,
                           mlir::Value low);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_KERNEL_MATH_FUNCTIONS_H
