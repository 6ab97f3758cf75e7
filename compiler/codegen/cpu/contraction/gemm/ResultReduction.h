//===- ResultReduction.h - reductions over the rows of a product ----------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_RESULTREDUCTION_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_RESULTREDUCTION_H

#include "compiler/codegen/cpu/contraction/gemm/ContractionSpace.h"
#include "compiler/codegen/cpu/elementwise/NonTemporalStores.h"
#include "compiler/codegen/cpu/reduction/ReductionParts.h"
#include "compiler/codegen/kernel/ReductionPlan.h"

namespace tg {

/// Returns the plan of the kernel's reductions, or none if it has no
/// reductions.
std::optional<ReductionPlan> planReductions(KernelFrame &frame);

/// Returns the indices of the outputs that have the extents of the product.
llvm::SmallVector<unsigned>
fullOutputsOf(KernelFrame &frame,
              const std::optional<ReductionPlan> &reductions);

/// Computes an element, or a vector, of each output whose index is in
/// `indices`, at the position that `positionOf` returns, and stores these
/// elements. All values are computed before the first store, because an output
/// may share the memory of an argument. Whole vectors use non-temporal stores
/// if `nonTemporal` requests them for the output; `nonTemporal` is null for
/// small outputs.
void storeOutputs(ElementEmitter &elements, llvm::ArrayRef<unsigned> indices,
                  unsigned lanes,
                  llvm::function_ref<Position(mlir::Value output)> positionOf,
                  const NonTemporalStores *nonTemporal = nullptr);

/// Reductions over all rows of values that are computed from a product, with
/// one result per column: for example the gradient of a bias, or the statistics
/// of a batch. Parts of the rows are reduced while their elements are computed.
/// Tiles store the partial sums in a shared partials buffer; a finalize step
/// combines them in the nested blocks of the order of the sums, as if each part
/// were a smallest block, and computes the outputs that follow from the
/// reductions.
class ResultReduction {
public:
  /// The reduced rows: the rows of `space`, divided into `parts` parts. All
  /// members outlive the reduction.
  struct Rows {
    KernelFrame &frame;
    const ReductionPlan &plan;
    const ContractionSpace &space;
    mlir::AffineExpr parts;
  };

  /// Allocates the partials buffer.
  explicit ResultReduction(const Rows &rows);

  llvm::ArrayRef<ReductionOpInterface> getReductions() const {
    return reductions;
  }
  /// Returns the arithmetic of partial sums.
  Accumulators getSums() const { return Accumulators(rows.frame, reductions); }
  /// Returns the number of lanes of the sums: 1 for a single column, otherwise
  /// several vectors.
  unsigned getLanes() const;

  /// Emits the code of `tileCount` tiles and of the finalize step.
  void emit(ElementEmitter &elements, mlir::Value tileCount,
            llvm::function_ref<void()> tiles);

  /// Returns the operands of the reductions at a position.
  llvm::SmallVector<mlir::Value> operandsAt(ElementEmitter &elements,
                                            const Position &position,
                                            unsigned lanes) const;
  /// Stores the partial sums of part `part` for the columns from `column` on.
  void storePart(ElementEmitter &elements, mlir::Value part, mlir::Value column,
                 unsigned lanes, const GroupPart &partial);

private:
  void store(ElementEmitter &elements, mlir::Value column, unsigned lanes,
             mlir::ValueRange results);

  Rows rows;
  llvm::ArrayRef<ReductionOpInterface> reductions;
  ReductionParts parts;
};

/// Returns the lanes of an emitter's vectors, with the mask of a remainder.
Lanes lanesOf(const ElementEmitter &elements, unsigned lanes);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_RESULTREDUCTION_H
