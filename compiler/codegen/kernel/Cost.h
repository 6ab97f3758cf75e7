//===- Cost.h - the cost of an op -----------------------------------------===//
#ifndef TG_COMPILER_CODEGEN_KERNEL_COST_H
#define TG_COMPILER_CODEGEN_KERNEL_COST_H

#include "mlir/IR/Operation.h"

namespace tg {

/// Returns true if an elementwise op applies a function that expands to a
/// polynomial: tens of instructions, and as many constants.
bool isExpensive(mlir::Operation *op);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_KERNEL_COST_H
