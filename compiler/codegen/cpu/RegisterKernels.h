//===- RegisterKernels.h - what ops must know to become CPU kernels -------===//
#ifndef TG_COMPILER_CODEGEN_CPU_REGISTERKERNELS_H
#define TG_COMPILER_CODEGEN_CPU_REGISTERKERNELS_H

#include "mlir/IR/DialectRegistry.h"

namespace tg {

/// Lets ops of tg and tgx emit CPU kernels. Call it before the dialects are
/// loaded.
void registerCpuKernels(mlir::DialectRegistry &registry);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_REGISTERKERNELS_H
