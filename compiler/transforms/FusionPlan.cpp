//===- FusionPlan.cpp - which ops share a kernel --------------------------===//
#include "compiler/transforms/FusionPlan.h"
#include "dialects/tg/ConstantOps.h"
#include "dialects/tg/ShapeOps.h"
#include "llvm/ADT/SetVector.h"

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

SmallVector<AffineExpr> Cluster::keptSpace() const {
  SmallVector<AffineExpr> kept(space);
  for (int64_t axis : axes)
    kept[axis] = getAffineConstantExpr(1, space[axis].getContext());
  return kept;
}

SmallVector<AffineExpr> Cluster::droppedSpace() const {
  SmallVector<AffineExpr> dropped;
  for (auto [axis, extent] : llvm::enumerate(space))
    if (!llvm::is_contained(axes, int64_t(axis)))
      dropped.push_back(extent);
  return dropped;
}

//===----------------------------------------------------------------------===//
// Kinds of ops
//===----------------------------------------------------------------------===//

bool tg::isView(Operation *op) { return isa<ReshapeOp, EnsureShapeOp>(op); }

static bool isSplatConstant(Operation *op) {
  auto constant = dyn_cast<ConstantOp>(op);
  auto dense =
      constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : nullptr;
  return dense && dense.isSplat();
}

bool tg::isClonedIntoKernels(Operation *op) {
  if (isa<tgx::SizeOp>(op) || isSplatConstant(op))
    return true;
  auto element = dyn_cast<ElementOpInterface>(op);
  if (!element || element.isElementwise() || isa<ConstantOp>(op))
    return false;
  // One constant at most: chains of such ops would double from op to op.
  unsigned constants = 0;
  for (Value operand : op->getOperands()) {
    Operation *source = operand.getDefiningOp();
    if (!source || !(isa<tgx::SizeOp>(source) || isSplatConstant(source)))
      return false;
    constants += !isa<tgx::SizeOp>(source);
  }
  return constants <= 1;
}

/// Whether ops of this kind are computed by kernels.
static bool isComputed(Operation *op) {
  return op->getNumResults() > 0 && isMemoryEffectFree(op) && !isView(op) &&
         !isClonedIntoKernels(op) && !isa<ConstantOp>(op);
}

static bool isElementwise(Operation *op) {
  auto element = dyn_cast<ElementOpInterface>(op);
  return element && element.isElementwise();
}

//===----------------------------------------------------------------------===//
// FusionPlan
//===----------------------------------------------------------------------===//

FusionPlan::FusionPlan(func::FuncOp function, const ExtentAnalysis &extents,
                       unsigned maximumOps)
    : function(function), extents(extents), maximumOps(maximumOps) {
  for (Operation &op : function.getBody().front()) {
    if (!isComputed(&op))
      continue;
    auto cluster = std::make_unique<Cluster>();
    cluster->ops.push_back(&op);
    cluster->space.assign(extents.extentsOf(op.getResult(0)).begin(),
                          extents.extentsOf(op.getResult(0)).end());
    if (auto reduction = dyn_cast<ReductionOpInterface>(op)) {
      cluster->strategy = Strategy::reduction;
      cluster->space.assign(extents.extentsOf(op.getOperand(0)).begin(),
                            extents.extentsOf(op.getOperand(0)).end());
      cluster->axes = reduction.getReducedAxes();
    } else if (isa<ContractionOpInterface>(op)) {
      cluster->strategy = Strategy::contraction;
    } else if (isa<ElementOpInterface>(op)) {
      cluster->strategy = Strategy::loop;
    } else {
      cluster->strategy = Strategy::custom;
    }
    owner[&op] = cluster.get();
    clusters.push_back(std::move(cluster));
  }
}

SmallVector<Cluster *> FusionPlan::getClusters() const {
  SmallVector<Cluster *> alive;
  for (const std::unique_ptr<Cluster> &cluster : clusters)
    if (!cluster->ops.empty())
      alive.push_back(cluster.get());
  llvm::sort(alive, [](Cluster *a, Cluster *b) {
    return a->ops.front()->isBeforeInBlock(b->ops.front());
  });
  return alive;
}

unsigned FusionPlan::mergeRound(bool sinking) {
  unsigned merges = 0;
  SmallVector<Cluster *> order = getClusters();
  for (Cluster *consumer : llvm::reverse(order)) {
    if (consumer->ops.empty())
      continue;
    for (Cluster *producer : producersOf(consumer)) {
      bool sinks = producer->strategy == Strategy::loop &&
                   servesOnly(producer, consumer);
      if ((!sinking || sinks) && tryMerge(producer, consumer))
        ++merges;
    }
  }
  return merges;
}

unsigned FusionPlan::fuse() {
  unsigned total = 0;
  for (bool sinking : {true, false})
    while (unsigned merges = mergeRound(sinking))
      total += merges;
  return total;
}

SmallVector<Cluster *> FusionPlan::producersOf(Cluster *consumer) const {
  llvm::SetVector<Cluster *> producers;
  for (Operation *op : llvm::reverse(consumer->ops))
    for (Value operand : op->getOperands())
      if (Operation *source = operand.getDefiningOp())
        if (Cluster *producer = owner.lookup(source))
          if (producer != consumer)
            producers.insert(producer);
  return producers.takeVector();
}

bool FusionPlan::servesOnly(Cluster *producer, Cluster *consumer) const {
  return llvm::all_of(producer->ops, [&](Operation *op) {
    return llvm::all_of(op->getUsers(), [&](Operation *user) {
      Cluster *cluster = owner.lookup(user);
      return cluster == producer || cluster == consumer;
    });
  });
}

/// Whether `use` reads its value at the position of the iteration space at
/// which the merged kernel computes it.
bool FusionPlan::readsInPlace(OpOperand &use, Cluster *producer,
                              Cluster *consumer) const {
  Operation *user = use.getOwner();
  ArrayRef<AffineExpr> value = extents.extentsOf(use.get());
  if (isa<ReductionOpInterface>(user))
    return value == ArrayRef(consumer->space);
  if (!isElementwise(user))
    return false;
  if (value == extents.extentsOf(user->getResult(0)))
    return true;
  // A reduced value, kept at extents of 1, that is spread over its row again.
  Cluster *reduction = producer->strategy == Strategy::reduction   ? producer
                       : consumer->strategy == Strategy::reduction ? consumer
                                                                   : nullptr;
  return reduction && value == ArrayRef(reduction->keptSpace()) &&
         extents.extentsOf(user->getResult(0)) == ArrayRef(reduction->space);
}

/// Whether `reduction` can compute a loop over `space` beside its own work:
/// over reduced values, or over full rows.
static bool fitsReduction(const Cluster &reduction, ArrayRef<AffineExpr> space,
                          bool after) {
  if (space == ArrayRef(reduction.space))
    return !after || reduction.reducesRows();
  return space == ArrayRef(reduction.keptSpace()) ||
         space == ArrayRef(reduction.droppedSpace());
}

bool FusionPlan::fits(Cluster *producer, Cluster *consumer) const {
  Strategy p = producer->strategy, c = consumer->strategy;
  if (p == Strategy::custom || c == Strategy::custom)
    return false;
  if (p == Strategy::reduction && c == Strategy::reduction)
    return producer->reducesRows() && producer->space == consumer->space &&
           producer->axes == consumer->axes;
  if (p == Strategy::reduction)
    return c == Strategy::loop &&
           fitsReduction(*producer, consumer->space, /*after=*/true);
  if (c == Strategy::reduction)
    return p == Strategy::loop &&
           fitsReduction(*consumer, producer->space, /*after=*/false);
  if (p == Strategy::contraction && c == Strategy::contraction)
    return false;
  return producer->space == consumer->space;
}

bool FusionPlan::tryMerge(Cluster *producer, Cluster *consumer) {
  if (!fits(producer, consumer) ||
      producer->ops.size() + consumer->ops.size() > maximumOps)
    return false;
  for (Operation *op : producer->ops)
    for (OpOperand &use : op->getUses())
      if (owner.lookup(use.getOwner()) == consumer &&
          !readsInPlace(use, producer, consumer))
        return false;
  // At most one op that can fail: its error cell has one meaning.
  auto fails = [](Operation *op) {
    return isa<tgx::CheckIndexOp, tgx::CheckDivisorOp>(op);
  };
  if (llvm::any_of(producer->ops, fails) && llvm::any_of(consumer->ops, fails))
    return false;
  if (hasOtherPath(producer, consumer))
    return false;
  merge(producer, consumer);
  return true;
}

/// Whether a path leads from one cluster to the other through further ops:
/// merged, they would have to run before and after those.
bool FusionPlan::hasOtherPath(Cluster *from, Cluster *to) const {
  SmallVector<Operation *> worklist;
  llvm::SmallPtrSet<Operation *, 32> seen;
  auto push = [&](Operation *op) {
    Cluster *cluster = owner.lookup(op);
    if (!cluster) {
      if (seen.insert(op).second)
        worklist.push_back(op);
      return;
    }
    for (Operation *member : cluster->ops)
      if (seen.insert(member).second)
        worklist.push_back(member);
  };
  for (Operation *op : from->ops)
    for (Operation *user : op->getUsers())
      if (Cluster *cluster = owner.lookup(user);
          cluster != from && cluster != to)
        push(user);
  while (!worklist.empty())
    for (Operation *user : worklist.pop_back_val()->getUsers()) {
      if (owner.lookup(user) == to)
        return true;
      push(user);
    }
  return false;
}

void FusionPlan::merge(Cluster *producer, Cluster *consumer) {
  bool producerLeads = consumer->strategy == Strategy::loop;
  if (producerLeads) {
    consumer->strategy = producer->strategy;
    consumer->space = producer->space;
    consumer->axes = producer->axes;
  }
  llvm::append_range(consumer->ops, producer->ops);
  llvm::sort(consumer->ops,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  for (Operation *op : producer->ops)
    owner[op] = consumer;
  producer->ops.clear();
}
