//===- WinogradTransform.h - the transforms of tiles and filters ----------===//
//
// Of 4x4 sums over windows of 3x3, 36 products in place of 144 (Lavin and Gray,
// "Fast algorithms for convolutional neural networks", 2016), at the points
// 0, 1, -1, 2, -2 and infinity: y = A'((G w G') * (B' x B))A. Of 2x2 sums, 16
// in place of 36, at 0, 1, -1 and infinity.
//
//===----------------------------------------------------------------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRADTRANSFORM_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRADTRANSFORM_H

#include "mlir/IR/Builders.h"
#include "llvm/ADT/SmallVector.h"

namespace tg::winograd {

/// Taps of a filter along an axis.
inline constexpr int64_t kTaps = 3;

/// F(m x m, 3x3) for m of 4 or 2: the sizes of its tiles, and the transforms of
/// vectors, row by row.
struct Tile {
  /// Positions along an axis of a tile.
  int64_t positions;

  /// Elements of the lhs along an axis, and the products of a tile.
  int64_t inputs() const { return positions + kTaps - 1; }
  int64_t products() const { return inputs() * inputs(); }

  /// Transforms inputs x inputs elements of the lhs, or 3x3 taps, to factors of
  /// the products, or the products' sums to positions x positions elements of
  /// the result.
  llvm::SmallVector<mlir::Value>
  transformInput(mlir::OpBuilder &builder, mlir::Location loc,
                 mlir::ValueRange elements) const;
  llvm::SmallVector<mlir::Value> transformFilter(mlir::OpBuilder &builder,
                                                 mlir::Location loc,
                                                 mlir::ValueRange taps) const;
  llvm::SmallVector<mlir::Value> transformOutput(mlir::OpBuilder &builder,
                                                 mlir::Location loc,
                                                 mlir::ValueRange sums) const;

  /// The adjoints, w = G'((B' x B) * (A y A'))G: of positions x positions
  /// elements of the result's gradient to factors, and of the products' sums to
  /// the gradients of 3x3 taps.
  llvm::SmallVector<mlir::Value>
  transformGradient(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::ValueRange elements) const;
  llvm::SmallVector<mlir::Value> transformWindow(mlir::OpBuilder &builder,
                                                 mlir::Location loc,
                                                 mlir::ValueRange sums) const;
};

} // namespace tg::winograd

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINOGRAD_WINOGRADTRANSFORM_H
