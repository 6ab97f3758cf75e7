//===- KernelBodyOps.cpp - ops in kernels besides ops of tg ---------------===//
#include "dialects/tg/ops/elementwise/Elementwise.h"
#include "dialects/tgx/Checks.h"
#include "dialects/tgx/verification/Verification.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tgx;

/// Infers the extents of an op that forwards its only operand.
static LogicalResult passExtents(Value value, tg::ShapeInference &inference,
                                 SmallVectorImpl<tg::TensorExtents> &results) {
  results.push_back({getElementTypeOrSelf(value), inference.extentsOf(value)});
  return success();
}

/// Returns the word for the checked value in messages: the one that the op that
/// requires the check defines, or "index".
static StringRef checkedName(ElementCheckOpInterface check) {
  auto op =
      RegisteredOperationName::lookup(check.getOpName(), check->getContext());
  auto *checked = op ? op->getInterface<tg::CheckedOpInterface>() : nullptr;
  return checked ? checked->getCheckedName() : "index";
}

//===----------------------------------------------------------------------===//
// check_index
//===----------------------------------------------------------------------===//

LogicalResult CheckIndexOp::verify() {
  return verifyNumber(*this, getBound(), "the bound", "C1");
}

LogicalResult
CheckIndexOp::inferExtents(tg::ShapeInference &inference,
                           SmallVectorImpl<tg::TensorExtents> &results) {
  return passExtents(getIndices(), inference, results);
}

ElementFailure CheckIndexOp::getFailure() { return ElementFailure::index; }

SmallVector<std::string, 2> CheckIndexOp::getMessages() {
  return {(checkedName(*this) + " %f at element %i is out of range, expected "
                                "at least 0 and below %e [R1]")
              .str()};
}

std::optional<AffineExpr> CheckIndexOp::getIndexBound() {
  return getBound().getResult(0);
}

Value CheckIndexOp::buildElement(tg::ElementBuilder &element,
                                 const tg::Position &position) {
  Value index = element.operand(0, position);
  if (!index)
    return {};
  OpBuilder &builder = element.builder;
  Location loc = getLoc();
  // As unsigned numbers, negative indices are large.
  Value wide = index;
  Type wideType = element.elementType(builder.getI64Type());
  Type elementType = getElementTypeOrSelf(getIndices());
  if (wide.getType() != wideType)
    wide = elementType.isUnsignedInteger()
               ? Value(arith::ExtUIOp::create(builder, loc, wideType, wide))
               : Value(arith::ExtSIOp::create(builder, loc, wideType, wide));
  Value bound = element.splat(element.expression(getBound().getResult(0)));
  Value good = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                     wide, bound);
  element.require(good, position, wide);
  Value zero = arith::ConstantOp::create(builder, loc,
                                         builder.getZeroAttr(index.getType()));
  return arith::SelectOp::create(builder, loc, good, index, zero);
}

//===----------------------------------------------------------------------===//
// check_divisor
//===----------------------------------------------------------------------===//

LogicalResult
CheckDivisorOp::inferExtents(tg::ShapeInference &inference,
                             SmallVectorImpl<tg::TensorExtents> &results) {
  return passExtents(getInput(), inference, results);
}

ElementFailure CheckDivisorOp::getFailure() { return ElementFailure::divisor; }

SmallVector<std::string, 2> CheckDivisorOp::getMessages() {
  return {(checkedName(*this) + " at element %i is 0 [R1]").str()};
}

Value CheckDivisorOp::buildElement(tg::ElementBuilder &element,
                                   const tg::Position &position) {
  Value divisor = element.operand(0, position);
  if (!divisor)
    return {};
  OpBuilder &builder = element.builder;
  Value zero = arith::ConstantOp::create(
      builder, getLoc(), builder.getZeroAttr(divisor.getType()));
  Value good = arith::CmpIOp::create(builder, getLoc(),
                                     arith::CmpIPredicate::ne, divisor, zero);
  element.require(good, position);
  TypedAttr oneAttr = builder.getOneAttr(divisor.getType());
  Value one = arith::ConstantOp::create(builder, getLoc(), oneAttr);
  return arith::SelectOp::create(builder, getLoc(), good, divisor, one);
}

//===----------------------------------------------------------------------===//
// check_finite
//===----------------------------------------------------------------------===//

LogicalResult CheckFiniteOp::verify() {
  auto type = cast<RankedTensorType>(getInput().getType());
  for (Value operand : getOperands()) {
    auto other = cast<RankedTensorType>(operand.getType());
    bool fits = isa<FloatType>(other.getElementType()) &&
                other.getRank() <= type.getRank();
    for (int64_t axis = 1; fits && axis <= other.getRank(); ++axis) {
      int64_t extent = other.getDimSize(other.getRank() - axis);
      int64_t whole = type.getDimSize(type.getRank() - axis);
      fits = extent == 1 || extent == whole || ShapedType::isDynamic(extent) ||
             ShapedType::isDynamic(whole);
    }
    if (!fits)
      return emitOpError() << "expected floats that broadcast to " << type
                           << ", found " << other << " [C1]";
  }
  return success();
}

LogicalResult
CheckFiniteOp::inferExtents(tg::ShapeInference &inference,
                            SmallVectorImpl<tg::TensorExtents> &results) {
  return passExtents(getInput(), inference, results);
}

ElementFailure CheckFiniteOp::getFailure() { return ElementFailure::nan; }

/// Returns the messages of two predicates: an element is not NaN, and an
/// element is not infinite.
SmallVector<std::string, 2> CheckFiniteOp::getMessages() {
  std::string name = getOpName().starts_with("input") ? "value" : "result";
  return {name + " at element %i is NaN, expected a number",
          name + " at element %i is infinite, expected a finite number"};
}

bool CheckFiniteOp::isObserver() { return true; }

ElementCheckOpInterface tgx::checkFinite(OpBuilder &builder, Location loc,
                                         Value value, ValueRange sources,
                                         const Twine &opName, bool nanOnly) {
  return CheckFiniteOp::create(builder, loc, value.getType(), value, sources,
                               builder.getStringAttr(opName),
                               nanOnly ? builder.getUnitAttr() : UnitAttr());
}

Value CheckFiniteOp::buildElement(tg::ElementBuilder &element,
                                  const tg::Position &position) {
  OpBuilder &builder = element.builder;
  Location loc = getLoc();
  auto isFinite = [&](Value number) -> Value {
    auto type = cast<FloatType>(getElementTypeOrSelf(number));
    Value infinity = tg::buildComputeConstant(
        builder, loc, number.getType(),
        APFloat::getInf(type.getFloatSemantics()).convertToDouble());
    Value size = math::AbsFOp::create(builder, loc, number);
    return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, size,
                                 infinity);
  };
  auto isNumber = [&](Value number) -> Value {
    return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::ORD,
                                 number, number);
  };
  Value number = element.operand(0, position);
  if (!number)
    return {};
  // A NaN is excused if a source is NaN, and an infinity if a source is not
  // finite.
  Value good = getNanOnly() ? isNumber(number) : isFinite(number);
  auto findPredicate = [&] { return isNumber(number); };
  if (getSources().empty()) {
    element.require(good, position, /*value=*/{}, findPredicate);
    return number;
  }
  Value areNumbers, areFinite;
  for (auto [index, source] : llvm::enumerate(getSources())) {
    tg::Position sourcePosition = tg::broadcastPosition(
        element, position, cast<RankedTensorType>(source.getType()).getShape());
    Value sourceElement = element.operand(index + 1, sourcePosition);
    if (!sourceElement)
      return {};
    auto both = [&](Value a, Value b) -> Value {
      return a ? Value(arith::AndIOp::create(builder, loc, a, b)) : b;
    };
    areNumbers = both(areNumbers, isNumber(sourceElement));
    areFinite = both(areFinite, isFinite(sourceElement));
  }
  Value allTrue = arith::ConstantOp::create(builder, loc,
                                            builder.getOneAttr(good.getType()));
  Value isExcused = arith::XOrIOp::create(
      builder, loc, allTrue,
      arith::SelectOp::create(builder, loc, isNumber(number), areFinite,
                              areNumbers));
  element.require(arith::OrIOp::create(builder, loc, good, isExcused), position,
                  /*value=*/{}, findPredicate);
  return number;
}

//===----------------------------------------------------------------------===//
// size
//===----------------------------------------------------------------------===//

LogicalResult SizeOp::verify() {
  return verifyNumber(*this, getValue(), "the value", "C1");
}

LogicalResult
SizeOp::inferExtents(tg::ShapeInference &inference,
                     SmallVectorImpl<tg::TensorExtents> &results) {
  results.push_back({getResult().getType().getElementType(), {}});
  return success();
}

AffineExpr SizeOp::inferSize(tg::ShapeInference &inference) {
  return getValue().getResult(0);
}

Value SizeOp::buildElement(tg::ElementBuilder &element,
                           const tg::Position &position) {
  return element.splat(element.expression(getValue().getResult(0)));
}

//===----------------------------------------------------------------------===//
// materialize
//===----------------------------------------------------------------------===//

LogicalResult
MaterializeOp::inferExtents(tg::ShapeInference &inference,
                            SmallVectorImpl<tg::TensorExtents> &results) {
  return passExtents(getInput(), inference, results);
}

Value MaterializeOp::buildElement(tg::ElementBuilder &element,
                                  const tg::Position &position) {
  return element.operand(0, position);
}
