//===- ResultReduction.h - sums over the rows of a product ----------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_RESULTREDUCTION_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_RESULTREDUCTION_H

#include "compiler/codegen/cpu/contraction/ContractionTile.h"
#include "compiler/codegen/cpu/reduction/ReductionParts.h"

namespace tg {

/// Computes elements of the outputs with these numbers, each at the position
/// that `placeOf` gives, and stores them. All values stand before the stores:
/// an output may be an argument's memory.
void storeOutputs(ElementEmitter &elements, llvm::ArrayRef<unsigned> numbers,
                  unsigned lanes,
                  llvm::function_ref<Position(mlir::Value output)> placeOf);

/// Reductions over all rows of what follows from a product, one value for each
/// column: the gradient of a bias, the statistics of a batch. Each part of
/// `rowUnit` rows is reduced while its elements are computed, and left in
/// memory that tiles share; a combining stage takes the parts in their order
/// and computes the outputs that follow from the reductions.
class ResultReduction {
public:
  /// Takes the shared memory. `plan` has reductions.
  ResultReduction(const ContractionPlan &plan, const ContractionTile &tile);

  /// Lanes of the sums: one for a single column, which has no lanes to tell
  /// apart.
  unsigned getLanes() const;

  /// Emits what tiles do and what the combining stage does.
  void emit(ElementEmitter &elements, llvm::function_ref<void()> tiles);

  /// Reduces a part, which begins at a row of the result, for the columns from
  /// `column` on. `visit` is called for each of its rows with code that
  /// computes more of the elements there.
  void
  reducePart(ElementEmitter &elements, mlir::Value firstRow, mlir::Value endRow,
             mlir::Value column, unsigned lanes,
             llvm::function_ref<void(mlir::Value row, const Position &position)>
                 visit);

private:
  void store(ElementEmitter &elements, mlir::Value column, unsigned lanes,
             mlir::ValueRange totals);

  const ContractionPlan &plan;
  const ContractionTile &tile;
  llvm::ArrayRef<ReductionOpInterface> reductions;
  ReductionParts parts;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_RESULTREDUCTION_H
