//===- Accumulators.h - partial results of reductions in registers --------===//
#ifndef TG_COMPILER_CODEGEN_CPU_REDUCTION_ACCUMULATORS_H
#define TG_COMPILER_CODEGEN_CPU_REDUCTION_ACCUMULATORS_H

#include "compiler/codegen/cpu/KernelFrame.h"

namespace tg {

/// Builds the arithmetic of some reductions that run side by side. Partial
/// results are lists with one entry per reduction, or `interleaved` of them.
class Accumulators {
public:
  Accumulators(KernelFrame &frame,
               llvm::ArrayRef<ReductionOpInterface> reductions)
      : frame(frame), reductions(reductions) {}

  /// Neutral elements, `interleaved` for each reduction, as vectors of `lanes`.
  llvm::SmallVector<mlir::Value> neutral(unsigned lanes,
                                         unsigned interleaved = 1);
  /// Entry by entry.
  llvm::SmallVector<mlir::Value> combine(mlir::ValueRange a,
                                         mlir::ValueRange b);
  /// One accumulator out of several, neighbours first.
  llvm::SmallVector<mlir::Value> foldInterleaved(mlir::ValueRange interleaved);
  /// The lanes of each entry: halves first.
  llvm::SmallVector<mlir::Value> foldLanes(mlir::ValueRange vectors);
  /// `values` where `mask`, neutral elsewhere.
  llvm::SmallVector<mlir::Value> blend(mlir::Value mask,
                                       mlir::ValueRange values);

  /// Adds the rounds of [begin, end), a multiple of `step`, to `totals`:
  /// `interleaved` accumulators each, in blocks of blocks of rounds
  /// (tuning::kBlockRounds).
  /// `round` gives the elements of one round, `interleaved` for each reduction.
  using Round =
      llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value index)>;
  llvm::SmallVector<mlir::Value>
  accumulate(mlir::Value begin, mlir::Value end, int64_t step, unsigned lanes,
             unsigned interleaved, mlir::ValueRange totals, Round round);

private:
  llvm::SmallVector<mlir::Value>
  accumulateBlock(mlir::Value begin, mlir::Value end, int64_t step,
                  unsigned lanes, unsigned interleaved, Round round);
  /// The same in blocks of so many levels, each added up by itself.
  llvm::SmallVector<mlir::Value>
  accumulateLevel(mlir::Value begin, mlir::Value end, int64_t step,
                  unsigned lanes, unsigned interleaved, unsigned level,
                  mlir::ValueRange totals, Round round);

  KernelFrame &frame;
  llvm::ArrayRef<ReductionOpInterface> reductions;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_REDUCTION_ACCUMULATORS_H
