//===- CustomKernel.h - ops that are a kernel of their own ----------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CUSTOM_CUSTOMKERNEL_H
#define TG_COMPILER_CODEGEN_CPU_CUSTOM_CUSTOMKERNEL_H

#include "compiler/codegen/cpu/KernelFrame.h"

#include "compiler/codegen/cpu/custom/CustomKernel.h.inc"

namespace tg {

/// Returns the memory of a result of the frame's only op.
Elements resultMemory(KernelFrame &frame, mlir::Value result);

/// Attach CustomKernelOpInterface to the ops of one family. The dialects must
/// be loaded.
void attachScatterKernel(mlir::MLIRContext *context);
void attachCumsumKernel(mlir::MLIRContext *context);
void attachTopKKernel(mlir::MLIRContext *context);
void attachPackKernel(mlir::MLIRContext *context);
void attachFirstEqualKernel(mlir::MLIRContext *context);
void attachTrueElementsKernels(mlir::MLIRContext *context);

/// Registers the custom kernels of the tg and tgx dialects.
void registerCustomKernels(mlir::DialectRegistry &registry);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CUSTOM_CUSTOMKERNEL_H
