//===- WindowTile.h - the positions of a tile of a convolution ------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINDOW_WINDOWTILE_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINDOW_WINDOWTILE_H

#include "compiler/codegen/cpu/KernelFrame.h"
#include "compiler/codegen/cpu/contraction/window/WindowNest.h"

namespace tg {

/// The result of a contraction with windows as matrices of rows. All rows form
/// one matrix, or each line of positions is a matrix if lines are long or of
/// dynamic length. In a transposed convolution with a stride, the positions of
/// each phase, which read the same taps, form matrices of their own.
struct WindowSpace {
  WindowSpace(const Contraction &contraction, const WindowNest &nest);

  /// The extents of the dimensions of rows, for one phase.
  llvm::SmallVector<mlir::AffineExpr> extents;
  /// The first dimension that counts rows. The dimensions before it count
  /// matrices.
  unsigned firstRow;
  int64_t phases;

  mlir::AffineExpr getRows() const;
  mlir::AffineExpr countMatrices() const;
};

/// The windows of the matrix that a tile lies in.
struct WindowTile {
  /// `matrix` is the index of the tile's matrix.
  WindowTile(KernelFrame &frame, const Contraction &contraction,
             const WindowNest &nest, const WindowSpace &space,
             mlir::Value matrix);

  struct Axis {
    /// The index in the result of the first position of the phase.
    mlir::Value phase;
    /// The extent of the lhs, and the index in it of element 0 of the copy.
    mlir::Value extent, offset;
    /// The number of positions of the phase, the number of taps that each of
    /// them reads, and the first of these taps in the op. Consecutive taps of
    /// the phase are `tapStride` apart in the op. A reversed copy holds the
    /// last tap first.
    mlir::Value positions, taps, firstTap;
    int64_t tapStride;
  };
  llvm::SmallVector<Axis, 3> axes;
  /// The indices of the matrix along the dimensions before the rows.
  llvm::SmallVector<mlir::Value> leading;
  /// The extents of the dimensions of rows, and the number of rows: the product
  /// of these extents, or 0 if the phase has no matrix with this index.
  llvm::SmallVector<mlir::Value> rowExtents;
  mlir::Value rowCount;

private:
  Axis makeAxis(KernelFrame &frame, const LineAxis &line,
                const ContractionTensor &lhs, unsigned axis, mlir::Value phase,
                mlir::Value resultExtent);
};

/// Delinearizes `index`: returns its index along each of the dimensions with
/// these extents, the outermost first.
llvm::SmallVector<mlir::Value> splitIndex(IntegerOps ops, mlir::Value index,
                                          llvm::ArrayRef<mlir::Value> extents);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINDOW_WINDOWTILE_H
