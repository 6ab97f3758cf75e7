//===- CopyKernel.h - the kernel that copies bytes ------------------------===//
#ifndef TG_COMPILER_CODEGEN_CUDA_COPYKERNEL_H
#define TG_COMPILER_CODEGEN_CUDA_COPYKERNEL_H

#include "compiler/codegen/Backend.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tg {

/// Emits the function of the kernel that copies bytes at the insertion point of
/// `builder`, and returns its launch: see DeviceImage::copy. A thread copies 16
/// bytes where both addresses are aligned.
KernelLaunch emitCopyKernel(mlir::OpBuilder &builder, mlir::Location loc);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CUDA_COPYKERNEL_H
