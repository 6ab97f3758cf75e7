//===- RepeatedOps.cpp - ops that kernels compute instead of reading ------===//
#include "compiler/transforms/RepeatedOps.h"
#include "compiler/transforms/FunctionSymbols.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace tg;

/// A value is small beside one of so many times its bytes: reading it costs
/// nothing.
static constexpr int64_t kSmallShare = 8;

namespace {
/// An op of a cluster whose result other clusters use.
class CheapOp {
public:
  CheapOp(Operation *op, FusionPlan &plan, ExtentAnalysis &extents)
      : op(op), own(plan.clusterOf(op)), plan(plan), extents(extents) {}

  /// Repeats the op where its result is used, if that saves memory.
  bool repeat() {
    if (!isCheap() || !readsOneOfMemory())
      return false;
    llvm::MapVector<Cluster *, SmallVector<OpOperand *>> users;
    if (!findUsers(users))
      return false;
    for (auto &[cluster, uses] : users)
      copyInto(*cluster, uses);
    return true;
  }

private:
  bool isCheap() const {
    auto rule = dyn_cast<ElementwiseOpInterface>(op);
    return rule && !rule.isTranscendental() &&
           !isa<RunTimeCheckOpInterface>(op);
  }

  /// Whether a value is in memory, whether the op is repeated or not.
  bool liesInMemory(Value value) const {
    Operation *source = value.getDefiningOp();
    return !source || plan.clusterOf(source) != own ||
           llvm::any_of(value.getUsers(), [&](Operation *user) {
             return plan.clusterOf(user) != own;
           });
  }

  /// Whether the op reads one value of the result's extents, of no more bytes
  /// and in memory, and other values that are small.
  bool readsOneOfMemory() const {
    Value result = op->getResult(0);
    int64_t bytes = plannedNumber(extents.countBytes(result));
    llvm::SmallPtrSet<Value, 2> whole;
    for (Value operand : op->getOperands()) {
      if (!liesInMemory(operand))
        return false;
      if (extents.extentsOf(operand) == extents.extentsOf(result))
        whole.insert(operand);
      else if (plannedNumber(extents.countBytes(operand)) * kSmallShare > bytes)
        return false;
    }
    return whole.size() == 1 &&
           plannedNumber(extents.countBytes(*whole.begin())) <= bytes;
  }

  /// The clusters that use the result, each with its uses; false where there
  /// are none, or one cannot compute it.
  bool
  findUsers(llvm::MapVector<Cluster *, SmallVector<OpOperand *>> &users) const {
    Cluster alone;
    alone.strategy = &FusionStrategy::of(op);
    alone.space = SmallVector<AffineExpr>(extents.extentsOf(op->getResult(0)));
    alone.ops = {op};
    for (OpOperand &use : op->getUses()) {
      Cluster *user = plan.clusterOf(use.getOwner());
      if (user == own)
        continue;
      if (!user || !plan.hasRoom(*user) ||
          !leaderOf(alone, *user).strategy->accept(use, alone, *user, extents))
        return false;
      users[user].push_back(&use);
    }
    return !users.empty();
  }

  void copyInto(Cluster &cluster, ArrayRef<OpOperand *> uses) {
    OpBuilder builder(cluster.ops.front());
    Operation *copy = builder.clone(*op);
    Value result = copy->getResult(0);
    extents.setExtents(
        result, SmallVector<AffineExpr>(extents.extentsOf(op->getResult(0))));
    for (OpOperand *use : uses)
      use->set(result);
    plan.addFirst(copy, cluster);
  }

  Operation *op;
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
      count += CheapOp(op, plan, extents).repeat();
  }
  return count;
}
