//===- ClusterOrder.h - clusters and other ops, in order ------------------===//
#ifndef TG_COMPILER_TRANSFORMS_FUSION_CLUSTERORDER_H
#define TG_COMPILER_TRANSFORMS_FUSION_CLUSTERORDER_H

#include "compiler/transforms/fusion/FusionPlan.h"
#include "llvm/ADT/PointerUnion.h"

namespace tg {

/// The clusters and the other ops of a function in topological order. Ties are
/// broken by program order.
class ClusterOrder {
public:
  using Node = llvm::PointerUnion<Cluster *, mlir::Operation *>;

  explicit ClusterOrder(const FusionPlan &plan);

  llvm::ArrayRef<Node> get() const { return order; }
  /// Returns the position of a cluster.
  unsigned positionOf(const Cluster *cluster) const {
    return positions.lookup(cluster);
  }
  /// Returns the position after all nodes. It stands for uses by ops that are
  /// not in a cluster.
  unsigned getEnd() const { return order.size(); }
  /// Returns the position of the last use of a value's memory, including uses
  /// through views and tgx.join (concatenation). Returns getEnd() if an op that
  /// is not in a cluster uses it, such as a return or an assignment, and 0 if
  /// it has no use.
  unsigned lastUseOf(mlir::Value value) const;

private:
  /// A node, and its producers that are still to be visited first.
  struct Visit {
    Node node;
    llvm::SmallVector<mlir::Operation *> producers;
  };

  void visit(mlir::Operation *op);
  /// Begins a visit, unless the node was visited before.
  void enter(mlir::Operation *op);

  const FusionPlan &plan;
  llvm::SmallVector<Node> order;
  llvm::DenseMap<const Cluster *, unsigned> positions;
  llvm::SmallVector<Visit> path;
  llvm::SmallPtrSet<void *, 32> done;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_FUSION_CLUSTERORDER_H
