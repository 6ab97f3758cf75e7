//===- ReductionParts.h - long sums shared out to several tiles -----------===//
#ifndef TG_COMPILER_CODEGEN_CPU_REDUCTION_REDUCTIONPARTS_H
#define TG_COMPILER_CODEGEN_CPU_REDUCTION_REDUCTIONPARTS_H

#include "compiler/codegen/cpu/reduction/Accumulators.h"

namespace tg {

/// Cuts what each group reduces into parts, where too few groups would leave
/// workers idle. Tiles leave the results of their parts in memory that all
/// share; a combining stage behind them takes them in the order of the parts
/// and finishes the groups. How many parts there are follows from extents
/// alone.
class ReductionParts {
public:
  /// Parts of `elements` that one of `others` equal tiles reads.
  static mlir::Value chooseCount(IntegerOps ops, mlir::Value elements,
                                 mlir::Value others);

  /// A number of values: as for KernelFrame::takeShared.
  struct Size {
    mlir::AffineExpr needed, most;
  };
  /// `count` parts of `groups` groups; the size of the parts, and of what they
  /// keep of all groups.
  ReductionParts(KernelFrame &frame,
                 llvm::ArrayRef<ReductionOpInterface> reductions,
                 mlir::Value count, mlir::Value groups, Size parts,
                 Size results);

  /// Returns true if there may be more than one part.
  bool isShared() const { return constantNumber(count) != 1; }
  mlir::Value getCount() const { return count; }

  /// Emits what the tiles do and, if there may be more than one part, what the
  /// combining stage does, which is the tile behind `tiles`.
  void emit(mlir::Value tiles, llvm::function_ref<void()> reduce,
            llvm::function_ref<void()> finish);

  /// Receives the results of part `part` of the groups from `group` on: gives
  /// them to `finish` if it is the only part, else leaves its partial results
  /// to the combining stage.
  using Finish = llvm::function_ref<void(mlir::ValueRange results)>;
  void leave(mlir::Value part, mlir::Value group, const GroupPart &own,
             const Lanes &lanes, Finish finish);
  /// The results of all parts of the groups from `group` on.
  llvm::SmallVector<mlir::Value> combine(mlir::Value group, const Lanes &lanes);

private:
  mlir::Value isWhole();
  mlir::Value offset(mlir::Value part, mlir::Value group);
  void finishAlone(const GroupPart &own, Finish finish);
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
  /// The partial results of each term, group by group in each part.
  llvm::SmallVector<Elements> memory;
  /// The elements of each part, i64; null where no reduction uses pivots.
  Elements counts;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_REDUCTION_REDUCTIONPARTS_H
