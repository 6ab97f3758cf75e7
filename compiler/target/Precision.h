//===- Precision.h - the precision of operands of products ----------------===//
#ifndef TG_COMPILER_TARGET_PRECISION_H
#define TG_COMPILER_TARGET_PRECISION_H

#include "mlir/IR/BuiltinOps.h"

namespace tg {

/// The property of #tgx.target that states the precision of the operands of f32
/// products. Targets without faster instructions for less ignore it.
inline constexpr llvm::StringLiteral kPrecisionProperty = "precision";

/// The precision without the property: operands are not rounded.
inline constexpr llvm::StringLiteral kExactPrecision = "f32";

/// The precision of tensor cores: numbers of 8 bits of exponent and 10 bits of
/// mantissa.
inline constexpr llvm::StringLiteral kTf32Precision = "tf32";

/// Returns true if `name` is a precision.
bool isPrecision(llvm::StringRef name);

/// Returns the precision of a plan.
llvm::StringRef precisionOf(mlir::ModuleOp plan);

} // namespace tg

#endif // TG_COMPILER_TARGET_PRECISION_H
