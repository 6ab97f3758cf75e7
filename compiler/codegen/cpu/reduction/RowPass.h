//===- RowPass.h - one phase of a row reduction ---------------------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_REDUCTION_ROWPASS_H
#define TG_COMPILER_CODEGEN_CPU_REDUCTION_ROWPASS_H

#include "compiler/codegen/cpu/elementwise/NonTemporalStores.h"
#include "compiler/codegen/kernel/sums/LineTiles.h"

namespace tg {

/// The state that all phases of a row reduction share. A row is a reduced
/// group. It consists of lines, whose elements follow each other in memory. The
/// vectors of a line have the lanes that the order of the sums states, whatever
/// the registers of the target hold.
struct RowState {
  RowState(KernelFrame &frame, const ReductionPlan &plan);

  /// Returns the position of elements of the current row and line.
  Position position(llvm::ArrayRef<mlir::Value> lineIndex,
                    unsigned width) const;
  /// Returns the number of elements of a line, and of a row.
  mlir::AffineExpr lineExtent() const { return space.getProduct(line); }
  mlir::AffineExpr rowExtent() const {
    return space.getProduct(outer) * lineExtent();
  }
  /// Returns true if the dimensions of a line share no loop, because an operand
  /// is broadcast along some of them.
  bool isDivided() const { return line.size() > 1; }

  KernelFrame &frame;
  const ReductionPlan &plan;
  ElementEmitter elements;
  IterationSpace space;
  /// The groups of the space: parallel (not reduced) groups, reduced groups
  /// that count lines, and the reduced groups that form a line.
  llvm::SmallVector<unsigned> parallel, outer, line;
  /// The order of the sums, its number of lanes, and the sizes in elements of
  /// the blocks of a line: of the smallest blocks, which fill accumulators; and
  /// of the blocks that become one number, and of blocks of numbers.
  OrderAttr order;
  unsigned lanes;
  llvm::SmallVector<int64_t> vectorBlocks, numberBlocks;
  LineTiles lineTiles;
  NonTemporalStores nonTemporal;
  /// The part of its rows that a tile reduces: a range of steps, which are
  /// lines or tiles of lines, and a range of the elements of each line.
  mlir::Value stepBegin, stepEnd, elementBegin, elementEnd;
  /// The mask of the last vector of a line if the number of its active lanes is
  /// known.
  mlir::Value lastMask;
  /// Buffers of the values that later phases load instead of recomputing them,
  /// and of operands of the reductions of a divided line, one for each
  /// reduction of a phase.
  llvm::DenseMap<mlir::Value, Elements> rowBuffers;
  llvm::SmallVector<mlir::Value> lineBuffers;

  /// The indices at which code is emitted now. Offsets are from the beginning
  /// of the row.
  llvm::SmallVector<mlir::Value> parallelIndex, outerIndex;
  mlir::Value lineOffset, offsetInRow;
};

/// One phase: a pass over a row, or over a part of a row.
class RowPass {
public:
  RowPass(RowState &row, unsigned phase)
      : row(row), frame(row.frame), phase(phase),
        reductions(row.plan.getReductions(phase)), sums(row.frame, reductions),
        copies(chooseCopies()) {}

  /// Emits the pass and returns the results of its reductions.
  llvm::SmallVector<mlir::Value> emit();
  /// Provides `results` and the values that the pass has saved to the code that
  /// is emitted afterwards.
  void provide(mlir::ValueRange results);

  /// Returns the number of elements of a divided line whose operands are kept
  /// in memory at once.
  static int64_t bufferedElements(const RowState &row);

private:
  /// The vectors of a line from `begin` on, a multiple of the elements of a
  /// step. The operands of a divided line are in memory from `buffered` on.
  struct Range {
    mlir::Value begin, end, buffered;
  };

  unsigned chooseCopies() const;
  int64_t stepElements() const { return int64_t(row.lanes) * copies; }
  std::optional<int64_t> countRest() const;
  unsigned countAtOnce() const;
  void prefetchNextRow(const Position &position);
  llvm::SmallVector<mlir::Value> emitElements(const Position &position,
                                              unsigned width);
  llvm::SmallVector<mlir::Value> emitVector(const Range &range,
                                            mlir::Value column);
  llvm::SmallVector<mlir::Value>
  emitMasked(const Range &range, mlir::Value column, mlir::Value mask);
  llvm::SmallVector<mlir::Value> emitSteps(const Range &range,
                                           mlir::ValueRange accumulators);
  llvm::SmallVector<mlir::Value> emitKnownRest(const Range &range,
                                               int64_t count,
                                               mlir::ValueRange accumulators);
  llvm::SmallVector<mlir::Value> emitAnyRest(const Range &range,
                                             mlir::ValueRange accumulators);
  llvm::SmallVector<mlir::Value> emitRest(const Range &range,
                                          mlir::ValueRange accumulators);
  llvm::SmallVector<mlir::Value> emitBlock(mlir::Value begin, mlir::Value end);
  void emitDivided(mlir::Value begin, mlir::Value end, bool buffers);
  llvm::SmallVector<mlir::Value> emitLine();
  void enterLine(mlir::Value line);
  void emitStores();

  RowState &row;
  KernelFrame &frame;
  unsigned phase;
  llvm::ArrayRef<ReductionOpInterface> reductions;
  Accumulators sums;
  /// The number of vectors of a step.
  unsigned copies;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_REDUCTION_ROWPASS_H
