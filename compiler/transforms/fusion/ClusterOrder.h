//===- ClusterOrder.h - clusters and other ops in the order of a run ------===//
#ifndef TG_COMPILER_TRANSFORMS_FUSION_CLUSTERORDER_H
#define TG_COMPILER_TRANSFORMS_FUSION_CLUSTERORDER_H

#include "compiler/transforms/fusion/FusionPlan.h"
#include "llvm/ADT/PointerUnion.h"

namespace tg {

/// The clusters and the other ops of a function in an order in which producers
/// come first. Program order decides between the rest.
class ClusterOrder {
public:
  using Node = llvm::PointerUnion<Cluster *, mlir::Operation *>;

  explicit ClusterOrder(const FusionPlan &plan);

  llvm::ArrayRef<Node> get() const { return order; }
  /// Returns the position of a cluster.
  unsigned positionOf(const Cluster *cluster) const {
    return positions.lookup(cluster);
  }
  /// Returns the position behind all clusters, for uses by ops outside of
  /// clusters.
  unsigned getEnd() const { return order.size(); }
  /// Returns the position of the last use of a value's memory, also through
  /// views and joins: the end if the function returns or assigns it, 0 if it
  /// has no use.
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
