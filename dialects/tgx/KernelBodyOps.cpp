//===- KernelBodyOps.cpp - calls of kernels, and ops of their bodies ------===//
#include "dialects/tg/Elementwise.h"
#include "dialects/tgx/Verification.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tgx;

//===----------------------------------------------------------------------===//
// call
//===----------------------------------------------------------------------===//

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return success(
      bool(verifyKernelUse(*this, getKernelAttr(), getInputs().getTypes(),
                           getOutputs().getTypes(), getExtents(), symbols)));
}

LogicalResult
CallOp::inferExtents(tg::ShapeInference &inference,
                     SmallVectorImpl<tg::TensorExtents> &results) {
  auto kernel =
      dyn_cast_or_null<KernelOp>(inference.lookUp(*this, getKernelAttr()));
  tg::ExtentAnalysis analysis(getContext());
  if (!kernel || failed(kernel.analyzeExtents(analysis)))
    return failure();
  for (Value output : kernel.getOutputs()) {
    tg::TensorExtents extents{getElementTypeOrSelf(output), {}};
    for (AffineExpr extent : analysis.extentsOf(output))
      extents.dims.push_back(extent.replaceSymbols(getExtents().getResults()));
    results.push_back(extents);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// check_index, check_divisor
//===----------------------------------------------------------------------===//

/// The one operand that passes through keeps its extents.
static LogicalResult passExtents(Value value, tg::ShapeInference &inference,
                                 SmallVectorImpl<tg::TensorExtents> &results) {
  results.push_back({getElementTypeOrSelf(value), inference.extentsOf(value)});
  return success();
}

LogicalResult CheckIndexOp::verify() {
  return verifyNumber(*this, getBound(), "the bound", "C1");
}

LogicalResult
CheckIndexOp::inferExtents(tg::ShapeInference &inference,
                           SmallVectorImpl<tg::TensorExtents> &results) {
  return passExtents(getIndices(), inference, results);
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
  element.require(good, position);
  Value zero = arith::ConstantOp::create(builder, loc,
                                         builder.getZeroAttr(index.getType()));
  return arith::SelectOp::create(builder, loc, good, index, zero);
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
  // Good is what is no NaN but from NaN, and no infinity but from one.
  Value good = getNanOnly() ? isNumber(number) : isFinite(number);
  if (getSources().empty()) {
    element.require(good, position);
    return number;
  }
  Value areNumbers, areFinite;
  for (auto [index, source] : llvm::enumerate(getSources())) {
    tg::Position place = tg::broadcastPosition(
        element, position, cast<RankedTensorType>(source.getType()).getShape());
    Value given = element.operand(index + 1, place);
    if (!given)
      return {};
    auto both = [&](Value a, Value b) -> Value {
      return a ? Value(arith::AndIOp::create(builder, loc, a, b)) : b;
    };
    areNumbers = both(areNumbers, isNumber(given));
    areFinite = both(areFinite, isFinite(given));
  }
  Value yes = arith::ConstantOp::create(builder, loc,
                                        builder.getOneAttr(good.getType()));
  Value excused = arith::XOrIOp::create(
      builder, loc, yes,
      arith::SelectOp::create(builder, loc, isNumber(number), areFinite,
                              areNumbers));
  element.require(arith::OrIOp::create(builder, loc, good, excused), position);
  return number;
}

//===----------------------------------------------------------------------===//
// first_equal
//===----------------------------------------------------------------------===//

LogicalResult FirstEqualOp::verify() {
  auto type = cast<RankedTensorType>(getIndices().getType());
  if (type.getRank() == 1 &&
      getResult().getType() == type.clone(IntegerType::get(getContext(), 64)))
    return success();
  return emitOpError() << "expected indices of rank 1 and a result of i64 with "
                          "their extent, found "
                       << type << " and " << getResult().getType() << " [C1]";
}

LogicalResult
FirstEqualOp::inferExtents(tg::ShapeInference &inference,
                           SmallVectorImpl<tg::TensorExtents> &results) {
  results.push_back(
      {getElementTypeOrSelf(getResult()), inference.extentsOf(getIndices())});
  return success();
}

AffineExpr FirstEqualOp::getElementBound(const tg::ExtentAnalysis &extents) {
  return extents.extentsOf(getIndices()).front();
}

//===----------------------------------------------------------------------===//
// check_divisor
//===----------------------------------------------------------------------===//

LogicalResult
CheckDivisorOp::inferExtents(tg::ShapeInference &inference,
                             SmallVectorImpl<tg::TensorExtents> &results) {
  return passExtents(getInput(), inference, results);
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
// pack, unpack
//===----------------------------------------------------------------------===//

StringRef tgx::winogradAlgorithm(int64_t positions) {
  return positions == 2 ? "winograd_2x2" : "winograd";
}

std::optional<int64_t> tgx::winogradTileOf(std::optional<StringRef> algorithm) {
  for (int64_t positions : kWinogradTiles)
    if (algorithm == winogradAlgorithm(positions))
      return positions;
  return std::nullopt;
}

RankedTensorType PanelsAttr::getPackedType(RankedTensorType matrix) const {
  int64_t columns = matrix.getDimSize(getAxis()), k = 1;
  int64_t panels = llvm::divideCeil(columns, getWidth());
  if (int64_t inputs = getWinograd() + 2; getWinograd())
    // The other one of the last two axes counts rows.
    return RankedTensorType::get(
        {inputs * inputs, panels, matrix.getDimSize(5 - getAxis()), getWidth()},
        matrix.getElementType());
  for (auto [axis, extent] : llvm::enumerate(matrix.getShape()))
    if (axis != getAxis())
      k *= extent;
  return RankedTensorType::get({panels, k, getWidth()},
                               matrix.getElementType());
}

/// C1 of both: whether panels are made of such tensors.
static LogicalResult verifyLayout(Operation *op, PanelsAttr layout,
                                  RankedTensorType tensor) {
  bool isFilter = layout.getWinograd() != 0;
  if (isFilter && !llvm::is_contained(kWinogradTiles, layout.getWinograd()))
    return op->emitOpError()
           << "expected tiles of 4 or 2 positions along an axis, found "
           << layout << " [C1]";
  if (isFilter && (tensor.getRank() != 4 || !tensor.hasStaticShape() ||
                   tensor.getDimSize(0) != 3 || tensor.getDimSize(1) != 3))
    return op->emitOpError()
           << "expected a filter of 3x3 and static extents, found " << tensor
           << " [C1]";
  if (tensor.getRank() < 2 || !tensor.hasStaticShape())
    return op->emitOpError()
           << "expected static extents and a rank of at least 2, found "
           << tensor << " [C1]";
  int64_t first = isFilter ? tensor.getRank() - 2 : 0, axis = layout.getAxis();
  if (axis < first || axis >= tensor.getRank() || layout.getWidth() < 1)
    return op->emitOpError()
           << "expected columns along one of axes " << first << " to "
           << tensor.getRank() - 1 << " and a width of at least 1, found "
           << layout << " [C1]";
  return success();
}

/// C1 and C2 of both: `panels` are those of a static tensor.
static LogicalResult verifyPanels(Operation *op, PanelsAttr layout,
                                  RankedTensorType tensor,
                                  RankedTensorType panels) {
  if (failed(verifyLayout(op, layout, tensor)))
    return failure();
  RankedTensorType expected = layout.getPackedType(tensor);
  if (panels != expected)
    return op->emitOpError() << "expected panels of type " << expected
                             << ", found " << panels << " [C2]";
  return success();
}

LogicalResult PackOp::verify() {
  return verifyPanels(*this, getLayout(), getInput().getType(),
                      getResult().getType());
}

LogicalResult UnpackOp::verify() {
  return verifyPanels(*this, getLayout(), getResult().getType(),
                      getInput().getType());
}

LogicalResult
UnpackOp::inferExtents(tg::ShapeInference &inference,
                       SmallVectorImpl<tg::TensorExtents> &results) {
  tg::TensorExtents result{getResult().getType().getElementType(), {}};
  for (int64_t extent : getResult().getType().getShape())
    result.dims.push_back(inference.constant(extent));
  results.push_back(result);
  return success();
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
