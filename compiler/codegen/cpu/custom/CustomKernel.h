//===- CustomKernel.h - ops that are a kernel of their own ----------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CUSTOM_CUSTOMKERNEL_H
#define TG_COMPILER_CODEGEN_CPU_CUSTOM_CUSTOMKERNEL_H

#include "compiler/codegen/cpu/KernelFrame.h"

#include "compiler/codegen/cpu/custom/CustomKernel.h.inc"

namespace tg {

/// The memory of a result of the frame's only op.
Elements resultMemory(KernelFrame &frame, mlir::Value result);

/// Attach the interface to the ops of one family, once the dialects are there.
void attachScatterKernel(mlir::MLIRContext *context);
void attachCumsumKernel(mlir::MLIRContext *context);
void attachTopKKernel(mlir::MLIRContext *context);
void attachPackKernel(mlir::MLIRContext *context);
void attachFirstEqualKernel(mlir::MLIRContext *context);
void attachTrueElementsKernels(mlir::MLIRContext *context);

/// Lets ops of tg and tgx emit kernels of their own.
void registerCustomKernels(mlir::DialectRegistry &registry);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CUSTOM_CUSTOMKERNEL_H
