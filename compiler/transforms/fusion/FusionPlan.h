//===- FusionPlan.h - which ops share a kernel ----------------------------===//
#ifndef TG_COMPILER_TRANSFORMS_FUSION_FUSIONPLAN_H
#define TG_COMPILER_TRANSFORMS_FUSION_FUSIONPLAN_H

#include "compiler/transforms/fusion/FusionStrategy.h"
#include "compiler/transforms/fusion/OrderedGraph.h"
#include "compiler/transforms/shapes/FoundSymbols.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <memory>

namespace tg {

/// Whether `op` is computed again inside each kernel that uses it: splat
/// constants, numbers, and ops on one of these alone (iota, fills).
bool isClonedIntoKernels(mlir::Operation *op);

/// Whether ops such as `op` are computed by kernels.
bool isComputed(mlir::Operation *op);

/// What holds after fusion: ops outside of kernels do not compute.
llvm::LogicalResult verifyAllInKernels(mlir::func::FuncOp function);

/// Divides the computing ops of a block into clusters: of the body of a
/// function or of a region in it.
///
/// Each op starts alone. A producer and its consumer are merged when the
/// strategy of the one that leads accepts every use of the one by the other,
/// and no other path leads from one to the other. Producers that serve one
/// consumer alone are sunk into it first, for their values then need no memory
/// at all; then contractions and reductions absorb what follows them. Visits
/// every pair again only when one of both has changed.
class FusionPlan {
public:
  FusionPlan(mlir::Block &body, const ExtentAnalysis &extents,
             const FusionLimits &limits);

  /// Merges until nothing fits; returns the number of merges.
  unsigned fuse();
  /// Sinks what was left over into those that alone use it; the same.
  unsigned sinkRest();
  /// Bytes that are not read back because of merges, at the planned extents.
  int64_t getSavedBytes() const { return savedBytes; }

  /// The cluster of an op; null for ops that stand in no kernel.
  Cluster *clusterOf(mlir::Operation *op) const { return owner.lookup(op); }
  /// What must come before an op of the block: what makes its operands,
  /// measures its extents, or turns to the host before it.
  llvm::SmallVector<mlir::Operation *>
  predecessorsOf(mlir::Operation *op) const;
  /// Clusters with ops, by their first op.
  llvm::SmallVector<Cluster *> getClusters() const;

  mlir::Block &getBody() const { return body; }
  /// Whether the cluster that computes a value alone uses it.
  bool isInside(mlir::Value value) const;

  /// How many more ops a cluster may have.
  unsigned roomOf(const Cluster &cluster) const {
    return limits.maximumOps -
           std::min<size_t>(limits.maximumOps, cluster.ops.size());
  }
  /// Adds ops that stand just before the first one of the cluster.
  void addFirst(llvm::ArrayRef<mlir::Operation *> ops, Cluster &cluster);
  /// Whether a cluster can run before another one.
  bool canPrecede(const Cluster &first, const Cluster &second) {
    return !graph.reaches(second.node, first.node);
  }
  /// Lets a cluster, which can, run before another one.
  void setOrder(const Cluster &first, const Cluster &second);
  /// Erases ops whose results nothing uses, of clusters and views beside them.
  void eraseUnused();

private:
  void addCluster(mlir::Operation *op);
  void buildGraph();
  /// Visits of all consumers until nothing fits, and one, last first.
  unsigned mergeAll(bool sinking);
  unsigned mergeRound(bool sinking);
  bool tryMerge(Cluster *producer, Cluster *consumer);
  std::optional<int64_t> findSavedBytes(Cluster *producer,
                                        Cluster *consumer) const;
  bool servesOnly(Cluster *producer, Cluster *consumer) const;
  llvm::SmallVector<Cluster *> producersOf(Cluster *consumer) const;
  void merge(Cluster *producer, Cluster *consumer);

  mlir::Block &body;
  const ExtentAnalysis &extents;
  FoundSymbols found;
  FusionLimits limits;
  std::vector<std::unique_ptr<Cluster>> clusters;
  llvm::DenseMap<mlir::Operation *, Cluster *> owner;
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> effectsBefore;
  /// Clusters and the ops beside them.
  OrderedGraph graph;
  unsigned round = 0;
  int64_t savedBytes = 0;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_FUSION_FUSIONPLAN_H
