//===- AsyncCopy.h - copies to shared memory that run meanwhile -----------===//
#ifndef TG_COMPILER_CODEGEN_CUDA_PRODUCT_ASYNCCOPY_H
#define TG_COMPILER_CODEGEN_CUDA_PRODUCT_ASYNCCOPY_H

#include "mlir/IR/Builders.h"

namespace tg {

/// Emits the begin of a copy of 4, 8 or 16 bytes from global to shared memory
/// (`cp.async`). Both addresses are multiples of the bytes. If `exists` is not
/// null and false, zeros are stored and nothing is read.
void beginCopy(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value shared,
               mlir::Value global, unsigned bytes, mlir::Value exists);

/// Makes the copies that the thread has begun since the last call a group.
void commitCopies(mlir::OpBuilder &builder, mlir::Location loc);

/// Waits until the copies of all groups of the thread are in shared memory.
/// Other threads see them after the next barrier.
void waitForCopies(mlir::OpBuilder &builder, mlir::Location loc);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CUDA_PRODUCT_ASYNCCOPY_H
