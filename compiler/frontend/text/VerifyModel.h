//===- VerifyModel.h - Verifies a parsed model ------------------*- C++ -* ===//
//
// Reports all errors of a model; MLIR's verifier stops at the first one.
//
//===----------------------------------------------------------------------===//

#ifndef TG_COMPILER_FRONTEND_TEXT_VERIFYMODEL_H
#define TG_COMPILER_FRONTEND_TEXT_VERIFYMODEL_H

#include "mlir/IR/BuiltinOps.h"

namespace tg {

/// Verifies all ops of a module that was parsed without verification. Emits the
/// errors of every op in the order of the text. If there are none, also emits
/// errors that only valid ops can have: wrong symbols, and uses before
/// definitions.
llvm::LogicalResult verifyModel(mlir::ModuleOp module);

} // namespace tg

#endif // TG_COMPILER_FRONTEND_TEXT_VERIFYMODEL_H
