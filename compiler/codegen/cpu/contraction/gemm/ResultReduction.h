//===- ResultReduction.h - sums over the rows of a product ----------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_RESULTREDUCTION_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_RESULTREDUCTION_H

#include "compiler/codegen/cpu/contraction/gemm/ContractionSpace.h"
#include "compiler/codegen/cpu/elementwise/Streaming.h"
#include "compiler/codegen/cpu/reduction/ReductionParts.h"
#include "compiler/codegen/kernel/ReductionPlan.h"

namespace tg {

/// Reductions of what follows from a product; none without.
std::optional<ReductionPlan> planReductions(KernelFrame &frame);

/// The numbers of the outputs that have the extents of the result.
llvm::SmallVector<unsigned>
fullOutputsOf(KernelFrame &frame,
              const std::optional<ReductionPlan> &reductions);

/// Computes elements of the outputs with these numbers, each at the position
/// that `placeOf` gives, and stores them. All values stand before the stores:
/// an output may be an argument's memory. Whole vectors stream where
/// `streaming`, null for small outputs, says so.
void storeOutputs(ElementEmitter &elements, llvm::ArrayRef<unsigned> numbers,
                  unsigned lanes,
                  llvm::function_ref<Position(mlir::Value output)> placeOf,
                  const Streaming *streaming = nullptr);

/// Reductions over all rows of what follows from a product, one value for each
/// column: the gradient of a bias, the statistics of a batch. Parts of the rows
/// are reduced while their elements are computed, and left in memory that tiles
/// share; a combining stage takes the parts in their order and computes the
/// outputs that follow from the reductions. Which rows are a part follows from
/// extents alone.
class ResultReduction {
public:
  /// The reduced rows: `parts` of the rows of `space`. All outlive this.
  struct Rows {
    KernelFrame &frame;
    const ReductionPlan &plan;
    const ContractionSpace &space;
    mlir::AffineExpr parts;
  };

  /// Takes the shared memory.
  explicit ResultReduction(const Rows &rows);

  llvm::ArrayRef<ReductionOpInterface> getReductions() const {
    return reductions;
  }
  /// Arithmetic of partial sums.
  Accumulators getSums() const { return Accumulators(rows.frame, reductions); }
  /// Lanes of the sums: one for a single column, which has no lanes to tell
  /// apart.
  unsigned getLanes() const;

  /// Emits what so many tiles do and what the combining stage does.
  void emit(ElementEmitter &elements, mlir::Value tileCount,
            llvm::function_ref<void()> tiles);

  /// Returns the operands of the reductions at a position.
  llvm::SmallVector<mlir::Value> operandsAt(ElementEmitter &elements,
                                            const Position &position,
                                            unsigned lanes) const;
  /// Leaves the part with the number `part`, for the columns from `column` on.
  void leave(ElementEmitter &elements, mlir::Value part, mlir::Value column,
             unsigned lanes, const GroupPart &own);

private:
  void store(ElementEmitter &elements, mlir::Value column, unsigned lanes,
             mlir::ValueRange results);

  Rows rows;
  llvm::ArrayRef<ReductionOpInterface> reductions;
  ReductionParts parts;
};

/// Lanes of an emitter's vectors, the inactive ones of a remainder masked.
Lanes lanesOf(const ElementEmitter &elements, unsigned lanes);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_RESULTREDUCTION_H
