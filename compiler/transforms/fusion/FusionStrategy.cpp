//===- FusionStrategy.cpp - the fusion rules of a strategy ----------------===//
#include "compiler/transforms/fusion/FusionStrategy.h"
#include "compiler/transforms/fusion/FusionPlan.h"
#include "compiler/transforms/numerics/TileOrders.h"
#include "compiler/transforms/shapes/FunctionSymbols.h"

using namespace mlir;
using namespace tg;
using tgx::Strategy;

//===----------------------------------------------------------------------===//
// Cluster
//===----------------------------------------------------------------------===//

bool Cluster::reducesRows() const {
  int64_t first = int64_t(space.size()) - int64_t(axes.size());
  for (auto [position, axis] : llvm::enumerate(axes))
    if (axis != first + int64_t(position))
      return false;
  return true;
}

SmallVector<AffineExpr> Cluster::keepDimsSpace() const {
  SmallVector<AffineExpr> reduced(space);
  for (int64_t axis : axes)
    reduced[axis] = getAffineConstantExpr(1, space[axis].getContext());
  return reduced;
}

SmallVector<AffineExpr> Cluster::dropDimsSpace() const {
  SmallVector<AffineExpr> reduced;
  for (auto [axis, extent] : llvm::enumerate(space))
    if (!llvm::is_contained(axes, int64_t(axis)))
      reduced.push_back(extent);
  return reduced;
}

const Cluster &tg::leaderOf(const Cluster &producer, const Cluster &consumer) {
  return consumer.strategy->getRank() >= producer.strategy->getRank()
             ? consumer
             : producer;
}

//===----------------------------------------------------------------------===//
// FusionStrategy
//===----------------------------------------------------------------------===//

std::optional<int64_t>
FusionStrategy::accept(OpOperand &use, const Cluster &producer,
                       const Cluster &consumer,
                       const ExtentAnalysis &extents) const {
  bool isAfter = &leaderOf(producer, consumer) == &producer;
  const Cluster &own = isAfter ? producer : consumer;
  const Cluster &other = isAfter ? consumer : producer;
  if (!fits(own, other, isAfter) || !readsInPlace(use, own, other, extents))
    return std::nullopt;
  return plannedNumber(extents.countBytes(use.get()));
}

void FusionStrategy::setSpace(Cluster &cluster, Operation *op,
                              const ExtentAnalysis &extents,
                              const FusionLimits &) const {
  cluster.space = SmallVector<AffineExpr>(extents.extentsOf(op->getResult(0)));
}

bool FusionStrategy::readsInPlace(OpOperand &use, const Cluster &,
                                  const Cluster &,
                                  const ExtentAnalysis &extents) const {
  Operation *user = use.getOwner();
  return isElementwise(user) &&
         extents.extentsOf(use.get()) == extents.extentsOf(user->getResult(0));
}

//===----------------------------------------------------------------------===//
// Strategies
//===----------------------------------------------------------------------===//

namespace {
/// Elementwise loops, which compute each element independently. If they are
/// merged with a cluster of another strategy, the other cluster leads.
struct LoopFusion : FusionStrategy {
  Strategy getStrategy() const override { return Strategy::loop; }
  bool isBuiltAround(Operation *op) const override {
    return isa<ElementOpInterface>(op);
  }
  unsigned getRank() const override { return 0; }
  bool fits(const Cluster &own, const Cluster &other, bool) const override {
    return other.strategy == this && own.space == other.space;
  }
  /// Kernels with run-time checks read and write contiguous rows only.
  bool canAccessStridedRows(tgx::KernelOp kernel, Value, unsigned,
                            const ExtentAnalysis &) const override {
    return kernel.getBlock().getOps<tgx::ElementCheckOpInterface>().empty();
  }
};

/// Returns true if a loop runs over the space of another cluster's reduced
/// values.
bool isReducedSpace(const Cluster &own, const Cluster &loop) {
  return loop.space == own.keepDimsSpace() || loop.space == own.dropDimsSpace();
}

/// Returns the first reduction of a cluster. All of them have the same order.
OrderedOpInterface reductionOf(const Cluster &cluster) {
  return cast<OrderedOpInterface>(
      *llvm::find_if(cluster.ops, llvm::IsaPred<ReductionOpInterface>));
}

/// Returns true if a value of the full space of a cluster is computed from
/// reduced values of the same cluster.
bool needsReduced(const Cluster &cluster, const ExtentAnalysis &extents) {
  auto isFull = [&](Value value) {
    return extents.extentsOf(value) == ArrayRef(cluster.space);
  };
  return llvm::any_of(cluster.ops, [&](Operation *op) {
    return isFull(op->getResult(0)) &&
           llvm::any_of(op->getOperands(), [&](Value operand) {
             return llvm::is_contained(cluster.ops, operand.getDefiningOp()) &&
                    !isFull(operand);
           });
  });
}

/// A reduction shares its passes over rows with other reductions of the same
/// rows, and computes loops over rows and over reduced values. Reductions of
/// the same columns share one pass if none of them needs the result of another.
struct ReductionFusion : FusionStrategy {
  Strategy getStrategy() const override { return Strategy::reduction; }
  unsigned getRank() const override { return 1; }
  bool isBuiltAround(Operation *op) const override {
    return isa<ReductionOpInterface>(op);
  }

  void setSpace(Cluster &cluster, Operation *op, const ExtentAnalysis &extents,
                const FusionLimits &) const override {
    cluster.space =
        SmallVector<AffineExpr>(extents.extentsOf(op->getOperand(0)));
    cluster.axes = cast<ReductionOpInterface>(op).getReducedAxes();
  }

  bool fits(const Cluster &own, const Cluster &other,
            bool isAfter) const override {
    if (other.strategy == this)
      return own.space == other.space && own.axes == other.axes &&
             orderOf(reductionOf(own)) == orderOf(reductionOf(other));
    if (other.strategy->getStrategy() != Strategy::loop)
      return false;
    // Only reductions of rows can be followed by a loop over the full rows,
    // which reads each row again.
    if (other.space == own.space)
      return !isAfter || own.reducesRows();
    return isReducedSpace(own, other);
  }

  bool readsInPlace(OpOperand &use, const Cluster &own, const Cluster &other,
                    const ExtentAnalysis &extents) const override {
    Operation *user = use.getOwner();
    ArrayRef<AffineExpr> value = extents.extentsOf(use.get());
    if (other.strategy == this && !own.reducesRows() &&
        !sharePass(use, own, other, extents))
      return false;
    if (isa<ReductionOpInterface>(user))
      return value == ArrayRef(own.space);
    if (FusionStrategy::readsInPlace(use, own, other, extents))
      return true;
    // A reduced value that keeps its axes as extents of 1 is broadcast over its
    // row.
    return isElementwise(user) && value == ArrayRef(own.keepDimsSpace()) &&
           extents.extentsOf(user->getResult(0)) == ArrayRef(own.space);
  }

  /// Requires that exactly one of two axes is reduced: `axis`, and the last
  /// axis before it with more than one element. Then no loop runs over both
  /// axes at once even if the rows are contiguous, so sums keep their order.
  bool canAccessStridedRows(tgx::KernelOp kernel, Value value, unsigned axis,
                            const ExtentAnalysis &extents) const override {
    Block &body = kernel.getBlock();
    auto reduction = *body.getOps<ReductionOpInterface>().begin();
    ArrayRef<AffineExpr> space = extents.extentsOf(reduction->getOperand(0));
    if (extents.extentsOf(value).size() != space.size() ||
        !body.getOps<tgx::ElementCheckOpInterface>().empty())
      return false;
    auto isReduced = [&](unsigned axis) {
      return llvm::is_contained(reduction.getReducedAxes(), int64_t(axis));
    };
    unsigned outer = axis;
    while (outer > 0 && staticExtent(space[outer - 1]) == 1)
      --outer;
    return outer > 0 && isReduced(outer - 1) != isReduced(axis);
  }

private:
  /// Returns true if `use` allows two clusters that reduce columns to share one
  /// pass: the full values computed from it need no value that is reduced in
  /// this pass.
  static bool sharePass(OpOperand &use, const Cluster &own,
                        const Cluster &other, const ExtentAnalysis &extents) {
    auto isFull = [&](Value value) {
      return extents.extentsOf(value) == ArrayRef(own.space);
    };
    return own.keepDimsSpace() != own.space &&
           (isFull(use.get()) || !isFull(use.getOwner()->getResult(0))) &&
           !needsReduced(own, extents) && !needsReduced(other, extents);
  }
};

/// A contraction absorbs loops before and after it that have the extents of its
/// result. It absorbs reductions over all rows of its result (for a
/// convolution, over all windows, also of groups of channels), and the loops
/// over the reduced values. It also absorbs cheap loops that compute the lhs of
/// a matrix product.
struct ContractionFusion : FusionStrategy {
  Strategy getStrategy() const override { return Strategy::contraction; }
  unsigned getRank() const override { return 2; }
  bool isBuiltAround(Operation *op) const override {
    return isa<ContractionOpInterface>(op);
  }

  void setSpace(Cluster &cluster, Operation *op, const ExtentAnalysis &extents,
                const FusionLimits &limits) const override {
    FusionStrategy::setSpace(cluster, op, extents, limits);
    Contraction contraction =
        cast<ContractionOpInterface>(op).getContraction(extents);
    ContractionRequest request = requestOf(contraction);
    request.rowOrder = orderOfRows(cast<ContractionOpInterface>(op), extents);
    if (limits.target.canCompute(request))
      cluster.rowOrder = request.rowOrder;
    request.readsLhs = false;
    if (contraction.lhs.value != contraction.rhs.value &&
        limits.target.canCompute(request))
      cluster.lhs = contraction.lhs.value;
  }

  bool fits(const Cluster &own, const Cluster &other,
            bool isAfter) const override {
    if (other.strategy->getStrategy() == Strategy::reduction)
      return isAfter && own.space == other.space && reducesAllRows(other) &&
             own.rowOrder == orderOf(reductionOf(other)) &&
             (own.axes.empty() || own.axes == other.axes);
    if (other.strategy->getStrategy() != Strategy::loop)
      return false;
    return own.space == other.space || (!isAfter && computesLhs(own, other)) ||
           (!own.axes.empty() && isReducedSpace(own, other));
  }

  /// The ops of a cluster with a reduction may read only values with the
  /// extents of the result. Other values may be computed from reduced values,
  /// which are not complete while the reduction runs.
  bool readsInPlace(OpOperand &use, const Cluster &own, const Cluster &other,
                    const ExtentAnalysis &extents) const override {
    if (use.getOwner() == productOf(own))
      return computesLhs(own, other) && use.get() == own.lhs &&
             isCheap(other, extents);
    bool reduces = other.strategy->getStrategy() == Strategy::reduction;
    if (reduces && extents.extentsOf(use.get()) != ArrayRef(own.space))
      return false;
    return (reduces && isa<ReductionOpInterface>(use.getOwner())) ||
           FusionStrategy::readsInPlace(use, own, other, extents);
  }

  /// Requires that the kernel has no run-time checks, that the value has the
  /// rank of the result, that the axis is the last one, and that the product
  /// itself does not read the value, because the product reads copies of its
  /// operands.
  bool canAccessStridedRows(tgx::KernelOp kernel, Value value, unsigned axis,
                            const ExtentAnalysis &extents) const override {
    Block &body = kernel.getBlock();
    Operation *product = *body.getOps<ContractionOpInterface>().begin();
    unsigned rank = extents.extentsOf(product->getResult(0)).size();
    auto readsRows = [&](Operation *user) {
      return user == product || isa<tgx::UnpackOp>(user);
    };
    return axis + 1 == rank && extents.extentsOf(value).size() == rank &&
           body.getOps<tgx::ElementCheckOpInterface>().empty() &&
           (!isa<BlockArgument>(value) ||
            llvm::none_of(value.getUsers(), readsRows));
  }

private:
  /// Returns true if kernels compute a value themselves instead of taking it as
  /// an argument.
  static bool isComputedInKernels(Value value) {
    Operation *source = value.getDefiningOp();
    return source && isClonedIntoKernels(source);
  }

  static ContractionRequest requestOf(const Contraction &contraction) {
    ContractionRequest request{contraction};
    request.readsLhs = !isComputedInKernels(contraction.lhs.value);
    request.readsRhs = !isComputedInKernels(contraction.rhs.value);
    return request;
  }

  static Operation *productOf(const Cluster &own) {
    return *llvm::find_if(own.ops, llvm::IsaPred<ContractionOpInterface>);
  }

  /// Returns true if `other` only serves to compute the lhs.
  static bool computesLhs(const Cluster &own, const Cluster &other) {
    auto isOwn = [&](Operation *user) {
      return llvm::is_contained(other.ops, user) || user == productOf(own);
    };
    return own.lhs && llvm::is_contained(other.ops, own.lhs.getDefiningOp()) &&
           llvm::all_of(other.ops, [&](Operation *op) {
             return llvm::all_of(op->getUsers(), isOwn);
           });
  }

  /// Returns true if each tile of the product can recompute the ops of `other`
  /// cheaply: they take few instructions per element and read at most one
  /// matrix, which is in memory in any case. Returns false if they read a value
  /// that another kernel computes, because that kernel absorbs the ops if it
  /// can.
  static bool isCheap(const Cluster &other, const ExtentAnalysis &extents) {
    llvm::SmallPtrSet<Value, 4> matrices;
    for (Operation *op : other.ops) {
      auto rule = dyn_cast<ElementwiseOpInterface>(op);
      if (!rule || rule.isTranscendental() || other.canFail)
        return false;
      for (Value operand : op->getOperands()) {
        Operation *source = operand.getDefiningOp();
        if (llvm::is_contained(other.ops, source))
          continue;
        if (source && isComputed(source) && !other.isLeftover)
          return false;
        if (extents.extentsOf(operand) == ArrayRef(other.space))
          matrices.insert(operand);
      }
    }
    return matrices.size() <= 1;
  }

  /// Returns true if all axes but the last are reduced, and at least one of
  /// these has more than one element. Otherwise reduced values could not be
  /// distinguished from other values by their extents.
  static bool reducesAllRows(const Cluster &cluster) {
    auto axes = llvm::seq<int64_t>(cluster.space.size() - 1);
    return llvm::equal(cluster.axes, axes) &&
           cluster.keepDimsSpace() != cluster.space;
  }
};

/// An op with an emitter of its own. It absorbs nothing.
struct CustomFusion : FusionStrategy {
  Strategy getStrategy() const override { return Strategy::custom; }
  unsigned getRank() const override { return 3; }
  bool isBuiltAround(Operation *) const override { return true; }
  bool fits(const Cluster &, const Cluster &, bool) const override {
    return false;
  }
  bool canAccessStridedRows(tgx::KernelOp, Value, unsigned,
                            const ExtentAnalysis &) const override {
    return false;
  }
};
} // namespace

/// Returns all strategies. The first one that is built around an op takes it.
static ArrayRef<const FusionStrategy *> getStrategies() {
  static const ReductionFusion reduction;
  static const ContractionFusion contraction;
  static const LoopFusion loop;
  static const CustomFusion custom;
  static const FusionStrategy *const all[] = {&reduction, &contraction, &loop,
                                              &custom};
  return all;
}

const FusionStrategy &FusionStrategy::of(Operation *op) {
  return **llvm::find_if(getStrategies(), [&](const FusionStrategy *strategy) {
    return strategy->isBuiltAround(op);
  });
}

const FusionStrategy &FusionStrategy::of(Strategy strategy) {
  return **llvm::find_if(getStrategies(), [&](const FusionStrategy *each) {
    return each->getStrategy() == strategy;
  });
}
