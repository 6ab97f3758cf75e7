//===- VerifyModel.h - Verifies a parsed model ------------------*- C++ -*-===//
//
// MLIR's verifier ends at the first mistake; this one tells all of them.
//
//===----------------------------------------------------------------------===//

#ifndef TG_COMPILER_FRONTEND_TEXT_VERIFYMODEL_H
#define TG_COMPILER_FRONTEND_TEXT_VERIFYMODEL_H

#include "mlir/IR/BuiltinOps.h"

namespace tg {

/// Verifies all ops of a module that was parsed without verification. Emits
/// the mistakes of every op, in the order of the text; those that only a valid
/// op can have, wrong symbols and uses before definitions, come where there
/// are no others.
llvm::LogicalResult verifyModel(mlir::ModuleOp module);

} // namespace tg

#endif // TG_COMPILER_FRONTEND_TEXT_VERIFYMODEL_H
