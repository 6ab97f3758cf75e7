//===- FusionStrategy.h - the fusion rules of a strategy ------------------===//
#ifndef TG_COMPILER_TRANSFORMS_FUSION_FUSIONSTRATEGY_H
#define TG_COMPILER_TRANSFORMS_FUSION_FUSIONSTRATEGY_H

#include "compiler/target/PlanTarget.h"
#include <optional>

namespace tg {
class FusionStrategy;

/// The limits of kernels.
struct FusionLimits {
  /// The maximum number of ops in one kernel.
  unsigned maximumOps;
  /// The targets that compute the kernels.
  const PlanTarget &target;
};

/// Ops that become one kernel.
struct Cluster {
  /// The strategy of the op that the kernel is built around.
  const FusionStrategy *strategy;
  /// The ops in program order.
  llvm::SmallVector<mlir::Operation *> ops;
  /// The iteration space: the extents of the results of an elementwise loop, of
  /// the result of a contraction, or of the operand of a reduction.
  llvm::SmallVector<mlir::AffineExpr> space;
  /// Axes of the space that are reduced, ascending.
  llvm::SmallVector<int64_t> axes;
  /// Contractions only: the order in which a kernel of the contraction can also
  /// reduce the rows of its result, else null. `lhs` is the left operand if the
  /// kernel can compute it, else null.
  OrderAttr rowOrder = {};
  mlir::Value lhs;
  /// True if one of the ops checks elements at run time and replaces bad ones.
  bool canFail = false;
  /// True if the kernels that compute the operands have already absorbed all
  /// they can. The ops of this cluster are left over and read the operands from
  /// memory.
  bool isLeftover = false;
  /// The node in the graph of the plan.
  unsigned node = 0;
  /// The last round of the plan in which the ops changed.
  unsigned lastChanged = 0;

  /// Returns true if the reduced axes are the innermost ones.
  bool reducesRows() const;
  /// Return the extents of a reduced value: with extents of 1 for the reduced
  /// axes (keepdims), and without these axes.
  llvm::SmallVector<mlir::AffineExpr> keepDimsSpace() const;
  llvm::SmallVector<mlir::AffineExpr> dropDimsSpace() const;
};

/// The fusion rules of a strategy. They determine which ops a kernel can
/// compute in addition to the op that it is built around: the ops whose values
/// the emitters of the strategy can hold in registers. There is one object per
/// strategy. A merged cluster gets the strategy of its leading cluster.
class FusionStrategy {
public:
  virtual ~FusionStrategy() = default;

  /// Returns the strategy of a kernel for `op` alone.
  static const FusionStrategy &of(mlir::Operation *op);

  /// Returns the number of bytes that are not read from memory if one kernel,
  /// led by this strategy, computes both clusters. `use` is the use of a value
  /// of `producer` by an op of `consumer`. Returns none if the kernel cannot
  /// compute the value where it is used.
  std::optional<int64_t> accept(mlir::OpOperand &use, const Cluster &producer,
                                const Cluster &consumer,
                                const ExtentAnalysis &extents) const;

  /// Returns the rules of a strategy.
  static const FusionStrategy &of(tgx::Strategy strategy);

  /// Returns true if a kernel of this strategy can access `value`, an argument
  /// or an output, with a row stride larger than the rows, and still gives
  /// bitwise equal results. The rows start at dimension `axis`; the dimensions
  /// before it have more than one element in all.
  virtual bool canAccessStridedRows(tgx::KernelOp kernel, mlir::Value value,
                                    unsigned axis,
                                    const ExtentAnalysis &extents) const = 0;

  virtual tgx::Strategy getStrategy() const = 0;
  /// Returns true if kernels of this strategy are built around ops such as
  /// `op`.
  virtual bool isBuiltAround(mlir::Operation *op) const = 0;
  /// Sets the iteration space of a cluster of `op` alone.
  virtual void setSpace(Cluster &cluster, mlir::Operation *op,
                        const ExtentAnalysis &extents,
                        const FusionLimits &limits) const;
  /// Returns the rank. The higher rank wins when two clusters merge; ties go to
  /// the consumer.
  virtual unsigned getRank() const = 0;
  /// Returns true if this strategy has the lowest rank, so that any other
  /// strategy leads a merged cluster.
  bool isLowestRank() const { return getRank() == 0; }

protected:
  /// Returns true if `own`, of this strategy, can compute the ops of `other`
  /// before its own ops, or after them if `isAfter`.
  virtual bool fits(const Cluster &own, const Cluster &other,
                    bool isAfter) const = 0;
  /// Returns true if `use`, between `own` and `other`, reads its value at the
  /// position of the iteration space at which `own` computes it.
  virtual bool readsInPlace(mlir::OpOperand &use, const Cluster &own,
                            const Cluster &other,
                            const ExtentAnalysis &extents) const;
};

/// Returns the cluster whose strategy the merged cluster gets.
const Cluster &leaderOf(const Cluster &producer, const Cluster &consumer);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_FUSION_FUSIONSTRATEGY_H
