//===- Accumulators.h - partial results of reductions in registers --------===//
#ifndef TG_COMPILER_CODEGEN_KERNEL_SUMS_ACCUMULATORS_H
#define TG_COMPILER_CODEGEN_KERNEL_SUMS_ACCUMULATORS_H

#include "compiler/codegen/kernel/KernelContext.h"

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
  Accumulators(KernelContext &context,
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

  /// Build the merge of several parts, with one entry per term. `buildStored`
  /// converts a part to the form in memory, `totalOf` converts this form to a
  /// total, and `resultsOf` builds the results of all reductions from the terms
  /// of the last total and the number of their elements.
  llvm::SmallVector<mlir::Value> buildStored(const GroupPart &part);
  llvm::SmallVector<mlir::Value> totalOf(mlir::ValueRange stored,
                                         mlir::Value count);
  llvm::SmallVector<mlir::Value> resultsOf(mlir::ValueRange total,
                                           mlir::Value count);

  /// Build totals, which are lists of terms. If a reduction uses a shift, the
  /// list ends with the number of elements, an i64. `emptyTotal` returns the
  /// total of no elements, and `mergeTotals` merges two totals; merging with
  /// the total of no elements changes no bit of the other one.
  llvm::SmallVector<mlir::Value> asTotal(const GroupPart &part);
  llvm::SmallVector<mlir::Value> emptyTotal(unsigned lanes);
  llvm::SmallVector<mlir::Value> mergeTotals(mlir::ValueRange a,
                                             mlir::ValueRange b);
  /// Returns the element types of the terms of a total.
  llvm::SmallVector<mlir::Type> totalTypes();

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

  /// Combines the terms of the iterations of [begin, end) one after the other,
  /// the first of them with a neutral element. `build` emits one iteration and
  /// returns its terms.
  using IterationBuilder =
      llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value index)>;
  llvm::SmallVector<mlir::Value> chain(mlir::Value begin, mlir::Value end,
                                       unsigned lanes, IterationBuilder build);

  /// Merges the totals of the blocks of [begin, end) in nested blocks. `sizes`
  /// are the sizes of the blocks, ascending, each a multiple of the one before.
  /// The totals of the blocks of one size that lie in a block of the next size
  /// are merged one after the other, and so are those of all blocks of the last
  /// size. `build` emits the total of a smallest block, or of the whole range
  /// if there are no sizes. The last block of each size may be shorter.
  using BlockBuilder = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      mlir::Value first, mlir::Value last)>;
  llvm::SmallVector<mlir::Value> nest(mlir::Value begin, mlir::Value end,
                                      llvm::ArrayRef<int64_t> sizes,
                                      unsigned lanes, BlockBuilder build);

private:
  llvm::SmallVector<mlir::Value> merge(mlir::ValueRange a, mlir::Value aCount,
                                       mlir::ValueRange b, mlir::Value bCount);
  llvm::SmallVector<mlir::Value> zeroElements(unsigned lanes);
  template <typename Build>
  llvm::SmallVector<mlir::Value> forEachReduction(Build build);

  KernelContext &context;
  llvm::SmallVector<ReductionOpInterface> reductions, terms;
};

/// Returns the sizes of nested blocks of `lengths`: the smallest block has
/// lengths[0] units, a block of the next kind lengths[1] smallest blocks, and
/// so on.
llvm::SmallVector<int64_t> blockSizes(int64_t unit,
                                      llvm::ArrayRef<int64_t> lengths);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_KERNEL_SUMS_ACCUMULATORS_H
