//===- ReductionParts.h - reductions that are split over several tiles ----===//
#ifndef TG_COMPILER_CODEGEN_CPU_REDUCTION_REDUCTIONPARTS_H
#define TG_COMPILER_CODEGEN_CPU_REDUCTION_REDUCTIONPARTS_H

#include "compiler/codegen/cpu/KernelFrame.h"
#include "compiler/codegen/kernel/sums/Accumulators.h"

namespace tg {

/// A split of each group's reduction into parts, for kernels with too few
/// groups to keep all workers busy. Tiles write the results of their parts to
/// the partials buffer. A finalize step then merges them in the order of the
/// parts, in nested blocks, and finishes the groups. Each part is a block of
/// the order of the sum, so that a split changes no bit.
class ReductionParts {
public:
  /// Returns the number of parts of a reduction: `units`, or 1 if that many
  /// tasks are not worthwhile. `elements` is the number of elements that one
  /// tile reads and `tiles` the number of tiles, both before the split.
  static mlir::Value chooseCount(IntegerOps ops, mlir::Value units,
                                 mlir::Value elements, mlir::Value tiles);

  /// The size of an array in elements, and an upper bound; see
  /// KernelFrame::takePartials.
  struct Size {
    mlir::AffineExpr needed, maximum;
  };
  /// The form of each part in the partials buffer: its total, or the values
  /// that the total is computed from, which are smaller.
  enum class Form { total, part };
  /// Splits each of `groups` groups into `count` parts. `parts` is the number
  /// of parts, and `results` the number of partial results of all parts and
  /// groups. `folds` are the sizes in parts of the nested blocks in which parts
  /// are merged, see Accumulators::nest.
  ReductionParts(KernelFrame &frame,
                 llvm::ArrayRef<ReductionOpInterface> reductions,
                 mlir::Value count, mlir::Value groups, Size parts,
                 Size results, llvm::ArrayRef<int64_t> folds, Form form);

  /// Returns true if there may be more than one part.
  bool isSplit() const { return constantNumber(count) != 1; }
  mlir::Value getCount() const { return count; }
  /// Returns the size of a part of `extent` elements: `unit`, or `extent` if
  /// there is only one part.
  mlir::Value sizeOf(mlir::Value extent, int64_t unit);

  /// Emits the code of the tiles by `reduce` and, if there may be more than one
  /// part, the finalize step by `finish`. The finalize step is the tile with
  /// index `tiles`.
  void emit(mlir::Value tiles, llvm::function_ref<void()> reduce,
            llvm::function_ref<void()> finish);

  /// Ends part `part` for the groups that start at `group`, one per lane. If it
  /// is the only part, calls `finish` with the results of the reductions.
  /// Otherwise stores it in the partials buffer, in the form of the buffer.
  using Finish = llvm::function_ref<void(mlir::ValueRange results)>;
  void finishTotal(mlir::Value part, mlir::Value group, mlir::ValueRange total,
                   const Lanes &lanes, Finish finish);
  void finishPart(mlir::Value part, mlir::Value group, const GroupPart &partial,
                  const Lanes &lanes, Finish finish);
  /// Merges all parts of the groups that start at `group`, one per lane, and
  /// returns their results.
  llvm::SmallVector<mlir::Value> combine(mlir::Value group, const Lanes &lanes);

private:
  /// Returns an i1 that is true at run time if there is only one part.
  mlir::Value hasOnePart();
  mlir::Value offset(mlir::Value part, mlir::Value group);
  llvm::SmallVector<mlir::Type> storedTypes();
  void store(mlir::Value part, mlir::Value group, mlir::ValueRange values,
             mlir::Value elements, const Lanes &lanes);
  void finishOrStore(llvm::function_ref<void()> finishOnly,
                     llvm::function_ref<void()> storePart);
  llvm::SmallVector<mlir::Value> loadTotal(mlir::Value part, mlir::Value group,
                                           const Lanes &lanes);
  llvm::SmallVector<mlir::Value> resultsOf(mlir::ValueRange total);

  KernelFrame &frame;
  Accumulators sums;
  mlir::Value count, groups;
  llvm::SmallVector<int64_t> folds;
  Form form;
  /// The partials buffer: an array for each term, indexed by part and then by
  /// group.
  llvm::SmallVector<Elements> memory;
  /// The number of elements of each part, i64. Null if no reduction uses a
  /// shift.
  Elements counts;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_REDUCTION_REDUCTIONPARTS_H
