//===- RepeatedOps.cpp - ops that kernels compute instead of reading ------===//
#include "compiler/transforms/RepeatedOps.h"
#include "compiler/transforms/FunctionSymbols.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace tg;

/// A value is small beside one of so many times its bytes: reading it costs
/// nothing.
static constexpr int64_t kSmallShare = 8;

/// Ops that are computed again where a value is read: about what a vector of it
/// takes from memory.
static constexpr size_t kMaximumChain = 8;

static bool isCheap(Operation *op) {
  auto rule = dyn_cast<ElementwiseOpInterface>(op);
  return rule && !rule.isTranscendental() && !isa<RunTimeCheckOpInterface>(op);
}

namespace {
/// A value of a cluster that other clusters use, and the cheap ops that compute
/// it.
class CheapValue {
public:
  CheapValue(Operation *op, FusionPlan &plan, ExtentAnalysis &extents)
      : op(op), result(op->getResult(0)), own(plan.clusterOf(op)), plan(plan),
        extents(extents) {}

  /// Repeats ops where the value is used, if that saves memory.
  bool repeat() {
    if (!isCheap(op))
      return false;
    llvm::MapVector<Cluster *, SmallVector<OpOperand *>> users = findUsers();
    if (repeatForAll(users))
      return true;
    bool repeats = false;
    for (auto &[cluster, uses] : users)
      repeats |= repeatForReader(cluster, uses);
    return repeats;
  }

private:
  /// The other clusters, each with its uses; null for what is in no kernel.
  llvm::MapVector<Cluster *, SmallVector<OpOperand *>> findUsers() const {
    llvm::MapVector<Cluster *, SmallVector<OpOperand *>> users;
    for (OpOperand &use : op->getUses())
      if (Cluster *user = plan.clusterOf(use.getOwner()); user != own)
        users[user].push_back(&use);
    return users;
  }

  /// Repeats the op alone for all users, which read its one operand instead.
  bool repeatForAll(
      const llvm::MapVector<Cluster *, SmallVector<OpOperand *>> &users) {
    if (users.empty() || !readsOneOfMemory() ||
        !llvm::all_of(users, [&](const auto &user) {
          return user.first && accepts(op, *user.first, user.second);
        }))
      return false;
    for (auto &[cluster, uses] : users)
      copyInto(op, *cluster, uses);
    return true;
  }

  /// Repeats what computes the value of others that the user reads anyway.
  bool repeatForReader(Cluster *user, ArrayRef<OpOperand *> uses) {
    SmallVector<Operation *> chain;
    if (!user || !findChain(op, *user, chain))
      return false;
    llvm::sort(chain, [](Operation *a, Operation *b) {
      return a->isBeforeInBlock(b);
    });
    if (!accepts(chain, *user, uses))
      return false;
    copyInto(chain, *user, uses);
    return true;
  }

  /// Whether a value is in memory, whether the op is repeated or not.
  bool liesInMemory(Value value) const {
    Operation *source = value.getDefiningOp();
    return !source || plan.clusterOf(source) != own ||
           llvm::any_of(value.getUsers(), [&](Operation *user) {
             return plan.clusterOf(user) != own;
           });
  }

  /// Whether a value has the result's extents.
  bool isWhole(Value value) const {
    return extents.extentsOf(value) == extents.extentsOf(result);
  }

  bool isSmall(Value value) const {
    return plannedNumber(extents.countBytes(value)) * kSmallShare <=
           plannedNumber(extents.countBytes(result));
  }

  /// Whether the op reads one value of the result's extents, of no more bytes
  /// and in memory, and other values that are small.
  bool readsOneOfMemory() const {
    llvm::SmallPtrSet<Value, 2> whole;
    for (Value operand : op->getOperands()) {
      if (!liesInMemory(operand))
        return false;
      if (isWhole(operand))
        whole.insert(operand);
      else if (!isSmall(operand))
        return false;
    }
    return whole.size() == 1 &&
           plannedNumber(extents.countBytes(*whole.begin())) <=
               plannedNumber(extents.countBytes(result));
  }

  /// Whether a cluster reads elements of a value that it does not compute.
  bool reads(Value value, const Cluster &cluster) const {
    Operation *source = value.getDefiningOp();
    return (!source || plan.clusterOf(source) != &cluster) &&
           llvm::any_of(value.getUsers(), [&](Operation *user) {
             return plan.clusterOf(user) == &cluster &&
                    (isElementwise(user) || isa<ReductionOpInterface>(user));
           });
  }

  /// Collects the ops from those values on that a cluster reads; false where
  /// it would have to read more than small ones.
  bool findChain(Operation *last, const Cluster &reader,
                 SmallVector<Operation *> &chain) const {
    if (llvm::is_contained(chain, last))
      return true;
    if (!isCheap(last) || plan.clusterOf(last) != own ||
        chain.size() == kMaximumChain)
      return false;
    chain.push_back(last);
    return llvm::all_of(last->getOperands(), [&](Value operand) {
      if (!isWhole(operand))
        return isSmall(operand) && liesInMemory(operand);
      if (reads(operand, reader))
        return true;
      Operation *source = operand.getDefiningOp();
      return source && findChain(source, reader, chain);
    });
  }

  /// Whether a cluster can compute the chain where it uses the value.
  bool accepts(ArrayRef<Operation *> chain, const Cluster &user,
               ArrayRef<OpOperand *> uses) const {
    Cluster alone;
    alone.strategy = &FusionStrategy::of(op);
    alone.space = SmallVector<AffineExpr>(extents.extentsOf(result));
    alone.ops = SmallVector<Operation *>(chain);
    return plan.hasRoom(user, chain.size()) &&
           llvm::all_of(uses, [&](OpOperand *use) {
             return leaderOf(alone, user)
                 .strategy->accept(*use, alone, user, extents)
                 .has_value();
           });
  }

  void copyInto(ArrayRef<Operation *> chain, Cluster &cluster,
                ArrayRef<OpOperand *> uses) {
    OpBuilder builder(cluster.ops.front());
    IRMapping copies;
    for (Operation *each : chain)
      builder.clone(*each, copies);
    for (Operation *each : llvm::reverse(chain)) {
      Value copy = copies.lookup(each->getResult(0));
      extents.setExtents(
          copy, SmallVector<AffineExpr>(extents.extentsOf(each->getResult(0))));
      plan.addFirst(copy.getDefiningOp(), cluster);
    }
    for (OpOperand *use : uses)
      use->set(copies.lookup(result));
  }

  Operation *op;
  Value result;
  Cluster *own;
  FusionPlan &plan;
  ExtentAnalysis &extents;
};
} // namespace

unsigned tg::repeatCheapOps(FusionPlan &plan, ExtentAnalysis &extents) {
  unsigned count = 0;
  // Those that were repeated may be made of what comes before them.
  SmallVector<Cluster *> clusters = plan.getClusters();
  for (Cluster *cluster : llvm::reverse(clusters)) {
    SmallVector<Operation *> ops = cluster->ops;
    for (Operation *op : llvm::reverse(ops))
      count += CheapValue(op, plan, extents).repeat();
  }
  return count;
}
