//===- UnusedRules.h - warnings about unused inputs and variables ---------===//
#ifndef TG_DIALECTS_TG_RULES_UNUSEDRULES_H
#define TG_DIALECTS_TG_RULES_UNUSEDRULES_H

#include "mlir/IR/BuiltinOps.h"

namespace tg {

/// Emits a warning at each input that is unused in all functions with an input
/// of that name. If a function other than `init` changes a trainable variable,
/// emits a warning at each trainable variable that no such function changes. If
/// none changes any variable, emits a warning at each function that trains by
/// its role or name, unless it gives gradients to its caller.
void warnOfUnused(mlir::ModuleOp module);

} // namespace tg

#endif // TG_DIALECTS_TG_RULES_UNUSEDRULES_H
