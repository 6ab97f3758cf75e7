//===- Accumulators.h - partial results of reductions in registers --------===//
#ifndef TG_COMPILER_CODEGEN_CPU_REDUCTION_ACCUMULATORS_H
#define TG_COMPILER_CODEGEN_CPU_REDUCTION_ACCUMULATORS_H

#include "compiler/codegen/cpu/KernelFrame.h"

namespace tg {

/// The result of some reductions of a part of a group: combined terms; the
/// pivot of each reduction, or nothing if none uses one; the number of
/// elements, an i64, which counts only beside pivots.
struct GroupPart {
  llvm::SmallVector<mlir::Value> terms, pivots = {};
  mlir::Value count = {};
};

/// Builds the arithmetic of some reductions that run side by side. Partial
/// results are lists with one entry per term, or `interleaved` of them.
class Accumulators {
public:
  Accumulators(KernelFrame &frame,
               llvm::ArrayRef<ReductionOpInterface> reductions);

  /// The terms of all reductions, each by the reduction that it belongs to.
  llvm::ArrayRef<ReductionOpInterface> getTerms() const { return terms; }
  bool usePivots() const;
  /// The elements of the first of [begin, end), one per reduction, which are
  /// pivots: zeros where there is none; nothing where no reduction uses them.
  llvm::SmallVector<mlir::Value>
  choosePivots(mlir::Value begin, mlir::Value end, unsigned lanes,
               llvm::function_ref<llvm::SmallVector<mlir::Value>()> elements);
  /// The terms of elements, one per reduction.
  llvm::SmallVector<mlir::Value> termsOf(mlir::ValueRange elements,
                                         mlir::ValueRange pivots);

  /// A part whose elements come one by one, the first of which are the pivots:
  /// what it begins with, what it is with the next elements, and what it is in
  /// the end.
  llvm::SmallVector<mlir::Value> beginPart(unsigned lanes);
  llvm::SmallVector<mlir::Value> extendPart(mlir::ValueRange part,
                                            mlir::ValueRange elements);
  GroupPart endPart(mlir::ValueRange part);

  /// Converts between a part and its partial results in memory, one entry per
  /// term: keeps a part; reads one as the start of a merge; merges two; gives
  /// the results of all reductions.
  llvm::SmallVector<mlir::Value> keep(const GroupPart &part);
  llvm::SmallVector<mlir::Value> totalOf(mlir::ValueRange kept,
                                         mlir::Value count);
  llvm::SmallVector<mlir::Value> merge(mlir::ValueRange a, mlir::Value aCount,
                                       mlir::ValueRange b, mlir::Value bCount);
  llvm::SmallVector<mlir::Value> resultsOf(mlir::ValueRange total,
                                           mlir::Value count);

  /// Neutral elements, `interleaved` for each term, as vectors of `lanes`.
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
  /// `round` gives the terms of one round, `interleaved` of each.
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

  llvm::SmallVector<mlir::Value> zeroElements(unsigned lanes);
  template <typename Build>
  llvm::SmallVector<mlir::Value> forEachReduction(Build build);

  KernelFrame &frame;
  llvm::SmallVector<ReductionOpInterface> reductions, terms;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_REDUCTION_ACCUMULATORS_H
