//===- RandomElements.h - element rules of random ops ---------------------===//
#ifndef TG_COMPILER_CODEGEN_KERNEL_RANDOMELEMENTS_H
#define TG_COMPILER_CODEGEN_KERNEL_RANDOMELEMENTS_H

#include "mlir/IR/DialectRegistry.h"

namespace tg {

/// Attaches an element rule to the random ops, so that they fuse into loops.
/// The rule is the same for all targets. Call it wherever the tg dialect is
/// registered for passes.
void registerRandomElements(mlir::DialectRegistry &registry);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_KERNEL_RANDOMELEMENTS_H
