//===- RowPass.h - one phase of a row reduction ---------------------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_REDUCTION_ROWPASS_H
#define TG_COMPILER_CODEGEN_CPU_REDUCTION_ROWPASS_H

#include "compiler/codegen/cpu/elementwise/NonTemporalStores.h"
#include "compiler/codegen/cpu/reduction/Accumulators.h"
#include "compiler/codegen/kernel/ReductionPlan.h"

namespace tg {

/// The state that all phases of a row reduction share. A row is a reduced
/// group. It consists of segments of `columns` elements; vectors run along the
/// columns.
struct RowState {
  RowState(KernelFrame &frame, const ReductionPlan &plan);

  /// Returns the position of the current row and segment at a column.
  Position position(mlir::Value column, unsigned width) const;
  /// Returns the number of elements of a row.
  mlir::AffineExpr rowExtent() const {
    return space.getProduct(outerReduced) * space.getProduct(inner);
  }

  KernelFrame &frame;
  const ReductionPlan &plan;
  ElementEmitter elements;
  IterationSpace space;
  /// The groups of the space: parallel (not reduced) groups, reduced groups
  /// that form the segments, and the reduced group that forms the columns.
  llvm::SmallVector<unsigned> parallel, outerReduced, inner;
  unsigned lanes;
  NonTemporalStores nonTemporal;
  /// The number of columns.
  mlir::Value columns;
  /// The part of its rows that a tile reduces: the range of segments, the range
  /// of columns, the end of the whole vectors, and the mask of the remainder.
  mlir::Value segmentBegin, segmentEnd, columnBegin, columnEnd, vectorEnd,
      remainderMask;
  /// Buffers of the values that later phases load instead of recomputing them.
  llvm::DenseMap<mlir::Value, Elements> rowBuffers;

  /// The indices at which code is emitted now. Offsets are from the beginning
  /// of the row.
  llvm::SmallVector<mlir::Value> parallelIndex, segmentIndex;
  mlir::Value segmentOffset, offsetInRow;
};

/// One phase: a pass over a row, or over a part of a row.
class RowPass {
public:
  RowPass(RowState &row, unsigned phase)
      : row(row), frame(row.frame), phase(phase),
        sums(row.frame, row.plan.getReductions(phase)) {}

  /// Emits the pass and returns the results of its reductions.
  llvm::SmallVector<mlir::Value> emit();
  /// Provides `results` and the values that the pass has saved to the code that
  /// is emitted afterwards.
  void provide(mlir::ValueRange results);

private:
  void prefetchNextRow(const Position &position);
  llvm::SmallVector<mlir::Value> step(mlir::Value column, unsigned width,
                                      unsigned copies);
  unsigned chooseAccumulators() const;
  llvm::SmallVector<mlir::Value> emitVectors(mlir::ValueRange totals);
  llvm::SmallVector<mlir::Value> emitMasked(mlir::ValueRange totals);
  llvm::SmallVector<mlir::Value> emitSegment(mlir::ValueRange totals);
  llvm::SmallVector<mlir::Value> neutralTotals();
  llvm::SmallVector<mlir::Value> emitSegments(mlir::Value first,
                                              mlir::Value last, unsigned level,
                                              mlir::ValueRange totals);

  RowState &row;
  KernelFrame &frame;
  unsigned phase;
  Accumulators sums;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_REDUCTION_ROWPASS_H
