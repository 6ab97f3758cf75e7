//===- UnusedRules.h - warnings about unused inputs and variables ---------===//
#ifndef TG_DIALECTS_TG_RULES_UNUSEDRULES_H
#define TG_DIALECTS_TG_RULES_UNUSEDRULES_H

#include "mlir/IR/BuiltinOps.h"

namespace tg {

/// Warns, at its line, of each input that is unused in all functions with an
/// input of its name. If there are train functions, warns of each trainable
/// variable that none of them changes. `init` does not count.
void warnOfUnused(mlir::ModuleOp module);

} // namespace tg

#endif // TG_DIALECTS_TG_RULES_UNUSEDRULES_H
