// The passes that expand math ops.
#ifndef TG_COMPILER_CODEGEN_KERNEL_MATH_PASSES_H
#define TG_COMPILER_CODEGEN_KERNEL_MATH_PASSES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/Pass.h"

#include <memory>

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace tg {

/// Adds the patterns of `tgx-expand-math`, which rewrite math functions on f32
/// and f64 to arith, vector and scf ops.
void populateExpandMathPatterns(mlir::RewritePatternSet &patterns);

#define GEN_PASS_DECL
#include "compiler/codegen/kernel/math/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "compiler/codegen/kernel/math/Passes.h.inc"

} // namespace tg

#endif // TG_COMPILER_CODEGEN_KERNEL_MATH_PASSES_H
