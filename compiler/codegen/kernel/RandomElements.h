//===- RandomElements.h - elements of random draws ------------------------===//
#ifndef TG_COMPILER_CODEGEN_KERNEL_RANDOMELEMENTS_H
#define TG_COMPILER_CODEGEN_KERNEL_RANDOMELEMENTS_H

#include "mlir/IR/DialectRegistry.h"

namespace tg {

/// Gives random draws their element rule, the same for all targets, so that
/// they fuse into loops. Wherever the tg dialect is registered for passes.
void registerRandomElements(mlir::DialectRegistry &registry);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_KERNEL_RANDOMELEMENTS_H
