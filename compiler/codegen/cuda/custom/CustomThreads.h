//===- CustomThreads.h - ops that are a kernel of their own ---------------===//
#ifndef TG_COMPILER_CODEGEN_CUDA_CUSTOM_CUSTOMTHREADS_H
#define TG_COMPILER_CODEGEN_CUDA_CUSTOM_CUSTOMTHREADS_H

#include "compiler/codegen/cuda/ThreadFrame.h"
#include "compiler/codegen/kernel/ElementEmitter.h"

#include "compiler/codegen/cuda/custom/CustomThreads.h.inc"

namespace tg {

/// Returns the memory of a result of the frame's only op.
Elements resultMemory(ThreadFrame &frame, mlir::Value result);

/// Attach CustomThreadsOpInterface to the ops of one family. The dialects must
/// be loaded.
void attachCumsumThreads(mlir::MLIRContext *context);
void attachScatterThreads(mlir::MLIRContext *context);
void attachTopKThreads(mlir::MLIRContext *context);
void attachFirstEqualThreads(mlir::MLIRContext *context);
void attachTrueElementsThreads(mlir::MLIRContext *context);

/// Registers the threads of the custom kernels of the tg and tgx dialects.
void registerCustomThreads(mlir::DialectRegistry &registry);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CUDA_CUSTOM_CUSTOMTHREADS_H
