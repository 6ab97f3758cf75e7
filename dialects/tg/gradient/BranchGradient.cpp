//===- BranchGradient.cpp - the gradient of if ----------------------------===//
#include "dialects/tg/Builders.h"
#include "dialects/tg/gradient/ForwardValues.h"
#include "dialects/tg/gradient/RegionCotangents.h"
#include "dialects/tg/ops/control/ControlOps.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tg;

SmallVector<ValueFlow> IfOp::getValueFlows() {
  SmallVector<ValueFlow> flows;
  for (Region *region : getRegions())
    for (OpOperand &end : region->front().getTerminator()->getOpOperands())
      flows.push_back({&end, getResult(end.getOperandNumber())});
  return flows;
}

namespace {
/// Builds the gradient of one `if`.
class IfGradient {
public:
  IfGradient(IfOp op, OpBuilder &builder, ValueRange cotangents,
             RegionDifferentiator &differentiator)
      : op(op), builder(builder), cotangents(cotangents),
        differentiator(differentiator) {}

  FailureOr<ValueCotangents> build();

private:
  /// A forward region, its backward code, and the cotangents that this code
  /// computes.
  struct Branch {
    Region *forward;
    std::unique_ptr<BackwardBlock> backward;
    ValueCotangents found;
    std::unique_ptr<ForwardValues> values;
    /// The forward values that the backward code uses.
    SmallVector<Value> needed;
  };

  LogicalResult buildBranch(Branch &branch);
  /// Makes a branch yield the cotangents of `targets`.
  void yieldCotangents(Branch &branch, ArrayRef<Value> targets);
  /// Makes the forward `if` return the values that the branches need.
  void extendForward();
  /// Makes a forward branch yield the values that its backward code needs, and
  /// the other branch zeros in their place.
  void yieldNeeded(Branch &branch, Branch &other);

  IfOp op;
  OpBuilder &builder;
  ValueRange cotangents;
  RegionDifferentiator &differentiator;
  Branch branches[2];
};
} // namespace

LogicalResult IfGradient::buildBranch(Branch &branch) {
  branch.backward = std::make_unique<BackwardBlock>(builder, op.getLoc());
  Block &block = branch.backward->get();
  OpBuilder inside = OpBuilder::atBlockEnd(&block, builder.getListener());
  Operation *end = branch.forward->front().getTerminator();
  Cotangents seeds;
  for (auto [value, cotangent] :
       llvm::zip_equal(end->getOperands(), cotangents))
    if (cotangent && differentiator.isActive(value))
      addCotangent(inside, seeds, value, cotangent);
  FailureOr<Cotangents> found =
      differentiator.differentiate(end->getPrevNode(), seeds, inside);
  if (failed(found))
    return failure();
  branch.found = findOutside(*found, *branch.forward, differentiator);
  return success();
}

void IfGradient::yieldCotangents(Branch &branch, ArrayRef<Value> targets) {
  Block &block = branch.backward->get();
  OpBuilder inside = OpBuilder::atBlockEnd(&block, builder.getListener());
  SmallVector<Value> yielded;
  for (Value value : targets) {
    auto found = llvm::find_if(
        branch.found, [&](const auto &pair) { return pair.first == value; });
    // Both branches of an `if` must yield equal extents, but the extents of the
    // cotangent may be known to equal those of the value only in one branch.
    yielded.push_back(found != branch.found.end()
                          ? buildBroadcastLike(inside, found->second, value)
                          : buildZerosLike(inside, value));
  }
  YieldOp::create(inside, op.getLoc(), yielded);
  branch.values = std::make_unique<ForwardValues>(
      op, branch.forward->front(), block, builder, differentiator,
      /*isLoop=*/false);
  branch.needed = branch.values->resolve();
}

void IfGradient::yieldNeeded(Branch &branch, Branch &other) {
  Operation *end = branch.forward->front().getTerminator();
  Operation *otherEnd = other.forward->front().getTerminator();
  OpBuilder inside(otherEnd);
  for (Value value : branch.needed) {
    end->insertOperands(end->getNumOperands(), value);
    Value zeros = branch.values->buildZeros(inside, value, {}, /*missing=*/0);
    otherEnd->insertOperands(
        otherEnd->getNumOperands(),
        buildOfType(inside, op.getLoc(), zeros,
                    cast<RankedTensorType>(value.getType())));
  }
}

/// Replaces needed values that are already results of the `if` by these
/// results, and removes them from `needed`.
static void useResults(IfOp op, Region &region, ForwardValues &values,
                       SmallVector<Value> &needed) {
  Operation *end = region.front().getTerminator();
  for (auto [result, value] :
       llvm::zip_equal(op.getResults(), end->getOperands()))
    if (result.getType() == value.getType() &&
        llvm::is_contained(needed, value)) {
      values.replace(value, result);
      llvm::erase(needed, value);
    }
}

void IfGradient::extendForward() {
  SmallVector<Type> types(op.getResultTypes());
  for (Branch &branch : branches) {
    useResults(op, *branch.forward, *branch.values, branch.needed);
    for (Value value : branch.needed)
      types.push_back(value.getType());
  }
  if (types.size() == op.getNumResults())
    return;
  yieldNeeded(branches[0], branches[1]);
  yieldNeeded(branches[1], branches[0]);
  OpBuilder before(op);
  auto extended = IfOp::create(before, op.getLoc(), types, op.getCondition());
  copyDiscardable(op, extended);
  extended.getThenRegion().takeBody(op.getThenRegion());
  extended.getElseRegion().takeBody(op.getElseRegion());
  ResultRange results = extended.getResults();
  ResultRange newResults = results.drop_front(op.getNumResults());
  for (Branch &branch : branches)
    for (Value value : branch.needed) {
      branch.values->replace(value, newResults.front());
      newResults = newResults.drop_front();
    }
  differentiator.replace(op, results.take_front(op.getNumResults()));
}

FailureOr<ValueCotangents> IfGradient::build() {
  branches[0].forward = &op.getThenRegion();
  branches[1].forward = &op.getElseRegion();
  SmallVector<Value> targets;
  for (Branch &branch : branches) {
    if (failed(buildBranch(branch)))
      return failure();
    for (auto [value, cotangent] : branch.found)
      if (!llvm::is_contained(targets, value))
        targets.push_back(value);
  }
  if (targets.empty())
    return ValueCotangents();
  for (Branch &branch : branches)
    yieldCotangents(branch, targets);
  SmallVector<Type> types =
      llvm::map_to_vector(targets, [](Value value) { return value.getType(); });
  auto backward = IfOp::create(builder, op.getLoc(), types, op.getCondition());
  backward.getThenRegion().takeBody(branches[0].backward->getRegion());
  backward.getElseRegion().takeBody(branches[1].backward->getRegion());
  extendForward();
  ValueCotangents found;
  for (auto [value, cotangent] :
       llvm::zip_equal(targets, backward.getResults()))
    found.push_back({value, cotangent});
  return found;
}

FailureOr<ValueCotangents>
IfOp::buildRegionGradient(OpBuilder &builder, ValueRange cotangents,
                          RegionDifferentiator &differentiator) {
  return IfGradient(*this, builder, cotangents, differentiator).build();
}
