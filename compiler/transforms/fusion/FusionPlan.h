//===- FusionPlan.h - the clusters of ops that share a kernel -------------===//
#ifndef TG_COMPILER_TRANSFORMS_FUSION_FUSIONPLAN_H
#define TG_COMPILER_TRANSFORMS_FUSION_FUSIONPLAN_H

#include "compiler/transforms/fusion/FusionStrategy.h"
#include "compiler/transforms/fusion/OrderedGraph.h"
#include "compiler/transforms/shapes/DataDependentSymbols.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <memory>

namespace tg {

/// Returns true if `op` is computed again inside each kernel that uses it: a
/// splat constant, a run-time extent (tgx.size), or a generator such as iota or
/// fill whose operands are extents and at most one splat constant.
bool isClonedIntoKernels(mlir::Operation *op);

/// Returns true if kernels compute `op`.
bool isComputed(mlir::Operation *op);

/// Verifies that after fusion no op outside of kernels computes.
llvm::LogicalResult verifyAllInKernels(mlir::func::FuncOp function);

/// Divides the computing ops of a block into clusters. The block is the body of
/// a function or of a region in it.
///
/// Each op starts alone. A producer and its consumer are merged when the
/// strategy of the cluster that leads, the one with the higher rank, accepts
/// every use of the producer by the consumer, and no other path connects the
/// two (see leaderOf()). Producers with a single
/// consumer are sunk into it first, because their values then need no memory at
/// all. Then contractions and reductions absorb their consumers. A pair is
/// visited again only if one of the two clusters has changed.
class FusionPlan {
public:
  FusionPlan(mlir::Block &body, const ExtentAnalysis &extents,
             const FusionLimits &limits);

  /// Merges clusters until no pair can be merged. Returns the number of merges.
  unsigned fuse();
  /// Sinks leftover producers into their only consumers. Returns the number of
  /// merges.
  unsigned sinkRemaining();
  /// Returns the number of bytes that kernels no longer read from memory
  /// because of merges, at the planned extents.
  int64_t getSavedBytes() const { return savedBytes; }

  /// Returns the cluster of an op; null for ops outside of kernels.
  Cluster *clusterOf(mlir::Operation *op) const { return owner.lookup(op); }
  /// Returns the ops that must come before an op of the block: the producers of
  /// its operands, the ops that measure its extents, and, if it is a host op
  /// with an effect, the previous such op.
  llvm::SmallVector<mlir::Operation *>
  predecessorsOf(mlir::Operation *op) const;
  /// Returns the clusters that still have ops, ordered by their first op.
  llvm::SmallVector<Cluster *> getClusters() const;

  mlir::Block &getBody() const { return body; }
  /// Returns true if only the cluster that computes the value uses it.
  bool isInternal(mlir::Value value) const;

  /// Returns the number of ops that can still be added to a cluster.
  unsigned countFreeOps(const Cluster &cluster) const {
    return limits.maximumOps -
           std::min<size_t>(limits.maximumOps, cluster.ops.size());
  }
  /// Adds ops that stand directly before the first op of the cluster.
  void prependOps(llvm::ArrayRef<mlir::Operation *> ops, Cluster &cluster);
  /// Returns true if the first cluster can run before the second one.
  bool canPrecede(const Cluster &first, const Cluster &second) {
    return !graph.reaches(second.node, first.node);
  }
  /// Orders the first cluster before the second one, which must be possible.
  void addOrder(const Cluster &first, const Cluster &second);
  /// Erases ops without used results, both in clusters and among the views
  /// outside of clusters.
  void eraseUnused();

private:
  void addCluster(mlir::Operation *op);
  void buildGraph();
  /// mergeAll() runs rounds until no pair can be merged, mergeRound() one round
  /// over all consumers, last first. Both return the number of merges.
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
  DataDependentSymbols dataDependent;
  FusionLimits limits;
  std::vector<std::unique_ptr<Cluster>> clusters;
  llvm::DenseMap<mlir::Operation *, Cluster *> owner;
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> effectsBefore;
  /// The graph of the clusters and of the ops outside of them.
  OrderedGraph graph;
  unsigned round = 0;
  int64_t savedBytes = 0;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_FUSION_FUSIONPLAN_H
