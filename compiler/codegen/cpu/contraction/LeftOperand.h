//===- LeftOperand.h - rows of a contraction, copied or in place ----------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_LEFTOPERAND_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_LEFTOPERAND_H

#include "compiler/codegen/cpu/contraction/ContractionTile.h"
#include "compiler/codegen/cpu/contraction/RegisterTile.h"

namespace tg {

/// How the rows of full register tiles are read.
enum class LeftAccess {
  /// From the operand itself: they meet one group of columns, once.
  inPlace,
  /// From copies of the rows, one after the other.
  rows,
  /// From copies in panels of rows, step by step of the sum: a transposed
  /// operand has the rows side by side.
  panels,
};

/// The rows of a tile.
class LeftOperand {
public:
  /// What the plan asks for.
  static LeftAccess chooseAccess(const ContractionPlan &plan);
  /// Elements of scratch memory for each row of a tile, whose rows count in
  /// multiples of `rowUnit`.
  static int64_t scratchElements(const ContractionPlan &plan);
  static int64_t rowUnit(const ContractionPlan &plan);

  /// `scratch` has room for the rows of a tile.
  LeftOperand(const ContractionPlan &plan, const ContractionTile &tile,
              mlir::Value scratch);

  /// Makes the copies, if any, of the rows of full register tiles.
  void copy(const KBlock &block) const;
  /// The rows from `row` of the tile on: of a full register tile, or of one of
  /// fewer rows, which are not copied.
  Matrix rows(mlir::Value row, const KBlock &block) const;
  Matrix remainingRows(mlir::Value row, const KBlock &block) const;

private:
  void copyRows(const KBlock &block) const;
  void copyPanels(const KBlock &block) const;

  const ContractionPlan &plan;
  const ContractionTile &tile;
  LeftAccess access;
  /// The operand's matrix, and the copies.
  Matrix matrix;
  Elements copies;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_LEFTOPERAND_H
