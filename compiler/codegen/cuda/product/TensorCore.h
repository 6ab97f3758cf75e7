//===- TensorCore.h - instructions of tensor cores ------------------------===//
#ifndef TG_COMPILER_CODEGEN_CUDA_PRODUCT_TENSORCORE_H
#define TG_COMPILER_CODEGEN_CUDA_PRODUCT_TENSORCORE_H

#include "mlir/IR/Builders.h"

namespace tg {

/// Rounds an f32 to tf32, to nearest with ties away from zero
/// (`cvt.rna.tf32.f32`), and returns it as an f32.
mlir::Value roundToTf32(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value value);

/// Emits `mma.sync.m16n8k8` of the threads of a warp: the sum of a matrix of 16
/// x 8 elements and the product of matrices of 16 x 8 and 8 x 8 tf32 elements.
/// A thread has the elements that the documentation of PTX states: `lhs` 4,
/// `rhs` 2, and 4 of the sums. The order of the additions is that of the
/// device.
llvm::SmallVector<mlir::Value>
multiplyTf32(mlir::OpBuilder &builder, mlir::Location loc, mlir::ValueRange lhs,
             mlir::ValueRange rhs, mlir::ValueRange sums);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CUDA_PRODUCT_TENSORCORE_H
