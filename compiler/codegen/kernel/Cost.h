//===- Cost.h - how much work an op is for a register ---------------------===//
#ifndef TG_COMPILER_CODEGEN_KERNEL_COST_H
#define TG_COMPILER_CODEGEN_KERNEL_COST_H

#include "mlir/IR/Operation.h"

namespace tg {

/// Returns true if the body of an elementwise op has a function that becomes a
/// polynomial: tens of instructions and as many constants.
bool isExpensive(mlir::Operation *op);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_KERNEL_COST_H
