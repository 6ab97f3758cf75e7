//===- WinogradTransform.h - transforms of tiles and filters --------------===//
//
// Transforms of Winograd's algorithm (Lavin and Gray, "Fast algorithms for
// convolutional neural networks", 2016). F(4x4, 3x3) computes 4x4 sums over
// windows of 3x3 with 36 multiplications instead of 144, at the points 0, 1,
// -1, 2, -2 and infinity:
//   y = A'((G w G') * (B' x B))A.
// F(2x2, 3x3) computes 2x2 sums with 16 multiplications instead of 36, at 0, 1,
// -1 and infinity.
//
//===----------------------------------------------------------------------===//
#ifndef TG_COMPILER_CODEGEN_KERNEL_WINOGRAD_WINOGRADTRANSFORM_H
#define TG_COMPILER_CODEGEN_KERNEL_WINOGRAD_WINOGRADTRANSFORM_H

#include "dialects/tg/ops/windows/WinogradRules.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SmallVector.h"

namespace tg::winograd {

/// F(m x m, 3x3) for m of 4 or 2: the sizes of its tiles, and the transforms of
/// scalars or vectors. Elements of a tile are in row-major order.
struct Tile {
  /// The number of positions along an axis of a tile.
  int64_t positions;

  /// Return the number of elements of the lhs along an axis, and the number of
  /// products of a tile.
  int64_t inputs() const { return positions + kTaps - 1; }
  int64_t products() const { return inputs() * inputs(); }

  /// Transform inputs x inputs elements of the lhs (B' x B) or 3x3 taps (G w
  /// G') to factors of the products, and the sums of the products to positions
  /// x positions elements of the result (A' m A).
  llvm::SmallVector<mlir::Value>
  transformInput(mlir::OpBuilder &builder, mlir::Location loc,
                 mlir::ValueRange elements) const;
  llvm::SmallVector<mlir::Value> transformFilter(mlir::OpBuilder &builder,
                                                 mlir::Location loc,
                                                 mlir::ValueRange taps) const;
  llvm::SmallVector<mlir::Value> transformOutput(mlir::OpBuilder &builder,
                                                 mlir::Location loc,
                                                 mlir::ValueRange sums) const;

  /// Apply the adjoints, w = G'((B' x B) * (A y A'))G: transform positions x
  /// positions elements of the result's gradient to factors, and the sums of
  /// the products to the gradients of 3x3 taps.
  llvm::SmallVector<mlir::Value>
  transformGradient(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::ValueRange elements) const;
  llvm::SmallVector<mlir::Value> transformWindow(mlir::OpBuilder &builder,
                                                 mlir::Location loc,
                                                 mlir::ValueRange sums) const;
};

} // namespace tg::winograd

#endif // TG_COMPILER_CODEGEN_KERNEL_WINOGRAD_WINOGRADTRANSFORM_H
