//===- FusionPlan.cpp - the clusters of ops that share a kernel -----------===//
#include "compiler/transforms/fusion/FusionPlan.h"
#include "compiler/transforms/loops/NestedBlocks.h"
#include "dialects/tg/ops/movement/ConstantOps.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tg;

//===----------------------------------------------------------------------===//
// Kinds of ops
//===----------------------------------------------------------------------===//

static bool isSplatConstant(Operation *op) {
  auto constant = dyn_cast<ConstantOp>(op);
  auto dense =
      constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : nullptr;
  return dense && dense.isSplat();
}

bool tg::isClonedIntoKernels(Operation *op) {
  if (isa<tgx::SizeOp>(op) || isSplatConstant(op))
    return true;
  if (!isa<ElementOpInterface>(op) || isElementwise(op))
    return false;
  // At most one constant is allowed: chains of such ops would otherwise double
  // from op to op.
  unsigned constants = 0;
  for (Value operand : op->getOperands()) {
    Operation *source = operand.getDefiningOp();
    if (!source || !(isa<tgx::SizeOp>(source) || isSplatConstant(source)))
      return false;
    constants += !isa<tgx::SizeOp>(source);
  }
  return constants <= 1;
}

bool tg::isComputed(Operation *op) {
  return op->getNumResults() > 0 && isMemoryEffectFree(op) &&
         !op->hasTrait<mlir::OpTrait::ConstantLike>() &&
         !isa<ViewOpInterface, HostOpInterface, RegionOpInterface, tgx::CallOp,
              tgx::JoinOp>(op) &&
         !isClonedIntoKernels(op);
}

//===----------------------------------------------------------------------===//
// FusionPlan
//===----------------------------------------------------------------------===//

FusionPlan::FusionPlan(Block &body, const ExtentAnalysis &extents,
                       const FusionLimits &limits)
    : body(body), extents(extents), dataDependent(body, extents),
      limits(limits) {
  for (Operation &op : body)
    if (isComputed(&op))
      addCluster(&op);
  buildGraph();
}

void FusionPlan::addCluster(Operation *op) {
  auto cluster = std::make_unique<Cluster>();
  cluster->strategy = &FusionStrategy::of(op);
  cluster->strategy->setSpace(*cluster, op, extents, limits);
  cluster->ops.push_back(op);
  auto check = dyn_cast<tgx::ElementCheckOpInterface>(op);
  cluster->canFail = check && !check.isObserver();
  owner[op] = cluster.get();
  clusters.push_back(std::move(cluster));
}

void FusionPlan::buildGraph() {
  llvm::DenseMap<Operation *, unsigned> nodes;
  Operation *lastEffect = nullptr;
  for (Operation &op : body) {
    unsigned node = nodes[&op] = graph.addNode();
    if (Cluster *cluster = clusterOf(&op))
      cluster->node = node;
    if (hasHostEffects(&op))
      effectsBefore[&op] = std::exchange(lastEffect, &op);
    for (Operation *source : predecessorsOf(&op))
      graph.addEdge(nodes.lookup(source), node);
  }
  graph.indexPaths();
}

SmallVector<Operation *> FusionPlan::predecessorsOf(Operation *op) const {
  SmallVector<Operation *> before = producersInBlock(op);
  llvm::append_range(before, dataDependent.measuresFor(op));
  if (Operation *effect = effectsBefore.lookup(op))
    before.push_back(effect);
  return before;
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

unsigned FusionPlan::fuse() {
  unsigned merges = mergeAll(/*sinking=*/true);
  return merges + mergeAll(/*sinking=*/false);
}

unsigned FusionPlan::sinkRemaining() {
  for (const std::unique_ptr<Cluster> &cluster : clusters)
    cluster->isLeftover = true;
  return mergeAll(/*sinking=*/true);
}

unsigned FusionPlan::mergeAll(bool sinking) {
  // Every pair is new to the first round of a kind.
  for (const std::unique_ptr<Cluster> &cluster : clusters)
    cluster->lastChanged = round;
  unsigned total = 0;
  while (unsigned merges = mergeRound(sinking))
    total += merges;
  return total;
}

unsigned FusionPlan::mergeRound(bool sinking) {
  unsigned merges = 0;
  SmallVector<Cluster *> order = getClusters();
  ++round;
  for (Cluster *consumer : llvm::reverse(order)) {
    if (consumer->ops.empty())
      continue;
    for (Cluster *producer : producersOf(consumer)) {
      // A pair that did not fit in the last round does not fit now.
      if (std::max(producer->lastChanged, consumer->lastChanged) + 1 < round)
        continue;
      bool sinks =
          producer->strategy->isLowestRank() && servesOnly(producer, consumer);
      if ((!sinking || sinks) && tryMerge(producer, consumer))
        ++merges;
    }
  }
  return merges;
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

/// Returns the bytes that are not read from memory after a merge; none if the
/// merged kernel could not compute one of the values where it is used.
std::optional<int64_t> FusionPlan::findSavedBytes(Cluster *producer,
                                                  Cluster *consumer) const {
  const FusionStrategy &strategy = *leaderOf(*producer, *consumer).strategy;
  int64_t total = 0;
  for (Operation *op : consumer->ops)
    for (OpOperand &use : op->getOpOperands()) {
      Operation *source = use.get().getDefiningOp();
      if (!source || owner.lookup(source) != producer)
        continue;
      std::optional<int64_t> saved =
          strategy.accept(use, *producer, *consumer, extents);
      if (!saved)
        return std::nullopt;
      total += *saved;
    }
  return total;
}

bool FusionPlan::tryMerge(Cluster *producer, Cluster *consumer) {
  // A kernel has at most one check that replaces bad elements. Two such checks
  // stay in two kernels: if the first one fails, the second kernel does not
  // run, so the first failure is reported.
  if (producer->ops.size() + consumer->ops.size() > limits.maximumOps ||
      (producer->canFail && consumer->canFail))
    return false;
  std::optional<int64_t> saved = findSavedBytes(producer, consumer);
  // If there is another path, the ops on it would have to run both before and
  // after the merged cluster.
  if (!saved || !graph.merge(producer->node, consumer->node))
    return false;
  savedBytes += *saved;
  merge(producer, consumer);
  return true;
}

void FusionPlan::merge(Cluster *producer, Cluster *consumer) {
  if (&leaderOf(*producer, *consumer) == producer) {
    consumer->strategy = producer->strategy;
    consumer->space = producer->space;
    consumer->rowOrder = producer->rowOrder;
    consumer->lhs = producer->lhs;
  }
  if (consumer->axes.empty())
    consumer->axes = producer->axes;
  SmallVector<Operation *> ops;
  std::merge(producer->ops.begin(), producer->ops.end(), consumer->ops.begin(),
             consumer->ops.end(), std::back_inserter(ops),
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  consumer->ops = std::move(ops);
  for (Operation *op : producer->ops)
    owner[op] = consumer;
  producer->ops.clear();
  consumer->canFail |= producer->canFail;
  consumer->lastChanged = round;
}

bool FusionPlan::isInternal(Value value) const {
  Cluster *own = clusterOf(value.getDefiningOp());
  return own && llvm::all_of(value.getUsers(), [&](Operation *user) {
           return clusterOf(user) == own;
         });
}

void FusionPlan::prependOps(ArrayRef<Operation *> ops, Cluster &cluster) {
  cluster.ops.insert(cluster.ops.begin(), ops.begin(), ops.end());
  for (Operation *op : ops)
    owner[op] = &cluster;
}

void FusionPlan::addOrder(const Cluster &first, const Cluster &second) {
  [[maybe_unused]] bool isOrdered = graph.addEdge(first.node, second.node);
  assert(isOrdered && "no path leads the other way");
}

void FusionPlan::eraseUnused() {
  // Rematerialized ops may come after their users in the block, so that one
  // visit may not reach all unused ops.
  for (bool isDone = false; !isDone;) {
    isDone = true;
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(getBody()))) {
      if (!isOpTriviallyDead(&op))
        continue;
      if (Cluster *cluster = clusterOf(&op)) {
        llvm::erase(cluster->ops, &op);
        owner.erase(&op);
      }
      op.erase();
      isDone = false;
    }
  }
}
