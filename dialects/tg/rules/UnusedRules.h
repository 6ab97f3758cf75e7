//===- UnusedRules.h - what a valid module has to no purpose --------------===//
#ifndef TG_DIALECTS_TG_RULES_UNUSEDRULES_H
#define TG_DIALECTS_TG_RULES_UNUSEDRULES_H

#include "mlir/IR/BuiltinOps.h"

namespace tg {

/// Warns, at its line, of each input that no function with an input of the name
/// uses, and, where functions train, of each trainable variable that none of
/// them changes. `init` counts for nothing.
void warnOfUnused(mlir::ModuleOp module);

} // namespace tg

#endif // TG_DIALECTS_TG_RULES_UNUSEDRULES_H
