//===- OpChain.cpp - cheap ops that kernels may compute again -------------===//
#include "compiler/transforms/fusion/OpChain.h"
#include "compiler/transforms/shapes/FunctionSymbols.h"

using namespace mlir;
using namespace tg;

/// A value is small compared with a value that has at least this many times its
/// bytes. Reading the small one then counts as free.
static constexpr int64_t kSmallRatio = 8;

/// The number of ops that take about as long as loading a vector of their
/// result from memory.
static constexpr size_t kMaxOps = 8;

bool tg::isCheapToRecompute(Operation *op) {
  auto rule = dyn_cast_or_null<ElementwiseOpInterface>(op);
  return rule && !rule.isTranscendental() &&
         !isa<tgx::ElementCheckOpInterface>(op);
}

OpChain::OpChain(Value value, const FusionPlan &plan,
                 const ExtentAnalysis &extents,
                 llvm::function_ref<bool(Value)> isLeaf)
    : value(value), plan(plan), extents(extents) {
  Operation *op = value.getDefiningOp();
  chain.strategy = &FusionStrategy::of(op);
  chain.space = SmallVector<AffineExpr>(extents.extentsOf(value));
  add(op, isLeaf);
}

void OpChain::add(Operation *op, llvm::function_ref<bool(Value)> isLeaf) {
  // Each op with the number of its operands that were visited.
  SmallVector<std::pair<Operation *, unsigned>> path = {{op, 0}};
  while (!path.empty()) {
    auto &[current, nextOperand] = path.back();
    if (nextOperand == current->getNumOperands()) {
      chain.ops.push_back(current);
      path.pop_back();
      continue;
    }
    Value operand = current->getOperand(nextOperand++);
    Operation *source = operand.getDefiningOp();
    if (llvm::is_contained(chain.ops, source) ||
        (source && isClonedIntoKernels(source)))
      continue;
    if (isLeaf(operand) || !plan.clusterOf(source) ||
        extents.extentsOf(operand) != ArrayRef(chain.space))
      leaves.insert(operand);
    else
      path.push_back({source, 0});
  }
}

bool OpChain::fitsInto(const Cluster &cluster, OpOperand &use) const {
  return plan.countFreeOps(cluster) >= chain.ops.size() &&
         leaderOf(chain, cluster)
             .strategy->accept(use, chain, cluster, extents)
             .has_value();
}

int64_t OpChain::countBytes(Value read) const {
  int64_t whole = plannedNumber(extents.countBytes(value));
  int64_t bytes = plannedNumber(extents.countBytes(read));
  return read != value && bytes * kSmallRatio <= whole ? 0 : bytes;
}

bool OpChain::isShort() const { return chain.ops.size() <= kMaxOps; }

bool tg::readsElements(const Cluster &cluster, Value value,
                       const FusionPlan &plan) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    return plan.clusterOf(user) == &cluster &&
           (isElementwise(user) || isa<ReductionOpInterface>(user));
  });
}

int64_t OpChain::countAddedBytes(const Cluster &cluster) const {
  int64_t bytes = 0;
  for (Value leaf : leaves)
    if (!readsElements(cluster, leaf, plan))
      bytes += countBytes(leaf);
  return bytes;
}

int64_t OpChain::countWrittenBytes() const {
  int64_t bytes = 0;
  for (Value leaf : leaves)
    if (plan.isInternal(leaf))
      bytes += countBytes(leaf);
  return bytes;
}

Value OpChain::copyInto(Cluster &cluster, FusionPlan &plan,
                        ExtentAnalysis &extents) const {
  OpBuilder builder(cluster.ops.front());
  IRMapping values;
  SmallVector<Operation *> copies;
  for (Operation *op : chain.ops) {
    Operation *copy = builder.clone(*op, values);
    extents.setExtents(copy->getResult(0),
                       SmallVector<AffineExpr>(chain.space));
    copies.push_back(copy);
  }
  plan.prependOps(copies, cluster);
  return values.lookup(value);
}
