//===- Elementwise.cpp - common code of elementwise ops -------------------===//
#include "dialects/tg/ops/elementwise/Elementwise.h"
#include "dialects/tg/Tg.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tg;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

LogicalResult tg::inferUnary(Value input, ShapeInference &inference,
                             SmallVectorImpl<TensorExtents> &results) {
  results.push_back({getElementTypeOrSelf(input), inference.extentsOf(input)});
  return success();
}

bool tg::isSizeScalar(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return type.getRank() == 0 && type.getElementType().isInteger(64);
}

LogicalResult tg::checkElementTypes(Value lhs, Value rhs,
                                    ShapeInference &inference) {
  Type left = getElementTypeOrSelf(lhs);
  Type right = getElementTypeOrSelf(rhs);
  if (left == right)
    return success();
  std::string found;
  llvm::raw_string_ostream(found) << left << " and " << right;
  return inference.fail("expected lhs and rhs of one element type, found " +
                        Twine(found) + " [C1]");
}

LogicalResult tg::inferBinary(Value lhs, Value rhs, ElementClass elements,
                              ShapeInference &inference,
                              SmallVectorImpl<TensorExtents> &results) {
  if (failed(checkElementTypes(lhs, rhs, inference)))
    return failure();
  Type type = getElementTypeOrSelf(lhs);
  if (!isInClass(type, elements)) {
    std::string found;
    llvm::raw_string_ostream(found) << type;
    return inference.fail("expected operands of " + describe(elements) +
                          ", found " + Twine(found) + " [C1]");
  }
  FailureOr<BroadcastExtents> both =
      inference.broadcast(inference.broadcastExtentsOf(lhs),
                          inference.broadcastExtentsOf(rhs), "C2");
  if (failed(both))
    return failure();
  results.push_back({getElementTypeOrSelf(lhs), both->dims});
  return success();
}

//===----------------------------------------------------------------------===//
// Code generation
//===----------------------------------------------------------------------===//

Position tg::broadcastPosition(ElementBuilder &element,
                               const Position &position,
                               ArrayRef<int64_t> operandShape) {
  Position result;
  unsigned shift = position.rank() - operandShape.size();
  for (auto [axis, extent] : llvm::enumerate(operandShape)) {
    bool isBroadcast = extent == 1;
    result.index.push_back(isBroadcast ? element.integers().constant(0)
                                       : position.index[axis + shift]);
    result.laneStep.push_back(isBroadcast ? 0
                                          : position.laneStep[axis + shift]);
  }
  return result;
}

Value tg::buildElementwiseElement(Operation *op, ElementBuilder &element,
                                  const Position &position) {
  SmallVector<Value> operands;
  for (auto [index, type] : llvm::enumerate(op->getOperandTypes())) {
    Value operand = element.operand(
        index, broadcastPosition(element, position,
                                 cast<RankedTensorType>(type).getShape()));
    if (!operand)
      return {};
    operands.push_back(operand);
  }
  return cast<ElementwiseOpInterface>(op).buildScalar(element.builder,
                                                      op->getLoc(), operands);
}

/// Builds `scalar` as a constant of a scalar or vector type.
static Value buildConstant(OpBuilder &builder, Location loc, Type type,
                           TypedAttr scalar) {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector)
    return arith::ConstantOp::create(builder, loc, scalar);
  return arith::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(vector, Attribute(scalar)));
}

Value tg::buildComputeConstant(OpBuilder &builder, Location loc, Type type,
                               const APInt &value) {
  return buildConstant(builder, loc, type,
                       IntegerAttr::get(getElementTypeOrSelf(type), value));
}

Value tg::buildComputeConstant(OpBuilder &builder, Location loc, Type type,
                               double value) {
  Type scalar = getElementTypeOrSelf(type);
  if (isa<FloatType>(scalar))
    return buildConstant(builder, loc, type, FloatAttr::get(scalar, value));
  return buildComputeConstant(builder, loc, type,
                              APInt(scalar.getIntOrFloatBitWidth(),
                                    uint64_t(int64_t(value)),
                                    /*isSigned=*/true, /*implicitTrunc=*/true));
}

bool tg::computesInFloat(Type type) {
  return isa<FloatType>(getElementTypeOrSelf(type));
}

Value tg::buildNumberLike(OpBuilder &builder, Location loc, Value like,
                          double number) {
  return buildComputeConstant(builder, loc, like.getType(), number);
}

Value tg::buildNegation(OpBuilder &builder, Location loc, Value x) {
  return arith::SubIOp::create(builder, loc,
                               buildNumberLike(builder, loc, x, 0), x);
}

Value tg::buildCompare(OpBuilder &builder, Location loc,
                       arith::CmpFPredicate predicate, Value lhs, Value rhs) {
  return arith::CmpFOp::create(builder, loc, predicate, lhs, rhs);
}

Value tg::buildCompare(OpBuilder &builder, Location loc,
                       arith::CmpIPredicate predicate, Value lhs, Value rhs) {
  return arith::CmpIOp::create(builder, loc, predicate, lhs, rhs);
}

bool tg::isUnsigned(Value tensor) {
  return getElementTypeOrSelf(tensor).isUnsignedInteger();
}

/// Returns true if the elements compare as unsigned numbers.
static bool comparesUnsigned(Type elementType) {
  return elementType.isUnsignedInteger() || elementType.isInteger(1);
}

Value tg::buildLowest(OpBuilder &builder, Location loc, Type elementType,
                      Type computeType) {
  if (isa<FloatType>(elementType))
    return buildComputeConstant(builder, loc, computeType, -INFINITY);
  unsigned width = elementType.getIntOrFloatBitWidth();
  return buildComputeConstant(builder, loc, computeType,
                              comparesUnsigned(elementType)
                                  ? APInt::getMinValue(width)
                                  : APInt::getSignedMinValue(width));
}

Value tg::buildGreatest(OpBuilder &builder, Location loc, Type elementType,
                        Type computeType) {
  if (isa<FloatType>(elementType))
    return buildComputeConstant(builder, loc, computeType, INFINITY);
  unsigned width = elementType.getIntOrFloatBitWidth();
  return buildComputeConstant(builder, loc, computeType,
                              comparesUnsigned(elementType)
                                  ? APInt::getMaxValue(width)
                                  : APInt::getSignedMaxValue(width));
}

Value tg::buildGreater(OpBuilder &builder, Location loc, Type elementType,
                       Value lhs, Value rhs) {
  if (isa<FloatType>(elementType))
    return arith::MaximumFOp::create(builder, loc, lhs, rhs);
  if (comparesUnsigned(elementType))
    return arith::MaxUIOp::create(builder, loc, lhs, rhs);
  return arith::MaxSIOp::create(builder, loc, lhs, rhs);
}

Value tg::buildLesser(OpBuilder &builder, Location loc, Type elementType,
                      Value lhs, Value rhs) {
  if (isa<FloatType>(elementType))
    return arith::MinimumFOp::create(builder, loc, lhs, rhs);
  if (comparesUnsigned(elementType))
    return arith::MinUIOp::create(builder, loc, lhs, rhs);
  return arith::MinSIOp::create(builder, loc, lhs, rhs);
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

std::vector<int64_t> tg::broadcastElements(ArrayRef<int64_t> operandShape,
                                           ArrayRef<int64_t> resultShape) {
  std::vector<int64_t> elements = {0};
  unsigned shift = resultShape.size() - operandShape.size();
  for (auto [axis, extent] : llvm::enumerate(resultShape)) {
    int64_t operandExtent = axis < shift ? 1 : operandShape[axis - shift];
    std::vector<int64_t> next;
    next.reserve(elements.size() * extent);
    for (int64_t element : elements)
      for (int64_t i = 0; i < extent; ++i)
        next.push_back(element * operandExtent + (operandExtent == 1 ? 0 : i));
    elements = std::move(next);
  }
  return elements;
}

int64_t tg::repeatedElements(ArrayRef<int64_t> operandShape,
                             ArrayRef<int64_t> resultShape) {
  while (!operandShape.empty() && operandShape.front() == 1)
    operandShape = operandShape.drop_front();
  if (operandShape != resultShape.take_back(operandShape.size()))
    return 0;
  return ShapedType::getNumElements(operandShape);
}
