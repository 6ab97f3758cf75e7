//===- ClusterOrder.h - clusters and other ops in the order of a run ------===//
#ifndef TG_COMPILER_TRANSFORMS_FUSION_CLUSTERORDER_H
#define TG_COMPILER_TRANSFORMS_FUSION_CLUSTERORDER_H

#include "compiler/transforms/fusion/FusionPlan.h"
#include "llvm/ADT/PointerUnion.h"

namespace tg {

/// The clusters and the other ops of a function in an order in which producers
/// come first, else in program order.
class ClusterOrder {
public:
  using Node = llvm::PointerUnion<Cluster *, mlir::Operation *>;

  explicit ClusterOrder(const FusionPlan &plan);

  llvm::ArrayRef<Node> get() const { return order; }
  /// Where a cluster comes.
  unsigned positionOf(const Cluster *cluster) const {
    return positions.lookup(cluster);
  }
  /// Behind all clusters: where what is no cluster uses a value.
  unsigned getEnd() const { return order.size(); }
  /// Where the memory of a value is used last, also as views and joins of it;
  /// the end where the function returns or assigns it. 0 for no use.
  unsigned lastUseOf(mlir::Value value) const;

private:
  /// A node whose producers are visited first, those that are left.
  struct Visit {
    Node node;
    llvm::SmallVector<mlir::Operation *> producers;
  };

  void visit(mlir::Operation *op);
  /// Begins a visit, unless the node had one.
  void enter(mlir::Operation *op);

  const FusionPlan &plan;
  llvm::SmallVector<Node> order;
  llvm::DenseMap<const Cluster *, unsigned> positions;
  llvm::SmallVector<Visit> path;
  llvm::SmallPtrSet<void *, 32> done;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_FUSION_CLUSTERORDER_H
