//===- Lowering.h - conversion of kernels to the LLVM dialect -------------===//
#ifndef TG_COMPILER_CODEGEN_KERNEL_LOWERING_H
#define TG_COMPILER_CODEGEN_KERNEL_LOWERING_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"

namespace tg {

/// Registers the dialects of emitted kernels.
void registerKernelDialects(mlir::DialectRegistry &registry);

/// Converts a module of emitted kernels to the LLVM dialect. Math functions
/// become polynomials; all other ops use the conversions of their dialects.
/// Functions keep plain C signatures. Fails with a diagnostic that names the
/// first op that cannot be converted.
llvm::LogicalResult lowerToLLVMDialect(mlir::ModuleOp module);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_KERNEL_LOWERING_H
