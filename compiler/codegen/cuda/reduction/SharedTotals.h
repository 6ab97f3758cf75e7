//===- SharedTotals.h - totals that threads of a block merge --------------===//
#ifndef TG_COMPILER_CODEGEN_CUDA_REDUCTION_SHAREDTOTALS_H
#define TG_COMPILER_CODEGEN_CUDA_REDUCTION_SHAREDTOTALS_H

#include "compiler/codegen/cuda/ThreadFrame.h"
#include "compiler/codegen/kernel/sums/Accumulators.h"

namespace tg {

/// Merges totals that several threads of a block have computed. The threads of
/// a block have a slot and a place each. The slots divide the work on a sum;
/// the threads of a slot work on different sums, or lanes, at its places.
class SharedTotals {
public:
  /// `slot` is below `slots`, `place` is below `places`.
  SharedTotals(ThreadFrame &frame, mlir::Value slot, unsigned slots,
               mlir::Value place, unsigned places)
      : frame(frame), slot(slot), place(place), slots(slots), places(places) {}

  /// Merges the totals of the blocks of [begin, end), of `size` each, in order.
  /// Each slot computes a block at a time by `build`, whose range is empty
  /// beyond the end. If `merges` is not null, only threads for which it is true
  /// have the result. All threads of the block must be here.
  llvm::SmallVector<mlir::Value> merge(Accumulators &sums, mlir::Value begin,
                                       mlir::Value end, int64_t size,
                                       Accumulators::BlockBuilder build,
                                       mlir::Value merges = {});

  /// Returns the values of slot 0 at the place of each thread. All threads of
  /// the block must be here.
  llvm::SmallVector<mlir::Value> fromFirstSlot(mlir::ValueRange values);

private:
  llvm::SmallVector<Elements> arraysFor(mlir::ValueRange values);
  llvm::SmallVector<mlir::Value> load(llvm::ArrayRef<Elements> from,
                                      mlir::Value number);
  void store(llvm::ArrayRef<Elements> to, mlir::ValueRange values);
  mlir::Value offsetAt(mlir::Value number) const;

  ThreadFrame &frame;
  mlir::Value slot, place;
  unsigned slots, places;
  /// The arrays of all sums: one sum uses them after the other.
  llvm::SmallVector<Elements> arrays;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CUDA_REDUCTION_SHAREDTOTALS_H
