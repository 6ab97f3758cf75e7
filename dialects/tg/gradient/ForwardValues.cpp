//===- ForwardValues.cpp - values that backward code saves or recomputes --===//
#include "dialects/tg/gradient/ForwardValues.h"
#include "dialects/tg/Builders.h"
#include "dialects/tg/Tg.h"
#include "dialects/tg/ops/movement/ConstantOps.h"
#include "dialects/tg/ops/movement/ShapeOps.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace tg;

ForwardValues::ForwardValues(Operation *op, Block &forward, Block &backward,
                             OpBuilder &outside,
                             RegionDifferentiator &differentiator, bool isLoop)
    : op(op), forward(forward), backward(backward), outside(outside),
      inside(OpBuilder::atBlockBegin(&backward, outside.getListener())),
      differentiator(differentiator), isLoop(isLoop) {
  available.insert_range(op->getOperands());
  getUsedValuesDefinedAbove(op->getRegions(), available);
}

Value ForwardValues::buildExtent(OpBuilder &builder, Value value,
                                 unsigned axis) {
  return differentiator.buildExtent(builder, op->getLoc(), value, axis,
                                    available.getArrayRef());
}

Value ForwardValues::buildZeros(OpBuilder &builder, Value value,
                                ArrayRef<int64_t> leading, int64_t missing) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(leading);
  SmallVector<Value> dynamic;
  for (auto [axis, extent] : llvm::enumerate(type.getShape())) {
    shape.push_back(extent);
    if (!ShapedType::isDynamic(extent))
      continue;
    shape.back() = -1;
    Value known = buildExtent(builder, value, axis);
    if (!known && missing < 0)
      return {};
    dynamic.push_back(known ? known
                            : buildScalarConstant(builder, op->getLoc(),
                                                  builder.getI64Type(),
                                                  double(missing)));
  }
  Value zero =
      buildScalarConstant(builder, op->getLoc(), type.getElementType(), 0.0);
  return BroadcastToOp::create(builder, op->getLoc(), zero, dynamic, shape);
}

//===----------------------------------------------------------------------===//
// Recomputed values
//===----------------------------------------------------------------------===//

static bool isScalar(Value value) {
  return cast<RankedTensorType>(value.getType()).getRank() == 0;
}

bool ForwardValues::isCheap(Value value) {
  if (!isForward(value))
    return true;
  auto [known, isNew] = cheap.try_emplace(value, false);
  if (!isNew)
    return known->second;
  bool result = computeIsCheap(value);
  return cheap[value] = result;
}

bool ForwardValues::computeIsCheap(Value value) {
  Operation *definingOp = value.getDefiningOp();
  if (!definingOp || definingOp->getNumRegions() ||
      !isMemoryEffectFree(definingOp))
    return false;
  if (auto dim = dyn_cast<DimOp>(definingOp)) {
    Value extent = buildExtent(outside, dim.getInput(), dim.getAxis());
    copies[value] = extent;
    return extent != nullptr;
  }
  if (definingOp->hasTrait<mlir::OpTrait::ConstantLike>())
    return true;
  // Random samples and splats are recomputed from their scalar operands, which
  // are saved if they are not cheap themselves.
  if (!isScalar(value) && llvm::all_of(definingOp->getOperands(), isScalar))
    return true;
  // Only loops recompute other values. A branch runs too rarely to justify
  // computing a product twice.
  return (isLoop || isa<ViewOpInterface>(definingOp) || isScalar(value)) &&
         llvm::all_of(definingOp->getOperands(),
                      [&](Value operand) { return isCheap(operand); });
}

Value ForwardValues::lookUp(Value value) {
  if (!isForward(value))
    return value;
  if (!isCheap(value)) {
    needed.insert(value);
    return value;
  }
  if (Value copy = copies.lookup(value))
    return copy;
  Operation *definingOp = value.getDefiningOp();
  IRMapping operands;
  for (Value operand : definingOp->getOperands())
    operands.map(operand, lookUp(operand));
  Operation *copy = inside.clone(*definingOp, operands);
  for (auto [old, fresh] :
       llvm::zip_equal(definingOp->getResults(), copy->getResults()))
    copies[old] = fresh;
  return copies[value];
}

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

/// Replaces each tg.dim of a forward value by an extent that is computed
/// outside, so that a tensor is not saved only for its extents.
void ForwardValues::resolveExtents() {
  SmallVector<DimOp> dims;
  backward.walk([&](DimOp dim) {
    if (isForward(dim.getInput()))
      dims.push_back(dim);
  });
  for (DimOp dim : dims)
    if (Value extent = buildExtent(outside, dim.getInput(), dim.getAxis())) {
      dim.replaceAllUsesWith(extent);
      differentiator.discard(dim);
    }
}

/// Removes cotangents that nothing uses, so that their operands are not saved.
static void discardDead(Block &block, RegionDifferentiator &differentiator) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      differentiator.discard(&op);
}

SmallVector<Value> ForwardValues::resolve() {
  discardDead(backward, differentiator);
  resolveExtents();
  SmallVector<OpOperand *> uses;
  backward.walk([&](Operation *user) {
    for (OpOperand &operand : user->getOpOperands())
      if (isForward(operand.get()))
        uses.push_back(&operand);
  });
  // The first op of the block may have been erased.
  inside.setInsertionPointToStart(&backward);
  for (OpOperand *use : uses)
    use->set(lookUp(use->get()));
  return needed.takeVector();
}

void ForwardValues::replace(Value value, Value replacement) {
  Region *region = backward.getParent();
  value.replaceUsesWithIf(replacement, [&](OpOperand &use) {
    return region->isAncestor(use.getOwner()->getParentRegion());
  });
}
