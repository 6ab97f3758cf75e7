//===- VariableAccess.h - variables that an op reads and assigns ----------===//
//
// An op declares by its effects on VariableState that it reads or writes
// variables. Its symbol attributes name the variables. Except hasAssignment(),
// the functions ignore the ops in the regions of an op.
//
//===----------------------------------------------------------------------===//
#ifndef TG_DIALECTS_TG_OPS_CONTROL_VARIABLEACCESS_H
#define TG_DIALECTS_TG_OPS_CONTROL_VARIABLEACCESS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"

namespace tg {

/// Returns the names of the variables that the op itself reads, in the order in
/// which it names them.
llvm::SmallVector<llvm::StringRef> readVariables(mlir::Operation *op);

/// Returns the names of the variables that the op itself sets, in the order in
/// which it names them.
llvm::SmallVector<llvm::StringRef> assignedVariables(mlir::Operation *op);

/// Returns true if the op itself sets a variable.
bool assignsVariables(mlir::Operation *op);

/// Returns true if the op or one in its regions sets a variable.
bool hasAssignment(mlir::Operation *op);

/// Returns true if the op itself reads or sets a variable.
bool accessesVariables(mlir::Operation *op);

} // namespace tg

#endif // TG_DIALECTS_TG_OPS_CONTROL_VARIABLEACCESS_H
