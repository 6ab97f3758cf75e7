//===- RecomputedOps.cpp - recomputation of cheap ops in kernels ----------===//
#include "compiler/transforms/fusion/RecomputedOps.h"
#include "compiler/transforms/fusion/ClusterOrder.h"
#include "compiler/transforms/fusion/MinimumCut.h"
#include "compiler/transforms/fusion/OpChain.h"
#include "compiler/transforms/shapes/FunctionSymbols.h"

using namespace mlir;
using namespace tg;

/// The upper bound of values that the search for one chain visits.
static constexpr size_t kMaxValues = 32;

namespace {
/// A value of a cluster that other clusters use.
class SharedValue {
public:
  SharedValue(Value value, FusionPlan &plan, ExtentAnalysis &extents)
      : value(value), own(plan.clusterOf(value.getDefiningOp())), plan(plan),
        extents(extents) {}

  /// Makes all users compute the value, if that saves bytes.
  bool recomputeForAll(const ClusterOrder &order);
  /// Makes each user compute the value that reads no more bytes if it does.
  /// Returns the number of these users.
  unsigned recomputeForReaders();

private:
  bool findUsers();
  int64_t costOf(Value leaf, const ClusterUses &users) const;
  OpChain findChain(const ClusterUses &users) const;
  bool fits(const OpChain &chain, const ClusterUses &users) const;
  bool reducesTraffic(const OpChain &chain, const ClusterOrder &order) const;
  void copy(const OpChain &chain, const ClusterUses &users);

  Value value;
  Cluster *own;
  FusionPlan &plan;
  ExtentAnalysis &extents;
  ClusterUses users;
};
} // namespace

/// Finds the other clusters that use the value. Returns false if there are
/// none, or if an op outside of clusters needs the value.
bool SharedValue::findUsers() {
  bool areAllInClusters = true;
  for (OpOperand &use : value.getUses()) {
    Cluster *user = plan.clusterOf(use.getOwner());
    areAllInClusters &= user != nullptr;
    if (user && user != own)
      users[user].push_back(&use);
  }
  return areAllInClusters && !users.empty();
}

/// Returns the additional bytes that users read and a cluster writes if the
/// chain begins with `leaf`.
int64_t SharedValue::costOf(Value leaf, const ClusterUses &users) const {
  int64_t bytes = plannedNumber(extents.countBytes(leaf));
  int64_t cost = plan.isInternal(leaf) ? bytes : 0;
  for (const auto &entry : users)
    if (!readsElements(*entry.first, leaf, plan))
      cost += bytes;
  return cost;
}

/// Returns the chain whose leaves cost the users the fewest bytes.
OpChain SharedValue::findChain(const ClusterUses &users) const {
  MinimumCut cut;
  llvm::SetVector<Value> values;
  auto isRecomputable = [&](Value each) {
    return isCheapToRecompute(each.getDefiningOp()) &&
           plan.clusterOf(each.getDefiningOp()) && values.size() < kMaxValues &&
           extents.extentsOf(each) == extents.extentsOf(value);
  };
  values.insert(value);
  cut.addSink(cut.addNode(MinimumCut::kNever));
  for (unsigned node = 0; node < values.size(); ++node) {
    if (node > 0 && !isRecomputable(values[node])) {
      cut.addSource(node);
      continue;
    }
    for (Value operand : values[node].getDefiningOp()->getOperands()) {
      Operation *source = operand.getDefiningOp();
      if (source && isClonedIntoKernels(source))
        continue;
      if (values.insert(operand))
        cut.addNode(costOf(operand, users));
      unsigned from = llvm::find(values, operand) - values.begin();
      cut.addEdge(from, node);
    }
  }
  llvm::DenseSet<Value> leaves;
  for (MinimumCut::Node node : cut.find())
    leaves.insert(values[node]);
  return OpChain(value, plan, extents,
                 [&](Value each) { return leaves.contains(each); });
}

bool SharedValue::fits(const OpChain &chain, const ClusterUses &users) const {
  return chain.isShort() && llvm::all_of(users, [&](const auto &entry) {
           return llvm::all_of(entry.second, [&](OpOperand *use) {
             return chain.fitsInto(*entry.first, *use);
           });
         });
}

/// Returns true if fewer bytes are read and written when all users compute the
/// value, and no more bytes are live: leaves that would otherwise have died
/// earlier replace the value.
bool SharedValue::reducesTraffic(const OpChain &chain,
                                 const ClusterOrder &order) const {
  int64_t bytes = chain.countBytes(value);
  int64_t traffic = chain.countWrittenBytes() - bytes;
  int64_t live = 0;
  unsigned last = 0;
  for (const auto &entry : users) {
    traffic += chain.countAddedBytes(*entry.first) - bytes;
    last = std::max(last, order.positionOf(entry.first));
  }
  for (Value leaf : chain.getLeaves())
    if (leaf.getDefiningOp() && order.lastUseOf(leaf) < last)
      live += chain.countBytes(leaf);
  return traffic < 0 && live <= bytes;
}

void SharedValue::copy(const OpChain &chain, const ClusterUses &users) {
  for (const auto &[cluster, uses] : users) {
    Value copied = chain.copyInto(*cluster, plan, extents);
    for (OpOperand *use : uses)
      use->set(copied);
  }
}

bool SharedValue::recomputeForAll(const ClusterOrder &order) {
  if (!findUsers())
    return false;
  OpChain chain = findChain(users);
  if (!fits(chain, users) || !reducesTraffic(chain, order))
    return false;
  copy(chain, users);
  return true;
}

unsigned SharedValue::recomputeForReaders() {
  unsigned count = 0;
  findUsers();
  for (const auto &[cluster, uses] : users) {
    ClusterUses reader;
    reader[cluster] = uses;
    OpChain chain = findChain(reader);
    if (chain.countAddedBytes(*cluster) > 0 || chain.countWrittenBytes() > 0 ||
        !fits(chain, reader))
      continue;
    copy(chain, reader);
    ++count;
  }
  return count;
}

/// Visits the values of clusters, last first, because a repeated chain may be
/// computed from earlier values.
static unsigned visit(FusionPlan &plan,
                      llvm::function_ref<unsigned(Value)> recompute) {
  unsigned count = 0;
  SmallVector<Cluster *> clusters = plan.getClusters();
  for (Cluster *cluster : llvm::reverse(clusters)) {
    SmallVector<Operation *> ops = cluster->ops;
    for (Operation *op : llvm::reverse(ops))
      if (isCheapToRecompute(op))
        count += recompute(op->getResult(0));
  }
  return count;
}

unsigned tg::recomputeForAll(FusionPlan &plan, ExtentAnalysis &extents) {
  ClusterOrder order(plan);
  return visit(plan, [&](Value value) {
    return SharedValue(value, plan, extents).recomputeForAll(order);
  });
}

unsigned tg::recomputeForReaders(FusionPlan &plan, ExtentAnalysis &extents) {
  return visit(plan, [&](Value value) {
    return SharedValue(value, plan, extents).recomputeForReaders();
  });
}
