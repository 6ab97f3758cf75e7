//===- WinogradTransform.h - the transforms of F(4x4, 3x3) ----------------===//
//
// Of 4x4 sums over windows of 3x3, 36 products in place of 144 (Lavin and Gray,
// "Fast algorithms for convolutional neural networks", 2016), at the points
// 0, 1, -1, 2, -2 and infinity: y = A'((G w G') * (B' x B))A.
//
//===----------------------------------------------------------------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRADTRANSFORM_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRADTRANSFORM_H

#include "mlir/IR/Builders.h"
#include "llvm/ADT/SmallVector.h"

namespace tg::winograd {

/// Positions and elements of the lhs along an axis of a tile, taps of a filter,
/// and the products of a tile.
inline constexpr int64_t kPositions = 4, kInputs = 6, kTaps = 3,
                         kProducts = kInputs * kInputs;

/// The transforms of vectors, row by row: of kInputs x kInputs elements of the
/// lhs, of kTaps x kTaps of the filter to kProducts factors, and of kProducts
/// sums to kPositions x kPositions elements of the result.
llvm::SmallVector<mlir::Value> transformInput(mlir::OpBuilder &builder,
                                              mlir::Location loc,
                                              mlir::ValueRange elements);
llvm::SmallVector<mlir::Value> transformFilter(mlir::OpBuilder &builder,
                                               mlir::Location loc,
                                               mlir::ValueRange taps);
llvm::SmallVector<mlir::Value> transformOutput(mlir::OpBuilder &builder,
                                               mlir::Location loc,
                                               mlir::ValueRange sums);

/// The adjoints, w = G'((B' x B) * (A y A'))G: of kPositions x kPositions
/// elements of the result's gradient to kProducts factors, and of kProducts
/// sums to the gradients of kTaps x kTaps of the filter.
llvm::SmallVector<mlir::Value> transformGradient(mlir::OpBuilder &builder,
                                                 mlir::Location loc,
                                                 mlir::ValueRange elements);
llvm::SmallVector<mlir::Value> transformWindow(mlir::OpBuilder &builder,
                                               mlir::Location loc,
                                               mlir::ValueRange sums);

} // namespace tg::winograd

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRADTRANSFORM_H
