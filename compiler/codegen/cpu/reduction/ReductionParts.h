//===- ReductionParts.h - reductions that are split over several tiles ----===//
#ifndef TG_COMPILER_CODEGEN_CPU_REDUCTION_REDUCTIONPARTS_H
#define TG_COMPILER_CODEGEN_CPU_REDUCTION_REDUCTIONPARTS_H

#include "compiler/codegen/cpu/reduction/Accumulators.h"

namespace tg {

/// A split of each group's reduction into parts, for kernels with too few
/// groups to keep all workers busy. Tiles write the results of their parts to
/// the partials buffer. A finalize step then merges them in the order of the
/// parts and finishes the groups. The number of parts depends on extents alone.
class ReductionParts {
public:
  /// Returns the number of parts of a reduction, given the number of elements
  /// that one tile reads and the number of tiles, both before the split.
  static mlir::Value chooseCount(IntegerOps ops, mlir::Value elements,
                                 mlir::Value tiles);

  /// The size of an array in elements, and an upper bound; see
  /// KernelFrame::takePartials.
  struct Size {
    mlir::AffineExpr needed, maximum;
  };
  /// Splits each of `groups` groups into `count` parts. `parts` is the number
  /// of parts, and `results` the number of partial results of all parts and
  /// groups.
  ReductionParts(KernelFrame &frame,
                 llvm::ArrayRef<ReductionOpInterface> reductions,
                 mlir::Value count, mlir::Value groups, Size parts,
                 Size results);

  /// Returns true if there may be more than one part.
  bool isSplit() const { return constantNumber(count) != 1; }
  mlir::Value getCount() const { return count; }

  /// Emits the code of the tiles by `reduce` and, if there may be more than one
  /// part, the finalize step by `finish`. The finalize step is the tile with
  /// index `tiles`.
  void emit(mlir::Value tiles, llvm::function_ref<void()> reduce,
            llvm::function_ref<void()> finish);

  /// Ends part `part` for the groups that start at `group`, one per lane. If it
  /// is the only part, calls `finish` with the results of the reductions.
  /// Otherwise stores its partial results `partial` in the partials buffer.
  using Finish = llvm::function_ref<void(mlir::ValueRange results)>;
  void finishPart(mlir::Value part, mlir::Value group, const GroupPart &partial,
                  const Lanes &lanes, Finish finish);
  /// Merges all parts of the groups that start at `group`, one per lane, and
  /// returns their results.
  llvm::SmallVector<mlir::Value> combine(mlir::Value group, const Lanes &lanes);

private:
  /// Returns an i1 that is true at run time if there is only one part.
  mlir::Value hasOnePart();
  mlir::Value offset(mlir::Value part, mlir::Value group);
  void finishOnlyPart(const GroupPart &partial, Finish finish);
  mlir::Value loadCount(mlir::Value part);
  llvm::SmallVector<mlir::Value> combineRange(mlir::Value first,
                                              mlir::Value last,
                                              mlir::Value group,
                                              const Lanes &lanes);
  llvm::SmallVector<mlir::Value> loadTotal(mlir::Value part, mlir::Value group,
                                           mlir::Value elements,
                                           const Lanes &lanes);

  KernelFrame &frame;
  Accumulators sums;
  mlir::Value count, groups;
  /// The partials buffer: an array for each term, indexed by part and then by
  /// group.
  llvm::SmallVector<Elements> memory;
  /// The number of elements of each part, i64. Null if no reduction uses a
  /// shift.
  Elements counts;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_REDUCTION_REDUCTIONPARTS_H
