//===- OpChain.h - cheap ops that kernels may compute again ---------------===//
#ifndef TG_COMPILER_TRANSFORMS_FUSION_OPCHAIN_H
#define TG_COMPILER_TRANSFORMS_FUSION_OPCHAIN_H

#include "compiler/transforms/fusion/FusionPlan.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace tg {

/// Returns true if it is cheaper to compute an op again than to read its
/// result: an elementwise op of few instructions that cannot fail.
bool isCheapToRecompute(mlir::Operation *op);

/// Returns true if a cluster reads the elements of a value in order. A
/// contraction reads its operands in another order.
bool readsElements(const Cluster &cluster, mlir::Value value,
                   const FusionPlan &plan);

/// The clusters that use a value, each with its uses.
using ClusterUses =
    llvm::MapVector<Cluster *, llvm::SmallVector<mlir::OpOperand *>>;

/// A chain of cheap ops that recomputes a value in other clusters. All ops have
/// the extents of the value.
class OpChain {
public:
  /// Collects the ops that compute `value`, back to values for which `isLeaf`
  /// holds and to operands of other extents. All ops of the chain must be
  /// cheap.
  OpChain(mlir::Value value, const FusionPlan &plan,
          const ExtentAnalysis &extents,
          llvm::function_ref<bool(mlir::Value)> isLeaf);

  mlir::Value getValue() const { return value; }
  /// Returns the values that the chain reads.
  llvm::ArrayRef<mlir::Value> getLeaves() const { return leaves.getArrayRef(); }
  /// Returns true if the kernel of a cluster can compute the chain for a use of
  /// the value, and has room for it.
  bool fitsInto(const Cluster &cluster, mlir::OpOperand &use) const;
  /// Returns true if the ops take about as long as reading their result.
  bool isShort() const;
  /// Returns the additional bytes that a cluster reads if it computes the
  /// chain. Leaves that are far smaller than the value count as 0 bytes.
  int64_t countAddedBytes(const Cluster &cluster) const;
  /// Returns the bytes of the leaves that, so far, only the clusters that
  /// compute them use. These leaves must be written to memory if other clusters
  /// compute the chain.
  int64_t countWrittenBytes() const;
  /// Returns the bytes of the value or of a leaf; 0 for a small leaf.
  int64_t countBytes(mlir::Value read) const;

  /// Inserts the chain at the beginning of a cluster. Returns the value
  /// computed there.
  mlir::Value copyInto(Cluster &cluster, FusionPlan &plan,
                       ExtentAnalysis &extents) const;

private:
  void add(mlir::Operation *op, llvm::function_ref<bool(mlir::Value)> isLeaf);

  mlir::Value value;
  const FusionPlan &plan;
  const ExtentAnalysis &extents;
  llvm::SetVector<mlir::Value> leaves;
  /// The ops of the chain as a cluster of their own, operands first.
  Cluster chain;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_FUSION_OPCHAIN_H
