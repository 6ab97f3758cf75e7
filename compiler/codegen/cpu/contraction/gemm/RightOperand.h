//===- RightOperand.h - panels of columns of a contraction ----------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_RIGHTOPERAND_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_RIGHTOPERAND_H

#include "compiler/codegen/cpu/contraction/gemm/ContractionTile.h"
#include "compiler/codegen/cpu/contraction/gemm/PanelPacking.h"
#include "compiler/codegen/cpu/contraction/gemm/RegisterTile.h"

namespace tg {

/// A panel of columns, [K, panelColumns], side by side, and the memory that
/// the register tiles of the panel ask for, so that the panel behind it has
/// come when they are done.
struct Panel {
  Matrix matrix;
  /// The place of the next panel, or its source; without a base if nothing is
  /// prefetched.
  Matrix next;
  /// Elements of it that one register tile asks for, and those for one step of
  /// its sum.
  mlir::Value slice, sliceStep;
};

/// The columns of a tile.
class RightOperand {
public:
  /// Elements of scratch memory for the copy of a panel.
  static int64_t scratchElements(const ContractionPlan &plan);

  /// `scratch` has room for a panel.
  RightOperand(const ContractionPlan &plan, const ContractionTile &tile,
               mlir::Value scratch);

  /// Makes the copies for all bands of the tile, if there are several.
  void copy() const;
  /// The panel from `column` of the tile on: packed ahead, the operand itself
  /// where that is one panel, or copied now.
  Panel panel(mlir::Value column, const KBlock &block) const;
  /// The first element of the next panel of the slice for which the full
  /// register tile at (row of the tile, column of the panel) asks; null for
  /// none.
  mlir::Value sliceOf(const Panel &panel, mlir::Value row,
                      mlir::Value column) const;
  /// Says how the rows of the panels of a block follow each other.
  void setRows(KExtent &k) const;
  /// Asks for the part of a slice that belongs to the round from step `k` on.
  void prefetch(const Panel &panel, mlir::Value slice, mlir::Value k) const;

private:
  /// Returns true if the operand has the layout of a panel.
  static bool isPanel(const ContractionPlan &plan);
  bool isTransposed(unsigned reducedDimension) const;
  bool canAsk() const;
  Matrix sourceOf(mlir::Value column, mlir::Value begin) const;
  Matrix packedPanel(mlir::Value column, mlir::Value row) const;
  Matrix bandPanel(mlir::Value column, mlir::Value begin) const;
  Matrix copyPanel(mlir::Value column, const KBlock &block) const;
  void copyColumns(mlir::Value column, mlir::Value begin, mlir::Value size,
                   const Matrix &target) const;
  void copyWindows(mlir::Value column, const KBlock &block) const;
  void copyRange(const KBlock &block, const PanelSource &source,
                 mlir::Value target, unsigned number) const;
  mlir::Value strideOf(unsigned dimension) const;
  KRange walk(unsigned number) const;
  mlir::Value firstOf(const KBlock &block) const;
  mlir::Value lowestOf(const KBlock &block) const;
  mlir::Value nextOf(const KBlock &block) const;

  const ContractionPlan &plan;
  const ContractionTile &tile;
  Elements memory;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_RIGHTOPERAND_H
