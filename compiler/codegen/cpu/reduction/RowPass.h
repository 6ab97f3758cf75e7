//===- RowPass.h - one phase of a row reduction ---------------------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_REDUCTION_ROWPASS_H
#define TG_COMPILER_CODEGEN_CPU_REDUCTION_ROWPASS_H

#include "compiler/codegen/cpu/elementwise/Streaming.h"
#include "compiler/codegen/cpu/reduction/Accumulators.h"
#include "compiler/codegen/kernel/ReductionPlan.h"

namespace tg {

/// The state that all phases of a row reduction share. A row is a reduced
/// group: some segments of `columns` elements each, with vectors along the
/// columns.
struct RowState {
  RowState(KernelFrame &frame, const ReductionPlan &plan);

  /// The place of the current row at a column of the current segment.
  Position position(mlir::Value column, unsigned width) const;
  /// Elements of a row.
  mlir::AffineExpr rowExtent() const {
    return space.getProduct(outerReduced) * space.getProduct(inner);
  }

  KernelFrame &frame;
  const ReductionPlan &plan;
  ElementEmitter elements;
  IterationSpace space;
  /// Groups of the space: kept ones, and reduced ones that make the segments
  /// and the columns.
  llvm::SmallVector<unsigned> kept, outerReduced, inner;
  unsigned lanes;
  Streaming streaming;
  /// Elements along the columns.
  mlir::Value columns;
  /// The part of its rows that a tile reduces: segments, columns, the end of
  /// whole vectors, and the active lanes of the one behind.
  mlir::Value segmentFirst, segmentLast, columnFirst, columnLast, vectorEnd,
      remainderMask;
  /// Values that later phases load again, and where they lie.
  llvm::DenseMap<mlir::Value, Elements> rowBuffers;

  /// The present indices of the emitter.
  llvm::SmallVector<mlir::Value> keptIndex, segmentIndex;
  mlir::Value segmentBegin, offsetInRow;
};

/// One phase: a pass over a row, or over a part of it.
class RowPass {
public:
  RowPass(RowState &row, unsigned phase)
      : row(row), frame(row.frame), phase(phase),
        sums(row.frame, row.plan.getReductions(phase)) {}

  /// Emits the pass; the results of its reductions.
  llvm::SmallVector<mlir::Value> emit();
  /// Gives these results, and what the pass has kept, to what comes after it.
  void provide(mlir::ValueRange results);

private:
  void prefetchNextRow(const Position &place);
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
