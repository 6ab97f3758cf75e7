//===- ElementEmitter.cpp - elements of the values of a kernel ------------===//
#include "compiler/codegen/kernel/ElementEmitter.h"
#include "compiler/codegen/kernel/OpElement.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tg;

FailureOr<Value> ElementEmitter::element(Value tensor, const Position &position,
                                         unsigned lanes) {
  Value value = emit(tensor, position, lanes);
  if (!value || lacksRule)
    return failure();
  return value;
}

Value ElementEmitter::elementOrZero(Value tensor, const Position &position,
                                    unsigned lanes) {
  FailureOr<Value> value = element(tensor, position, lanes);
  if (succeeded(value))
    return *value;
  Type type = computeType(getElementTypeOrSelf(tensor));
  if (lanes > 1)
    type = VectorType::get({int64_t(lanes)}, type);
  return arith::ConstantOp::create(context.builder, context.loc,
                                   context.builder.getZeroAttr(type));
}

void ElementEmitter::provide(Value tensor, Provider provider) {
  providers[tensor] = std::move(provider);
}

//===----------------------------------------------------------------------===//
// Cached elements
//===----------------------------------------------------------------------===//

/// Returns true if two index values are equal.
static bool isSameIndex(Value a, Value b) {
  if (a == b)
    return true;
  std::optional<int64_t> constant = constantNumber(a);
  return constant && constant == constantNumber(b);
}

/// Returns true if a value can be used in block `inner`. A value of the same
/// block precedes its use, because the builder never moves backwards in a
/// block.
static bool isVisible(Value value, Block *inner) {
  Block *block = value.getParentBlock();
  for (; inner; inner = inner->getParentOp()->getBlock()) {
    if (block == inner)
      return true;
    if (isa<func::FuncOp>(inner->getParentOp()))
      return false;
  }
  return false;
}

Value ElementEmitter::find(Value tensor, const Position &position,
                           unsigned lanes) const {
  auto values = cachedElements.find(tensor);
  if (values == cachedElements.end())
    return {};
  Block *here = context.builder.getInsertionBlock();
  for (const CachedElement &entry : values->second) {
    if (entry.lanes != lanes || entry.mask != (lanes > 1 ? mask : Value()) ||
        entry.laneStep != position.laneStep || !isVisible(entry.value, here))
      continue;
    if (llvm::equal(entry.index, position.index, isSameIndex))
      return entry.value;
  }
  return {};
}

void ElementEmitter::remember(Value tensor, const Position &position,
                              unsigned lanes, Value value) {
  cachedElements[tensor].push_back({position.index, position.laneStep, lanes,
                                    lanes > 1 ? mask : Value(), value});
}

void ElementEmitter::hoist(Value tensor, const Position &position) {
  // Arguments and constants depend on no provided value.
  bool ignoresBarrier = isa<BlockArgument>(tensor) && !providers.count(tensor);
  if (Operation *op = tensor.getDefiningOp())
    ignoresBarrier = op->hasTrait<mlir::OpTrait::ConstantLike>();
  // The outermost loop may run no iteration, because other tensors may be
  // empty. A tensor with one element for all extents may be read outside of the
  // loop.
  bool hasOneElement =
      llvm::all_of(context.extentsOf(tensor),
                   [](AffineExpr extent) { return staticExtent(extent) == 1; });
  Operation *outermost = context.outermostLoop();
  Block *block = context.builder.getInsertionBlock();
  while (block != barrier || ignoresBarrier) {
    Operation *loop = block->getParentOp();
    if (!isa<scf::ForOp>(loop) || (loop == outermost && !hasOneElement))
      return;
    if (!llvm::all_of(position.index, [&](Value index) {
          return isVisible(index, loop->getBlock());
        }))
      return;
    context.builder.setInsertionPoint(loop);
    block = loop->getBlock();
  }
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

Value ElementEmitter::emit(Value tensor, const Position &position,
                           unsigned lanes) {
  if (Value value = find(tensor, position, lanes))
    return value;
  OpBuilder::InsertionGuard guard(context.builder);
  bool isUniform = position.isUniform();
  if (isUniform)
    hoist(tensor, position);
  Value value;
  if (isUniform && lanes > 1) {
    if (Value scalar = emit(tensor, position, /*lanes=*/1))
      value = splatTo(context.builder, context.loc, scalar, lanes);
  } else {
    value = compute(tensor, position, lanes);
  }
  if (value)
    remember(tensor, position, lanes, value);
  return value;
}

Value ElementEmitter::compute(Value tensor, const Position &position,
                              unsigned lanes) {
  auto provider = providers.find(tensor);
  if (provider != providers.end())
    if (Value value = provider->second(position, lanes))
      return value;
  if (auto argument = dyn_cast<BlockArgument>(tensor))
    return load(argument, position, lanes);
  Operation *op = tensor.getDefiningOp();
  Value value;
  auto rule = dyn_cast<ElementOpInterface>(op);
  if (rule) {
    OpElement element(*this, rule, lanes);
    SmallVector<Value> values = rule.buildElements(element, position);
    for (auto [result, other] : llvm::zip(op->getResults(), values)) {
      if (result == tensor)
        value = other;
      else
        remember(result, position, lanes, other);
    }
  }
  // An op without a vector rule may have a scalar rule.
  bool isKnown = rule || provider != providers.end();
  if (!value && isKnown && lanes > 1 && !lacksRule)
    return emitLaneByLane(tensor, position, lanes);
  if (!value && !lacksRule) {
    lacksRule = true;
    op->emitOpError() << "expected an element rule in a kernel of strategy '"
                      << tgx::stringifyStrategy(context.kernel.getStrategy())
                      << "'";
  }
  return value;
}

Value ElementEmitter::linearize(const Position &position, StrideOf strideOf) {
  IntegerOps ops = context.indices();
  Value sum = ops.constant(0);
  for (auto [axis, index] : llvm::enumerate(position.index))
    sum = ops.add(sum, ops.mul(index, context.extent(strideOf(axis))));
  return sum;
}

AffineExpr ElementEmitter::linearizeLaneStep(const Position &position,
                                             StrideOf strideOf) {
  AffineExpr sum = getAffineConstantExpr(0, context.builder.getContext());
  for (auto [axis, step] : llvm::enumerate(position.laneStep))
    if (step != 0)
      sum = sum + strideOf(axis) * step;
  return sum;
}

Value ElementEmitter::offsetOf(Value tensor, const Position &position) {
  return linearize(
      position, [&](unsigned axis) { return context.strideOf(tensor, axis); });
}

/// Returns the row-major stride of an axis in elements.
static AffineExpr rowMajorStride(ArrayRef<AffineExpr> extents, unsigned axis,
                                 MLIRContext *context) {
  return productOf(extents.drop_front(axis + 1), context);
}

Value ElementEmitter::indexOf(Value tensor, const Position &position) {
  return linearize(position, [&](unsigned axis) {
    return rowMajorStride(context.extentsOf(tensor), axis,
                          context.builder.getContext());
  });
}

AffineExpr ElementEmitter::laneStrideOf(Value tensor,
                                        const Position &position) {
  return linearizeLaneStep(position, [&](unsigned axis) {
    return rowMajorStride(context.extentsOf(tensor), axis,
                          context.builder.getContext());
  });
}

Value ElementEmitter::load(BlockArgument tensor, const Position &position,
                           unsigned lanes) {
  AffineExpr laneStride = linearizeLaneStep(
      position, [&](unsigned axis) { return context.strideOf(tensor, axis); });
  if (lanes > 1 && staticExtent(laneStride) != 1)
    return emitLaneByLane(tensor, position, lanes);
  Value offset = offsetOf(tensor, position);
  return loadElements(context.builder, context.loc, context.argument(tensor),
                      offset, {lanes, lanes > 1 ? mask : Value()});
}

Value ElementEmitter::loadWithin(Value tensor, const Position &position,
                                 Value within, unsigned lanes) {
  auto argument = dyn_cast<BlockArgument>(tensor);
  if (!argument || providers.count(tensor) || !context.target.masksBytes)
    return {};
  AffineExpr laneStride = linearizeLaneStep(
      position, [&](unsigned axis) { return context.strideOf(tensor, axis); });
  if (staticExtent(laneStride) != 1)
    return {};
  if (mask)
    within = arith::AndIOp::create(context.builder, context.loc, within, mask);
  return loadElements(context.builder, context.loc, context.argument(argument),
                      offsetOf(tensor, position), {lanes, within});
}

Value ElementEmitter::emitLaneByLane(Value tensor, const Position &position,
                                     unsigned lanes) {
  IntegerOps ops = context.integers();
  OpBuilder &builder = context.builder;
  SmallVector<Value> values;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    Value isActive;
    if (mask && lane > 0)
      isActive = vector::ExtractOp::create(builder, context.loc, mask, lane);
    Position lanePosition;
    for (auto [index, step] :
         llvm::zip_equal(position.index, position.laneStep)) {
      Value laneIndex =
          step ? ops.add(index, ops.constant(step * lane)) : index;
      // Inactive lanes read the element of lane 0, which exists.
      if (isActive && laneIndex != index)
        laneIndex = arith::SelectOp::create(builder, context.loc, isActive,
                                            laneIndex, index);
      lanePosition.index.push_back(laneIndex);
      lanePosition.laneStep.push_back(0);
    }
    Value value = emit(tensor, lanePosition, /*lanes=*/1);
    if (!value)
      return {};
    values.push_back(value);
  }
  auto type = VectorType::get({int64_t(lanes)}, values[0].getType());
  return vector::FromElementsOp::create(builder, context.loc, type, values);
}
