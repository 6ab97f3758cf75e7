//===- FusionStrategy.h - what a kernel of a strategy takes in ------------===//
#ifndef TG_COMPILER_TRANSFORMS_FUSION_FUSIONSTRATEGY_H
#define TG_COMPILER_TRANSFORMS_FUSION_FUSIONSTRATEGY_H

#include "dialects/tgx/Tgx.h"
#include <optional>

namespace tg {
class FusionStrategy;

/// What kernels may hold.
struct FusionLimits {
  /// Ops of one kernel.
  unsigned maximumOps;
  /// TargetDescription::tilesProducts.
  bool tilesProducts;
};

/// Ops that become one kernel.
struct Cluster {
  /// Of the op that the kernel is built around.
  const FusionStrategy *strategy;
  /// In program order.
  llvm::SmallVector<mlir::Operation *> ops;
  /// The iteration space: extents of a loop's results, of a contraction's
  /// result, of a reduction's operand.
  llvm::SmallVector<mlir::AffineExpr> space;
  /// Axes of the space that are reduced, ascending.
  llvm::SmallVector<int64_t> axes;
  /// Of a contraction: whether it runs in tiles over the rows of one matrix or
  /// over windows (TargetDescription::tilesProducts), and the lhs whose rows
  /// these are, if a tile can compute them.
  bool isTiled = false;
  mlir::Value lhs;
  /// Whether one of the ops can fail when it runs.
  bool canFail = false;
  /// Whether the kernels that compute what the ops read have taken along what
  /// they can: these ops are left over, and read it from memory.
  bool isLeft = false;
  /// In the graph of the plan.
  unsigned node = 0;
  /// The round of the plan in which the ops changed last.
  unsigned changed = 0;

  /// Whether the reduced axes are the innermost ones.
  bool reducesRows() const;
  /// The extents of a reduced value, with and without extents of 1.
  llvm::SmallVector<mlir::AffineExpr> keptSpace() const;
  llvm::SmallVector<mlir::AffineExpr> droppedSpace() const;
};

/// What a kernel of one strategy can compute beside the op that it is built
/// around: what the emitters of that strategy hold in registers. One per
/// strategy; a plan asks that of the cluster that leads.
class FusionStrategy {
public:
  virtual ~FusionStrategy() = default;

  /// That of a kernel for `op` alone.
  static const FusionStrategy &of(mlir::Operation *op);

  /// What `use`, of a value of `producer` by an op of `consumer`, saves in one
  /// kernel led by this strategy: the bytes that are not read back. None where
  /// the kernel cannot compute the value where it is used.
  std::optional<int64_t> accept(mlir::OpOperand &use, const Cluster &producer,
                                const Cluster &consumer,
                                const ExtentAnalysis &extents) const;

  /// That of kernels of this strategy.
  static const FusionStrategy &of(tgx::Strategy strategy);

  /// Whether a kernel of this strategy can have a value, an argument or an
  /// output, whose rows lie apart, with the same bits: along an axis before
  /// which the value has more than one element.
  virtual bool canReachRows(tgx::KernelOp kernel, mlir::Value value,
                            unsigned axis,
                            const ExtentAnalysis &extents) const = 0;

  virtual tgx::Strategy getStrategy() const = 0;
  /// Whether kernels of this strategy are built around ops such as `op`.
  virtual bool isBuiltAround(mlir::Operation *op) const = 0;
  /// Sets the iteration space of a cluster of `op` alone.
  virtual void setSpace(Cluster &cluster, mlir::Operation *op,
                        const ExtentAnalysis &extents,
                        const FusionLimits &limits) const;
  /// Of two clusters that of the higher rank says what the merged one is; the
  /// consumer where both have one rank.
  virtual unsigned getRank() const = 0;
  /// Whether any other strategy leads this one.
  bool isLed() const { return getRank() == 0; }

protected:
  /// Whether `own`, of this strategy, can compute what `other` computes before
  /// it, or after it where `isAfter`.
  virtual bool fits(const Cluster &own, const Cluster &other,
                    bool isAfter) const = 0;
  /// Whether `use`, between `own` and `other`, reads its value at the position
  /// of the iteration space at which `own` computes it.
  virtual bool readsInPlace(mlir::OpOperand &use, const Cluster &own,
                            const Cluster &other,
                            const ExtentAnalysis &extents) const;
};

/// The cluster that says what a merged one is.
const Cluster &leaderOf(const Cluster &producer, const Cluster &consumer);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_FUSION_FUSIONSTRATEGY_H
