//===- LegalOps.h - the ops that have a form in PTX -----------------------===//
#ifndef TG_COMPILER_CODEGEN_CUDA_LEGALOPS_H
#define TG_COMPILER_CODEGEN_CUDA_LEGALOPS_H

#include "mlir/IR/BuiltinOps.h"

namespace tg {

/// Verifies that LLVM's code generator for PTX selects instructions for every
/// op of a module in the LLVM dialect, because it ends the process where it
/// cannot. The ops and their types are on a list. Fails with a diagnostic at
/// the first op that is not.
llvm::LogicalResult verifyLegalOps(mlir::ModuleOp module);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CUDA_LEGALOPS_H
