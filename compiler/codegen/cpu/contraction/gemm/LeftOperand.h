//===- LeftOperand.h - rows of a contraction, copied or in place ----------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_LEFTOPERAND_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_LEFTOPERAND_H

#include "compiler/codegen/cpu/contraction/gemm/WindowLines.h"
#include "compiler/codegen/kernel/ElementEmitter.h"

namespace tg {

/// The way in which full register tiles read their rows. Smaller register tiles
/// read the operand itself unless stated otherwise.
enum class LeftAccess {
  /// The operand itself.
  inPlace,
  /// Copies of the rows, one after the other. Chosen for rows that would evict
  /// each other from the caches and are read for several groups of columns.
  rows,
  /// Copies in panels of rows, K step by K step, for all rows of a tile. Chosen
  /// for a transposed operand, whose rows are contiguous.
  panels,
  /// Rows that ops before the product compute, for all rows of a tile.
  computed,
  /// Copied lines of a lhs that is read in windows, with zeros as padding.
  lines,
};

/// The rows of the lhs that a tile reads.
class LeftOperand {
public:
  /// Returns the access for a plan.
  static LeftAccess chooseAccess(const ContractionPlan &plan);
  /// Return the number of scratch elements for each row of a tile, the number
  /// of additional elements for all rows together, and the multiple that the
  /// number of rows is rounded up to. A single row may be computed in one
  /// K-block that covers the whole sum, so the additional elements have room
  /// for it.
  static int64_t scratchElements(const ContractionPlan &plan);
  static mlir::AffineExpr commonScratchElements(const ContractionPlan &plan);
  static int64_t rowUnit(const ContractionPlan &plan);

  /// `scratch` has room for the rows of a tile. `lines` is null for products of
  /// matrices.
  LeftOperand(const ContractionPlan &plan, const ContractionTile &tile,
              mlir::Value scratch, const WindowLines *lines);

  /// Emits the copies of a block, if any.
  void copy(const KBlock &block);
  /// Returns the K of a block with the strides of the lhs.
  KExtent extentOf(const KBlock &block) const;
  /// Return the rows from `row` of the tile on: of a full register tile, or of
  /// a smaller one of `count` rows.
  LeftRows rows(mlir::Value row, const KBlock &block) const;
  LeftRows remainingRows(mlir::Value row, unsigned count,
                         const KBlock &block) const;

  /// Prefetches elements that the next K-block copies. Each full register tile
  /// prefetches a share of them, in `parts` parts. This call prefetches part
  /// `part` of the share of the register tile at (row, column) of the tile.
  void prefetch(mlir::Value row, mlir::Value column, mlir::Value part,
                int64_t parts) const;

  /// Returns true if an op before the product has no element rule.
  bool hasFailed() const { return elements.hasFailed(); }

private:
  void copyRows(const KBlock &block) const;
  void copyPanels(const KBlock &block) const;
  void computeRows(const KBlock &block);
  void findNext(const KBlock &block);

  const ContractionPlan &plan;
  const ContractionTile &tile;
  const WindowLines *lines;
  LeftAccess access;
  /// The operand's matrix, and the copies.
  Matrix matrix;
  Elements copies;
  /// The elements that the next K-block copies: `runs` runs of `size`
  /// contiguous elements, `distance` apart. A full register tile prefetches
  /// `runsPerTile` runs. `base` is null if nothing is copied.
  struct {
    mlir::Value base, runs, size, distance, runsPerTile;
  } next;
  ElementEmitter elements;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_LEFTOPERAND_H
