//===- OpChain.h - cheap ops that kernels may compute again ---------------===//
#ifndef TG_COMPILER_TRANSFORMS_FUSION_OPCHAIN_H
#define TG_COMPILER_TRANSFORMS_FUSION_OPCHAIN_H

#include "compiler/transforms/fusion/FusionPlan.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace tg {

/// Whether computing an op again costs less than reading its result: an
/// elementwise op of few instructions that cannot fail.
bool isCheapToRepeat(mlir::Operation *op);

/// Whether a cluster reads the elements of a value one after the other; what a
/// contraction reads as an operand comes in another order.
bool readsElements(const Cluster &cluster, mlir::Value value,
                   const FusionPlan &plan);

/// The clusters that use a value, each with its uses.
using ClusterUses =
    llvm::MapVector<Cluster *, llvm::SmallVector<mlir::OpOperand *>>;

/// Cheap ops of the extents of a value, with which the value is computed again
/// in other clusters.
class OpChain {
public:
  /// What gives `value`, back to the values for which `isLeaf` holds and to
  /// operands of other extents. All ops on the way must be cheap.
  OpChain(mlir::Value value, const FusionPlan &plan,
          const ExtentAnalysis &extents,
          llvm::function_ref<bool(mlir::Value)> isLeaf);

  mlir::Value getValue() const { return value; }
  /// What the chain reads.
  llvm::ArrayRef<mlir::Value> getLeaves() const { return leaves.getArrayRef(); }
  /// Whether the kernel of a cluster can compute the chain for a use of the
  /// value, and has room for it.
  bool fitsInto(const Cluster &cluster, mlir::OpOperand &use) const;
  /// Whether the ops take about as long as reading what they give.
  bool isShort() const;
  /// The bytes that a cluster reads more if it computes the chain. What has far
  /// fewer than the value costs nothing.
  int64_t countAddedBytes(const Cluster &cluster) const;
  /// The bytes of leaves that only their own clusters use so far: they will
  /// have to be written.
  int64_t countWrittenBytes() const;
  /// The bytes of the value, or of a leaf; 0 for a leaf that is small.
  int64_t countBytes(mlir::Value of) const;

  /// Computes the chain first in a cluster, and gives the value there.
  mlir::Value copyInto(Cluster &cluster, FusionPlan &plan,
                       ExtentAnalysis &extents) const;

private:
  void add(mlir::Operation *op, llvm::function_ref<bool(mlir::Value)> isLeaf);

  mlir::Value value;
  const FusionPlan &plan;
  const ExtentAnalysis &extents;
  llvm::SetVector<mlir::Value> leaves;
  /// The ops alone, operands first.
  Cluster alone;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_FUSION_OPCHAIN_H
