//===- SplitKPlan.h - the division of a split-K product -------------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_SPLITKPLAN_H
#define TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_SPLITKPLAN_H

#include "compiler/codegen/cpu/KernelFrame.h"
#include "compiler/codegen/cpu/contraction/gemm/RegisterTile.h"
#include "dialects/tg/ops/structured/Contraction.h"

namespace tg {

/// The product in the form in which it is computed: [rows, K] x [K, columns],
/// with vectors along the columns. If `isTransposed`, these columns are the
/// rows of the result.
struct SplitKPlan {
  /// Returns the plan of a product. If that does not fit, because its columns
  /// do not fill vectors or its rows are too many, returns the plan of the
  /// transposed product, or none if that does not fit either.
  static std::optional<SplitKPlan> find(const TargetDescription &target,
                                        const Contraction &contraction);

  /// Returns the register tile with the fewest loads.
  RegisterTile chooseTile() const;
  /// Returns the number of K steps whose elements stay in L1.
  int64_t stepsInCache() const;
  /// Returns the number of blocks of the sum in a unit, whose result is stored:
  /// 1, or whole groups if there are many.
  mlir::Value blocksInUnit(IntegerOps ops, mlir::Value steps) const;
  /// Returns the number of units.
  mlir::Value countUnits(IntegerOps ops, mlir::Value steps) const;
  /// Returns an upper bound of the number of units.
  mlir::AffineExpr maxUnits() const;
  /// Returns the number of split-K slices, each of which computes several
  /// units. A slice reads many more elements than it has sums.
  mlir::Value countSlices(EntryExtents &entry) const;

  int64_t size() const { return rows * columns; }

  const TargetDescription &target;
  mlir::Value left, right;
  bool isTransposed;
  mlir::Type type;
  int64_t lanes, rows, columns;
  mlir::AffineExpr k;
  /// The lengths of the nested blocks of each sum, one or two.
  llvm::SmallVector<int64_t> blocks;

private:
  SplitKPlan(const TargetDescription &target, const Contraction &contraction,
             bool transposed);
  bool fits() const;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CONTRACTION_GEMM_SPLITKPLAN_H
