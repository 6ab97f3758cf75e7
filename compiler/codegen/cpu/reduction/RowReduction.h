//===- RowReduction.h - reductions of one group after the other -----------===//
#ifndef TG_COMPILER_CODEGEN_CPU_REDUCTION_ROWREDUCTION_H
#define TG_COMPILER_CODEGEN_CPU_REDUCTION_ROWREDUCTION_H

#include "compiler/codegen/cpu/elementwise/Streaming.h"
#include "compiler/codegen/cpu/elementwise/TileGrid.h"
#include "compiler/codegen/cpu/reduction/ReductionParts.h"
#include "compiler/codegen/kernel/ReductionPlan.h"
#include <optional>

namespace tg {

/// Emits a kernel row by row. A row is a reduced group: some segments of
/// `columns` elements each, with vectors along the columns.
class RowReduction {
public:
  RowReduction(KernelFrame &frame, const ReductionPlan &plan);
  llvm::LogicalResult emit();

private:
  TileGrid grid(EntryExtents &entry);
  mlir::Value countParts(EntryExtents &entry);
  void makeParts();
  void findPart();
  void takeRowBuffers();
  void reduceTile(const TileGrid &tiles);
  void combineParts();
  void enterRow(mlir::Value row);
  void emitRow(mlir::Value row);
  llvm::SmallVector<mlir::Value> emitPhase(unsigned phase);
  void provideResults(mlir::ValueRange results);
  llvm::SmallVector<mlir::Value> passSegment(mlir::ValueRange totals);
  llvm::SmallVector<mlir::Value> passVectors(mlir::ValueRange totals);
  llvm::SmallVector<mlir::Value> passMasked(mlir::ValueRange totals);
  llvm::SmallVector<mlir::Value> step(mlir::Value column, unsigned width,
                                      unsigned copies);
  Position position(mlir::Value column, unsigned width) const;
  void prefetchNextRow(const Position &place);
  void storeReduced();
  unsigned chooseAccumulators() const;

  KernelFrame &frame;
  const ReductionPlan &plan;
  ElementEmitter elements;
  IterationSpace space;
  /// Groups of the space: kept ones, and reduced ones that make the segments
  /// and the columns.
  llvm::SmallVector<unsigned> kept, outerReduced, inner;
  unsigned lanes;
  Streaming streaming;
  std::optional<ReductionParts> parts;
  /// Elements along the columns.
  mlir::Value columns;
  /// The part of a row: its segments, columns, and where whole vectors end.
  mlir::Value part, segmentFirst, segmentLast, columnFirst, columnLast,
      vectorEnd, remainderMask;
  /// Values that later phases load again, and where they lie.
  llvm::DenseMap<mlir::Value, Elements> rowBuffers;

  /// What is being emitted.
  unsigned phase = 0;
  llvm::SmallVector<mlir::Value> keptIndex, segmentIndex;
  mlir::Value segmentBegin, offsetInRow;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_REDUCTION_ROWREDUCTION_H
