//===- ModuleRules.h - constraints on a whole module ----------------------===//
#ifndef TG_DIALECTS_TG_RULES_MODULERULES_H
#define TG_DIALECTS_TG_RULES_MODULERULES_H

#include "mlir/IR/BuiltinOps.h"

namespace tg {

/// Verifies the constraints M1 to M10 on a module whose ops are valid one by
/// one. Reports all violations, rule by rule. Rules about reachability need
/// modules whose functions are complete.
llvm::LogicalResult verifyModuleRules(mlir::ModuleOp module);

} // namespace tg

#endif // TG_DIALECTS_TG_RULES_MODULERULES_H
