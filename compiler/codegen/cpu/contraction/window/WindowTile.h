//===- WindowTile.h - the positions of a tile of a convolution ------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINDOW_WINDOWTILE_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINDOW_WINDOWTILE_H

#include "compiler/codegen/cpu/KernelFrame.h"
#include "compiler/codegen/cpu/contraction/window/WindowNest.h"

namespace tg {

/// The result of a contraction with windows as matrices of rows: all of it, or,
/// where a line of positions is long or of unknown length, line by line. Of
/// adjoints with strides the positions of each residue are matrices of their
/// own, which meet the same taps.
struct WindowSpace {
  WindowSpace(const Contraction &contraction, const WindowNest &nest);

  /// The extents of the rows' dimensions for one residue.
  llvm::SmallVector<mlir::AffineExpr> extents;
  /// The first dimension that makes rows; those before it count matrices.
  unsigned firstRow;
  int64_t residues;

  mlir::AffineExpr getRows() const;
  mlir::AffineExpr getMatrices() const;
};

/// The windows of a tile's matrix.
struct WindowTile {
  /// `matrix` is the number of the tile's matrix.
  WindowTile(KernelFrame &frame, const Contraction &contraction,
             const WindowNest &nest, const WindowSpace &space,
             mlir::Value matrix);

  struct Axis {
    /// The place of position 0 of the residue in the result.
    mlir::Value residue;
    /// The extent of the lhs, and the place of element 0 of the copy.
    mlir::Value extent, offset;
    /// Positions of the residue, and the taps that they meet: the first of the
    /// op's, and from one to the next. The copy meets the last one first where
    /// it is reversed.
    mlir::Value positions, taps, firstTap;
    int64_t tapStride;
  };
  llvm::SmallVector<Axis, 3> axes;
  /// The indices of the matrix along the dimensions before the rows.
  llvm::SmallVector<mlir::Value> leading;
  /// The extents of the rows' dimensions, and their product: 0 where the
  /// residue has no such matrix.
  llvm::SmallVector<mlir::Value> rowExtents;
  mlir::Value rowCount;

private:
  Axis makeAxis(KernelFrame &frame, const LineAxis &line,
                const ContractionTensor &lhs, unsigned axis,
                mlir::Value residue, mlir::Value resultExtent);
};

/// The digits of a number along some extents, the highest first.
llvm::SmallVector<mlir::Value> splitIndex(IntegerOps ops, mlir::Value number,
                                          llvm::ArrayRef<mlir::Value> extents);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_WINDOW_WINDOWTILE_H
