//===- ElementwiseOps.cpp - one result element per operand element --------===//
#include "dialects/tg/Builders.h"
#include "dialects/tg/Elementwise.h"
#include "dialects/tg/Tg.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tg;

//===----------------------------------------------------------------------===//
// What the family shares
//===----------------------------------------------------------------------===//

Position tg::broadcastPosition(ElementBuilder &element,
                               const Position &position,
                               ArrayRef<int64_t> operandShape) {
  Position result;
  unsigned shift = position.rank() - operandShape.size();
  for (auto [axis, extent] : llvm::enumerate(operandShape)) {
    bool stretched = extent == 1;
    result.index.push_back(stretched ? element.integer(0)
                                     : position.index[axis + shift]);
    result.laneStep.push_back(stretched ? 0 : position.laneStep[axis + shift]);
  }
  return result;
}

Value tg::buildElementwiseElement(Operation *op, ElementBuilder &element,
                                  const Position &position) {
  SmallVector<Value> operands;
  for (auto [number, type] : llvm::enumerate(op->getOperandTypes())) {
    Value operand = element.operand(
        number, broadcastPosition(element, position,
                                  cast<RankedTensorType>(type).getShape()));
    if (!operand)
      return {};
    operands.push_back(operand);
  }
  return cast<ElementwiseOpInterface>(op).buildScalar(element.builder,
                                                      op->getLoc(), operands);
}

/// Element type of the result: that of operand 0.
template <typename Adaptor>
static Type typeOf(Adaptor adaptor) {
  return cast<RankedTensorType>(adaptor.getOperands()[0].getType())
      .getElementType();
}

/// The shape rule of unary ops.
template <typename Adaptor>
static LogicalResult inferUnary(Adaptor adaptor, ShapeInference &inference,
                                SmallVectorImpl<TensorExtents> &results) {
  results.push_back(
      {typeOf(adaptor), inference.extentsOf(adaptor.getOperands()[0])});
  return success();
}

/// The shape rule of binary ops: C1 and C2.
template <typename Adaptor>
static LogicalResult inferBinary(Adaptor adaptor, ShapeInference &inference,
                                 SmallVectorImpl<TensorExtents> &results) {
  Value lhs = adaptor.getLhs(), rhs = adaptor.getRhs();
  Type left = getElementTypeOrSelf(lhs), right = getElementTypeOrSelf(rhs);
  if (left != right) {
    std::string found;
    llvm::raw_string_ostream(found) << left << " and " << right;
    return inference.fail("expected lhs and rhs of one element type, found " +
                          Twine(found) + " [C1]");
  }
  FailureOr<SmallVector<AffineExpr>> dims = inference.broadcast(
      inference.extentsOf(lhs), inference.extentsOf(rhs), "C2");
  if (failed(dims))
    return failure();
  results.push_back({left, *dims});
  return success();
}

/// Whether a scalar or vector of numbers is floating point.
static bool isFloat(Value value) {
  return isa<FloatType>(getElementTypeOrSelf(value));
}

//===----------------------------------------------------------------------===//
// relu
//===----------------------------------------------------------------------===//

LogicalResult ReluOp::inferResults(Adaptor adaptor, ShapeInference &inference,
                                   SmallVectorImpl<TensorExtents> &results) {
  return inferUnary(adaptor, inference, results);
}

Value ReluOp::buildScalar(OpBuilder &builder, Location loc,
                          ValueRange operands) {
  Value x = operands[0];
  Value zero = arith::ConstantOp::create(builder, loc,
                                         builder.getZeroAttr(x.getType()));
  if (getInput().getType().getElementType().isUnsignedInteger())
    return x;
  if (!isFloat(x))
    return arith::MaxSIOp::create(builder, loc, x, zero);
  // Not maximumf: x <= 0 gives +0 also for -0, and NaN compares false.
  Value below = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLE,
                                      x, zero);
  return arith::SelectOp::create(builder, loc, below, zero, x);
}

// d relu(x) = [y > 0]: only the sign of the result is needed.
SmallVector<Value> ReluOp::buildGradient(OpBuilder &builder,
                                         ValueRange cotangents) {
  Value zero = buildScalarLike(builder, getResult(), 0.0);
  Value positive = CompareOp::create(builder, getLoc(), Predicate::gt,
                                     getResult(), zero);
  return {SelectOp::create(builder, getLoc(), positive, cotangents[0], zero)};
}

std::string ReluOp::evaluate(ArrayRef<HostTensor> operands,
                             MutableArrayRef<HostTensor> results) {
  return evaluateUnary(operands, results,
                       [](auto x) { return x <= 0 ? decltype(x)(0) : x; });
}

//===----------------------------------------------------------------------===//
// add
//===----------------------------------------------------------------------===//

LogicalResult AddOp::inferResults(Adaptor adaptor, ShapeInference &inference,
                                  SmallVectorImpl<TensorExtents> &results) {
  return inferBinary(adaptor, inference, results);
}

Value AddOp::buildScalar(OpBuilder &builder, Location loc,
                         ValueRange operands) {
  if (isFloat(operands[0]))
    return arith::AddFOp::create(builder, loc, operands[0], operands[1]);
  return arith::AddIOp::create(builder, loc, operands[0], operands[1]);
}

SmallVector<Value> AddOp::buildGradient(OpBuilder &builder,
                                        ValueRange cotangents) {
  return {buildSumTo(builder, cotangents[0], getLhs()),
          buildSumTo(builder, cotangents[0], getRhs())};
}
