//===- Accumulators.h - partial results of reductions in registers --------===//
#ifndef TG_COMPILER_CODEGEN_CPU_REDUCTION_ACCUMULATORS_H
#define TG_COMPILER_CODEGEN_CPU_REDUCTION_ACCUMULATORS_H

#include "compiler/codegen/cpu/KernelFrame.h"

namespace tg {

/// The partial result of some reductions over a part of a reduced group: the
/// combined terms; the shift of each reduction, or nothing if no reduction uses
/// a shift; and the number of elements, an i64 that is only set together with
/// shifts. A shift is a number that is subtracted from all elements of the
/// part.
struct GroupPart {
  llvm::SmallVector<mlir::Value> terms, shifts = {};
  mlir::Value count = {};
};

/// Builds the arithmetic of some reductions that run side by side. Partial
/// results are lists with one entry, or `interleaved` entries, per term.
class Accumulators {
public:
  Accumulators(KernelFrame &frame,
               llvm::ArrayRef<ReductionOpInterface> reductions);

  /// Returns the reduction of each term.
  llvm::ArrayRef<ReductionOpInterface> getTerms() const { return terms; }
  /// Returns true if a reduction subtracts a shift from its elements.
  bool usesShifts() const;
  /// Returns the shifts of a part, one per reduction: the elements of the first
  /// iteration of [begin, end), or zeros if the range is empty. Returns nothing
  /// if no reduction uses a shift.
  llvm::SmallVector<mlir::Value>
  chooseShifts(mlir::Value begin, mlir::Value end, unsigned lanes,
               llvm::function_ref<llvm::SmallVector<mlir::Value>()> elements);
  /// Returns the terms of `elements`, which has one entry per reduction.
  llvm::SmallVector<mlir::Value> termsOf(mlir::ValueRange elements,
                                         mlir::ValueRange shifts);

  /// Build the state of a part whose elements arrive one by one and whose first
  /// elements are the shifts: the initial state, the state after the next
  /// elements, and the partial result at the end.
  llvm::SmallVector<mlir::Value> beginPart(unsigned lanes);
  llvm::SmallVector<mlir::Value> extendPart(mlir::ValueRange part,
                                            mlir::ValueRange elements);
  GroupPart endPart(mlir::ValueRange part);

  /// Build the merge of several parts through memory, with one entry per term.
  /// `buildStored` converts a part to the form in memory, `totalOf` converts
  /// this form to a total, `merge` merges two totals, and `resultsOf` builds
  /// the results of all reductions from the last total.
  llvm::SmallVector<mlir::Value> buildStored(const GroupPart &part);
  llvm::SmallVector<mlir::Value> totalOf(mlir::ValueRange stored,
                                         mlir::Value count);
  llvm::SmallVector<mlir::Value> merge(mlir::ValueRange a, mlir::Value aCount,
                                       mlir::ValueRange b, mlir::Value bCount);
  llvm::SmallVector<mlir::Value> resultsOf(mlir::ValueRange total,
                                           mlir::Value count);

  /// Returns `interleaved` lists of neutral elements, one per term, as vectors
  /// of `lanes`.
  llvm::SmallVector<mlir::Value> neutral(unsigned lanes,
                                         unsigned interleaved = 1);
  /// Combines two lists entry by entry.
  llvm::SmallVector<mlir::Value> combine(mlir::ValueRange a,
                                         mlir::ValueRange b);
  /// Folds interleaved accumulators into one, neighbours first.
  llvm::SmallVector<mlir::Value> foldInterleaved(mlir::ValueRange interleaved);
  /// Reduces the lanes of each entry to a scalar: combines the lower and upper
  /// half of the vector repeatedly.
  llvm::SmallVector<mlir::Value> foldLanes(mlir::ValueRange vectors);
  /// Returns `values` in the lanes where `mask` is set, neutral elements
  /// elsewhere.
  llvm::SmallVector<mlir::Value> blend(mlir::Value mask,
                                       mlir::ValueRange values);

  /// Emits the iterations of [begin, end), a multiple of `step`, and returns
  /// `totals` combined with their terms. Uses `interleaved` accumulators per
  /// term and nested blocks of tuning::kBlockIterations iterations. `build`
  /// emits one iteration and returns `interleaved` lists of terms.
  using IterationBuilder =
      llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value index)>;
  llvm::SmallVector<mlir::Value> accumulate(mlir::Value begin, mlir::Value end,
                                            int64_t step, unsigned lanes,
                                            unsigned interleaved,
                                            mlir::ValueRange totals,
                                            IterationBuilder build);

private:
  llvm::SmallVector<mlir::Value>
  accumulateBlock(mlir::Value begin, mlir::Value end, int64_t step,
                  unsigned lanes, unsigned interleaved, IterationBuilder build);
  /// Adds the iterations of [begin, end) to `totals`, in blocks that are nested
  /// `level` deep. Each block has a total of its own.
  llvm::SmallVector<mlir::Value>
  accumulateLevel(mlir::Value begin, mlir::Value end, int64_t step,
                  unsigned lanes, unsigned interleaved, unsigned level,
                  mlir::ValueRange totals, IterationBuilder build);

  llvm::SmallVector<mlir::Value> zeroElements(unsigned lanes);
  template <typename Build>
  llvm::SmallVector<mlir::Value> forEachReduction(Build build);

  KernelFrame &frame;
  llvm::SmallVector<ReductionOpInterface> reductions, terms;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_REDUCTION_ACCUMULATORS_H
