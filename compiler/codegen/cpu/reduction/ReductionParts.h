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

  /// `count` parts of `groups` groups; `bytes` and `most` as for
  /// KernelFrame::takeShared, but in results of one reduction.
  ReductionParts(KernelFrame &frame,
                 llvm::ArrayRef<ReductionOpInterface> reductions,
                 mlir::Value count, mlir::Value groups, mlir::AffineExpr needed,
                 mlir::AffineExpr most);

  /// Whether there may be more than one part.
  bool isShared() const { return constantNumber(count) != 1; }
  mlir::Value getCount() const { return count; }

  /// Emits what the tiles do and, if there may be more than one part, what the
  /// combining stage does, which is the tile behind `tiles`.
  void emit(mlir::Value tiles, llvm::function_ref<void()> reduce,
            llvm::function_ref<void()> finish);

  /// Of the results of a part of the groups from `group` on: `finish` where it
  /// is the only one, else leaves them to the combining stage.
  void leave(mlir::Value part, mlir::Value group, mlir::ValueRange results,
             const Lanes &lanes, llvm::function_ref<void()> finish);
  /// The results of all parts of the groups from `group` on.
  llvm::SmallVector<mlir::Value> combine(mlir::Value group, const Lanes &lanes);

private:
  mlir::Value isWhole();
  mlir::Value offset(mlir::Value part, mlir::Value group);
  llvm::SmallVector<mlir::Value> load(mlir::Value part, mlir::Value group,
                                      const Lanes &lanes);

  KernelFrame &frame;
  llvm::ArrayRef<ReductionOpInterface> reductions;
  mlir::Value count, groups;
  /// The results of each reduction, group by group in each part.
  llvm::SmallVector<Elements> memory;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_REDUCTION_REDUCTIONPARTS_H
