//===- Builders.cpp - small builders that gradient rules and passes share -===//
#include "dialects/tg/Builders.h"
#include "dialects/tg/Tg.h"
#include "dialects/tg/ops/elementwise/BinaryOps.h"
#include "dialects/tg/ops/elementwise/MixedTypeOps.h"
#include "dialects/tg/ops/movement/ConstantOps.h"
#include "dialects/tg/ops/movement/ShapeOps.h"
#include "dialects/tg/ops/structured/ReductionOps.h"

using namespace mlir;
using namespace tg;

/// Returns the type of a value; all values of the dialect are ranked tensors.
static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// Builds a constant of a static type with one value for all elements.
static Value buildSplat(OpBuilder &builder, Location loc, RankedTensorType type,
                        double value) {
  Type elementType = type.getElementType();
  Attribute number;
  if (isa<FloatType>(elementType))
    number = FloatAttr::get(elementType, value);
  else
    number = IntegerAttr::get(elementType,
                              APInt(elementType.getIntOrFloatBitWidth(),
                                    uint64_t(int64_t(value)), /*isSigned=*/true,
                                    /*implicitTrunc=*/true));
  return ConstantOp::create(builder, loc, DenseElementsAttr::get(type, number));
}

Value tg::buildScalarConstant(OpBuilder &builder, Location loc,
                              Type elementType, double value) {
  return buildSplat(builder, loc, RankedTensorType::get({}, elementType),
                    value);
}

Value tg::buildScalarLike(OpBuilder &builder, Value like, double value) {
  return buildScalarConstant(builder, like.getLoc(),
                             typeOf(like).getElementType(), value);
}

Value tg::buildDim(OpBuilder &builder, Location loc, Value value,
                   int64_t axis) {
  RankedTensorType type = typeOf(value);
  if (type.isDynamicDim(axis))
    return DimOp::create(builder, loc, value, axis);
  auto scalarType = RankedTensorType::get({}, builder.getI64Type());
  return ConstantOp::create(
      builder, loc, DenseElementsAttr::get(scalarType, type.getDimSize(axis)));
}

SmallVector<Value> tg::buildDynamicExtents(OpBuilder &builder, Value like) {
  SmallVector<Value> extents;
  for (int64_t axis = 0; axis < typeOf(like).getRank(); ++axis)
    if (typeOf(like).isDynamicDim(axis))
      extents.push_back(buildDim(builder, like.getLoc(), like, axis));
  return extents;
}

SmallVector<int64_t> tg::extentList(Value like) {
  return llvm::map_to_vector(typeOf(like).getShape(), [](int64_t extent) {
    return ShapedType::isDynamic(extent) ? -1 : extent;
  });
}

Value tg::buildBroadcastLike(OpBuilder &builder, Value value, Value like) {
  if (value.getType() == like.getType() && typeOf(like).hasStaticShape())
    return value;
  return BroadcastToOp::create(builder, value.getLoc(), value,
                               buildDynamicExtents(builder, like),
                               extentList(like));
}

Value tg::buildZerosLike(OpBuilder &builder, Value like) {
  if (typeOf(like).hasStaticShape())
    return buildSplat(builder, like.getLoc(), typeOf(like), 0.0);
  return buildBroadcastLike(builder, buildScalarLike(builder, like, 0.0), like);
}

Value tg::buildReshapeLike(OpBuilder &builder, Value value, Value like) {
  if (value.getType() == like.getType() && typeOf(like).hasStaticShape())
    return value;
  return ReshapeOp::create(builder, value.getLoc(), value,
                           buildDynamicExtents(builder, like),
                           extentList(like));
}

Value tg::buildAsMatrix(OpBuilder &builder, Location loc, Value value) {
  RankedTensorType type = typeOf(value);
  int64_t last = type.getRank() - 1;
  ArrayRef<int64_t> leading = type.getShape().drop_back();
  SmallVector<int64_t> shape = {-1, type.getShape().back()};
  SmallVector<Value> dynamic;
  if (ShapedType::isDynamicShape(leading)) {
    Value rows = buildDim(builder, loc, value, 0);
    for (int64_t axis = 1; axis < last; ++axis)
      rows = MulOp::create(builder, loc, rows,
                           buildDim(builder, loc, value, axis));
    dynamic.push_back(rows);
  } else {
    shape[0] = ShapedType::getNumElements(leading);
  }
  if (type.isDynamicDim(last)) {
    shape[1] = -1;
    dynamic.push_back(buildDim(builder, loc, value, last));
  }
  return ReshapeOp::create(builder, loc, value, dynamic, shape);
}

/// Returns the dimensions of `value` that broadcasting from `like` added or
/// expanded.
static SmallVector<int64_t> broadcastAxes(RankedTensorType value,
                                          RankedTensorType like) {
  SmallVector<int64_t> axes;
  int64_t shift = value.getRank() - like.getRank();
  for (int64_t axis = 0; axis < value.getRank(); ++axis)
    if (axis < shift ||
        (like.getDimSize(axis - shift) == 1 && value.getDimSize(axis) != 1))
      axes.push_back(axis);
  return axes;
}

Value tg::buildSumTo(OpBuilder &builder, Value value, Value like) {
  Location loc = value.getLoc();
  RankedTensorType from = typeOf(value);
  RankedTensorType to = typeOf(like);
  SmallVector<int64_t> axes = broadcastAxes(from, to);
  if (!axes.empty()) {
    value = ReduceSumOp::create(builder, loc, value, axes);
    // The sum dropped all reduced dimensions. Some of them exist in `like`,
    // with a static extent of 1.
    if (axes.size() != size_t(from.getRank() - to.getRank()))
      return buildReshapeLike(builder, value, like);
  }
  if (value.getType() == to)
    return value;
  // The type of the value may be static where the type of `like` is not.
  return EnsureShapeOp::create(builder, loc, value, extentList(like));
}

Operation *tg::buildOnOperands(OpBuilder &builder, Operation *op,
                               ValueRange operands) {
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(operands);
  state.propertiesAttr = op->getPropertiesAsAttribute();
  state.addAttributes(llvm::to_vector(op->getDiscardableAttrs()));
  auto inferred = cast<InferTypeOpInterface>(op);
  [[maybe_unused]] LogicalResult typed = inferred.inferReturnTypes(
      op->getContext(), op->getLoc(), state.operands, op->getAttrDictionary(),
      op->getPropertiesStorage(), {}, state.types);
  assert(succeeded(typed) && "the new operands have types that the op accepts");
  return builder.create(state);
}

Value tg::buildElementCount(OpBuilder &builder, Value value,
                            ArrayRef<int64_t> axes) {
  Location loc = value.getLoc();
  RankedTensorType type = typeOf(value);
  double known = 1.0;
  Value count;
  for (int64_t axis : axes) {
    if (!type.isDynamicDim(axis)) {
      known *= double(type.getDimSize(axis));
      continue;
    }
    Value extent = buildDim(builder, loc, value, axis);
    count = count ? MulOp::create(builder, loc, count, extent) : extent;
  }
  if (!count)
    return buildScalarLike(builder, value, known);
  if (known != 1.0)
    count = MulOp::create(
        builder, loc, count,
        buildScalarConstant(builder, loc, builder.getI64Type(), known));
  if (type.getElementType().isSignlessInteger(64))
    return count;
  return CastOp::create(builder, loc, count, type.getElementType());
}

Value tg::buildOfType(OpBuilder &builder, Location loc, Value value,
                      RankedTensorType type) {
  if (value.getType() == type)
    return value;
  SmallVector<int64_t> shape =
      llvm::map_to_vector(type.getShape(), [](int64_t extent) {
        return ShapedType::isDynamic(extent) ? -1 : extent;
      });
  return EnsureShapeOp::create(builder, loc, value, shape);
}
