//===- RightOperand.h - panels of columns of a contraction ----------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_RIGHTOPERAND_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_RIGHTOPERAND_H

#include "compiler/codegen/cpu/contraction/gemm/ContractionTile.h"
#include "compiler/codegen/cpu/contraction/gemm/PanelPacking.h"
#include "compiler/codegen/cpu/contraction/gemm/RegisterTile.h"

namespace tg {

/// A panel of columns, [K, panelColumns] in row-major order, and the memory
/// that its register tiles prefetch, so that the next panel is in the cache
/// when they are done.
struct Panel {
  Matrix matrix;
  /// The next panel, or the memory that the next panel will be copied from;
  /// `base` is null if nothing is prefetched.
  Matrix next;
  /// The number of elements of the next panel that one register tile
  /// prefetches, and the number that one step of its sum prefetches.
  mlir::Value prefetchPerTile, prefetchPerStep;
};

/// The columns of the rhs that a tile reads.
class RightOperand {
public:
  /// Returns the number of scratch elements for the copy of a panel, or for the
  /// copies of all panels of a tile that has several bands.
  static int64_t scratchElements(const ContractionPlan &plan);

  /// `scratch` has room for `scratchElements`.
  RightOperand(const ContractionPlan &plan, const ContractionTile &tile,
               mlir::Value scratch);

  /// Emits the copies of all panels, if the tile has several bands.
  void copy() const;
  /// Returns the panel that begins at `column` of the tile: the panel that was
  /// packed ahead, or the operand in place if it has the layout of a panel, or
  /// a copy, for which this function emits the code.
  Panel panel(mlir::Value column, const KBlock &block) const;
  /// Returns the first of the elements of the next panel that the full register
  /// tile at (row of the tile, column of the panel) prefetches, as an offset in
  /// the next panel; null if nothing is prefetched.
  mlir::Value firstPrefetch(const Panel &panel, mlir::Value row,
                            mlir::Value column) const;
  /// If the rhs is packed ahead, sets KLevel::rows of each loop of `k`: the
  /// number of panel rows that an iteration advances by.
  void setRows(KExtent &k) const;
  /// Prefetches elements of the next panel in the loop iteration that begins at
  /// step `k`. `offset` is the result of firstPrefetch() for the register tile.
  void prefetch(const Panel &panel, mlir::Value offset, mlir::Value k) const;

private:
  /// The offset in the rhs of the first step that is visited along a dimension
  /// of the nest, and the distance to the next step. Units as in strideOf().
  struct Traversal {
    mlir::Value begin, distance;
  };

  /// Returns true if the operand has the layout of a panel.
  static bool isPanel(const ContractionPlan &plan);
  bool isTransposed(unsigned reducedDimension) const;
  bool canPrefetch() const;
  Matrix sourceOf(mlir::Value column, mlir::Value begin) const;
  Matrix packedPanel(mlir::Value column, mlir::Value row) const;
  Matrix bandPanel(mlir::Value column, mlir::Value begin) const;
  Matrix copyPanel(mlir::Value column, const KBlock &block) const;
  void copyColumns(mlir::Value column, mlir::Value begin, mlir::Value size,
                   const Matrix &target) const;
  void copyWindows(mlir::Value column, const KBlock &block) const;
  void copyRange(const KBlock &block, const PanelSource &source,
                 mlir::Value target, unsigned nestDimension) const;
  mlir::Value strideOf(unsigned dimension) const;
  Traversal traversalOf(unsigned nestDimension) const;
  mlir::Value firstOffset(const KBlock &block) const;
  mlir::Value firstRow(const KBlock &block) const;
  mlir::Value nextFirstRow(const KBlock &block) const;

  const ContractionPlan &plan;
  const ContractionTile &tile;
  Elements memory;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_RIGHTOPERAND_H
