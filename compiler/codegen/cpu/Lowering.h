//===- Lowering.h - emitted kernels in the LLVM dialect -------------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_LOWERING_H
#define TG_COMPILER_CODEGEN_CPU_LOWERING_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"

namespace tg {

/// Registers the dialects that emitted kernels consist of.
void registerKernelDialects(mlir::DialectRegistry &registry);

/// Turns a module of emitted kernels into the LLVM dialect: math functions
/// become polynomials, everything else what its dialect's conversion says.
/// Functions keep their plain C signatures. Fails with a diagnostic that names
/// an op that is left over.
llvm::LogicalResult lowerToLLVMDialect(mlir::ModuleOp module);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_LOWERING_H
