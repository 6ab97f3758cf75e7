//===- FusionPlan.h - which ops share a kernel ----------------------------===//
#ifndef TG_COMPILER_TRANSFORMS_FUSIONPLAN_H
#define TG_COMPILER_TRANSFORMS_FUSIONPLAN_H

#include "compiler/transforms/FunctionSymbols.h"
#include "dialects/tgx/Tgx.h"
#include <memory>

namespace tg {

/// Ops that become one kernel.
struct Cluster {
  tgx::Strategy strategy;
  /// In program order.
  llvm::SmallVector<mlir::Operation *> ops;
  /// The iteration space: extents of a loop's results, of a contraction's
  /// result, of a reduction's operand.
  llvm::SmallVector<mlir::AffineExpr> space;
  /// Reduced axes of a reduction, ascending.
  llvm::SmallVector<int64_t> axes;

  /// Whether the reduced axes are the innermost ones.
  bool reducesRows() const;
  /// The extents of a reduced value, with and without extents of 1.
  llvm::SmallVector<mlir::AffineExpr> keptSpace() const;
  llvm::SmallVector<mlir::AffineExpr> droppedSpace() const;
};

/// Whether `op` is computed again inside each kernel that uses it: splat
/// constants, numbers, and ops on one of these alone (iota, fills).
bool isClonedIntoKernels(mlir::Operation *op);

/// Whether `op` only gives the same memory another type.
bool isView(mlir::Operation *op);

/// Divides the computing ops of a function into clusters.
///
/// Each op starts alone. A producer and its consumer are merged when the pair
/// fits a strategy's emitter, all values between them are read at the position
/// at which they are computed, and no other path leads from one to the other.
/// Producers that serve one consumer alone are sunk into it first; then
/// contractions and reductions absorb what follows them.
class FusionPlan {
public:
  FusionPlan(mlir::func::FuncOp function, const ExtentAnalysis &extents,
             unsigned maximumOps);

  /// Merges until nothing fits; returns the number of merges.
  unsigned fuse();

  /// The cluster of an op; null for ops that stand in no kernel.
  Cluster *clusterOf(mlir::Operation *op) const { return owner.lookup(op); }
  /// Alive clusters by their first op.
  llvm::SmallVector<Cluster *> getClusters() const;

private:
  /// One visit of all consumers, last first.
  unsigned mergeRound(bool sinking);
  bool tryMerge(Cluster *producer, Cluster *consumer);
  bool fits(Cluster *producer, Cluster *consumer) const;
  bool readsInPlace(mlir::OpOperand &use, Cluster *producer,
                    Cluster *consumer) const;
  bool hasOtherPath(Cluster *from, Cluster *to) const;
  bool servesOnly(Cluster *producer, Cluster *consumer) const;
  llvm::SmallVector<Cluster *> producersOf(Cluster *consumer) const;
  void merge(Cluster *producer, Cluster *consumer);

  mlir::func::FuncOp function;
  const ExtentAnalysis &extents;
  unsigned maximumOps;
  std::vector<std::unique_ptr<Cluster>> clusters;
  llvm::DenseMap<mlir::Operation *, Cluster *> owner;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_FUSIONPLAN_H
