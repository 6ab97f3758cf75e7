//===- LeftOperand.h - rows of a contraction, copied or in place ----------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_LEFTOPERAND_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_LEFTOPERAND_H

#include "compiler/codegen/cpu/contraction/gemm/WindowLines.h"
#include "compiler/codegen/kernel/ElementEmitter.h"

namespace tg {

/// The way to read the rows of register tiles: of full ones unless stated
/// otherwise; others are read from the operand itself.
enum class LeftAccess {
  /// From the operand itself.
  inPlace,
  /// From copies of the rows, one after the other: rows that lie so that they
  /// would drive each other out of the caches, and meet several groups of
  /// columns.
  rows,
  /// From copies in panels of rows, step by step of the sum: a transposed
  /// operand has the rows side by side. All rows of a tile.
  panels,
  /// From rows that ops before the product compute, all rows of a tile.
  computed,
  /// From lines of a lhs that is read in windows, copied without borders.
  lines,
};

/// The rows of a tile.
class LeftOperand {
public:
  /// Returns the access that the plan asks for.
  static LeftAccess chooseAccess(const ContractionPlan &plan);
  /// Elements of scratch memory for each row of a tile, whose rows count in
  /// multiples of `rowUnit`, and for all of them together: a single row may
  /// have one K-block as long as the sum.
  static int64_t scratchElements(const ContractionPlan &plan);
  static mlir::AffineExpr commonScratchElements(const ContractionPlan &plan);
  static int64_t rowUnit(const ContractionPlan &plan);

  /// `scratch` has room for the rows of a tile.
  /// `lines` are those of windows, or null.
  LeftOperand(const ContractionPlan &plan, const ContractionTile &tile,
              mlir::Value scratch, const WindowLines *lines);

  /// Makes the copies, if any.
  void copy(const KBlock &block);
  /// The K of a block, as the rows walk through it.
  KExtent extentOf(const KBlock &block) const;
  /// The rows from `row` of the tile on: of a full register tile, or `count` of
  /// one of fewer rows.
  LeftRows rows(mlir::Value row, const KBlock &block) const;
  LeftRows remainingRows(mlir::Value row, unsigned count,
                         const KBlock &block) const;

  /// Asks for some of what the next K-block copies: what belongs to part `part`
  /// of `parts` of the full register tile at (row, column) of the tile.
  void prefetch(mlir::Value row, mlir::Value column, mlir::Value part,
                int64_t parts) const;

  /// Returns true if an op before the product gave no element.
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
  /// The prefetch of the next K-block's copy: `runs` of `size` elements,
  /// `distance` apart, of which a full register tile prefetches `share`;
  /// without a base if nothing is copied.
  struct {
    mlir::Value base, runs, size, distance, share;
  } next;
  ElementEmitter elements;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_LEFTOPERAND_H
