//===- ConstantOps.h - single ops on known operands -----------------------===//
#ifndef TG_COMPILER_REFERENCE_CONSTANTOPS_H
#define TG_COMPILER_REFERENCE_CONSTANTOPS_H

#include "mlir/IR/DialectRegistry.h"

namespace tg {

/// Attaches ExactEvaluation to the tg dialect, so that passes fold constants to
/// the bits of compiled code.
void attachExactEvaluation(mlir::DialectRegistry &registry);

} // namespace tg

#endif // TG_COMPILER_REFERENCE_CONSTANTOPS_H
