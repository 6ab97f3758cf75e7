//===- MixedTypeOps.cpp - elementwise ops of several element types --------===//
#include "dialects/tg/ops/elementwise/MixedTypeOps.h"
#include "dialects/tg/Builders.h"
#include "dialects/tg/ops/elementwise/Elementwise.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include <cmath>
#include <cstring>

using namespace mlir;
using namespace tg;

#include "dialects/tg/ops/elementwise/MixedTypeOpsDefinitions.inc"

//===----------------------------------------------------------------------===//
// compare
//===----------------------------------------------------------------------===//

LogicalResult CompareOp::inferResults(Adaptor adaptor,
                                      ShapeInference &inference,
                                      SmallVectorImpl<TensorExtents> &results) {
  if (failed(inferBinary(adaptor.getLhs(), adaptor.getRhs(), ElementClass::any,
                         inference, results)))
    return failure();
  results[0].elementType = IntegerType::get(inference.getContext(), 1);
  return success();
}

LogicalResult CompareOp::verify() {
  bool isEquality =
      getPredicate() == Predicate::eq || getPredicate() == Predicate::ne;
  if (isEquality || !getLhs().getType().getElementType().isInteger(1))
    return success();
  return emitOpError() << "expected predicate eq or ne on i1, found "
                       << stringifyPredicate(getPredicate()) << " [C3]";
}

Value CompareOp::buildScalar(OpBuilder &builder, Location loc,
                             ValueRange operands) {
  using F = arith::CmpFPredicate;
  using I = arith::CmpIPredicate;
  // The entries are in the order of Predicate. If an operand is NaN, only ne is
  // true.
  static constexpr F floats[] = {F::OEQ, F::UNE, F::OLT,
                                 F::OLE, F::OGT, F::OGE};
  static constexpr I signedOnes[] = {I::eq,  I::ne,  I::slt,
                                     I::sle, I::sgt, I::sge};
  static constexpr I unsignedOnes[] = {I::eq,  I::ne,  I::ult,
                                       I::ule, I::ugt, I::uge};
  unsigned row = unsigned(getPredicate());
  if (computesInFloat(operands[0].getType()))
    return buildCompare(builder, loc, floats[row], operands[0], operands[1]);
  return buildCompare(
      builder, loc, isUnsigned(getLhs()) ? unsignedOnes[row] : signedOnes[row],
      operands[0], operands[1]);
}

std::string CompareOp::evaluate(ArrayRef<HostTensor> operands,
                                MutableArrayRef<HostTensor> results) {
  return evaluateBinary(operands, results, [&](auto a, auto b) -> uint8_t {
    switch (getPredicate()) {
    case Predicate::eq:
      return a == b;
    case Predicate::ne:
      return a != b;
    case Predicate::lt:
      return a < b;
    case Predicate::le:
      return a <= b;
    case Predicate::gt:
      return a > b;
    case Predicate::ge:
      return a >= b;
    }
  });
}

//===----------------------------------------------------------------------===//
// select
//===----------------------------------------------------------------------===//

LogicalResult SelectOp::inferResults(Adaptor adaptor, ShapeInference &inference,
                                     SmallVectorImpl<TensorExtents> &results) {
  Value lhs = adaptor.getLhs();
  Value rhs = adaptor.getRhs();
  if (failed(checkElementTypes(lhs, rhs, inference)))
    return failure();
  FailureOr<BroadcastExtents> both =
      inference.broadcast(inference.broadcastExtentsOf(lhs),
                          inference.broadcastExtentsOf(rhs), "C2");
  if (failed(both))
    return failure();
  FailureOr<BroadcastExtents> all = inference.broadcast(
      inference.broadcastExtentsOf(adaptor.getCondition()), *both, "C2");
  if (failed(all))
    return failure();
  results.push_back({getElementTypeOrSelf(lhs), all->dims});
  return success();
}

Value SelectOp::buildScalar(OpBuilder &builder, Location loc,
                            ValueRange operands) {
  return arith::SelectOp::create(builder, loc, operands[0], operands[1],
                                 operands[2]);
}

bool SelectOp::isLinearIn(ArrayRef<bool> varied) {
  return !varied[0] && varied[1] && varied[2];
}

KnownElement SelectOp::findResult(ArrayRef<KnownElement> operands) {
  return operands[1] == operands[2] ? operands[1] : KnownElement();
}

// The gradients of select(c, a, b) are select(c, g, 0) for a and select(c, 0,
// g) for b.
SmallVector<Value> SelectOp::buildGradient(OpBuilder &builder,
                                           ValueRange cotangents) {
  ImplicitLocOpBuilder b(getLoc(), builder);
  Value g = cotangents[0];
  Value zero = buildScalarLike(b, g, 0);
  Value left = SelectOp::create(b, getCondition(), g, zero);
  Value right = SelectOp::create(b, getCondition(), zero, g);
  return {Value(), buildSumTo(b, left, getLhs()),
          buildSumTo(b, right, getRhs())};
}

/// Computes the result if each of lhs and rhs has its shape or one element;
/// returns false otherwise. The condition must have the shape of the result.
static bool selectWithoutIndices(ArrayRef<HostTensor> operands,
                                 HostTensor &result) {
  int64_t count = result.getNumElements();
  auto hasResultShape = [&](const HostTensor &value) {
    return value.getShape() == result.getShape();
  };
  for (const HostTensor &value : operands.drop_front())
    if (!hasResultShape(value) && value.getNumElements() != 1)
      return false;
  visitElementType(result.getElementType(), [&](auto zero) {
    using T = decltype(zero);
    const uint8_t *condition = operands[0].values<uint8_t>().data();
    const T *lhs = operands[1].values<T>().data();
    const T *rhs = operands[2].values<T>().data();
    int64_t lhsStep = hasResultShape(operands[1]);
    int64_t rhsStep = hasResultShape(operands[2]);
    T *target = result.values<T>().data();
    for (int64_t i = 0; i < count; ++i)
      target[i] = condition[i] ? lhs[i * lhsStep] : rhs[i * rhsStep];
  });
  return true;
}

std::string SelectOp::evaluate(ArrayRef<HostTensor> operands,
                               MutableArrayRef<HostTensor> results) {
  if (operands[0].getShape() == results[0].getShape() &&
      selectWithoutIndices(operands, results[0]))
    return {};
  SmallVector<std::vector<int64_t>> sources;
  for (const HostTensor &operand : operands)
    sources.push_back(
        broadcastElements(operand.getShape(), results[0].getShape()));
  int64_t bytes = elementBytes(results[0].getElementType());
  for (int64_t i = 0; i < results[0].getNumElements(); ++i) {
    unsigned selected = operands[0].values<uint8_t>()[sources[0][i]] ? 1 : 2;
    std::memcpy(results[0].data() + i * bytes,
                operands[selected].data() + sources[selected][i] * bytes,
                bytes);
  }
  return {};
}

//===----------------------------------------------------------------------===//
// cast
//===----------------------------------------------------------------------===//

LogicalResult CastOp::inferResults(Adaptor adaptor, ShapeInference &inference,
                                   SmallVectorImpl<TensorExtents> &results) {
  Type type = adaptor.getElementType();
  if (!isInClass(type, ElementClass::any)) {
    std::string found;
    llvm::raw_string_ostream(found) << type;
    return inference.fail("expected element_type " +
                          describe(ElementClass::any) + ", found " + found +
                          " [C4]");
  }
  results.push_back({type, inference.extentsOf(adaptor.getInput())});
  return success();
}

OpFoldResult CastOp::fold(FoldAdaptor) {
  return getType() == getInput().getType() ? getInput() : Value();
}

/// Emits a cast from float to integer that truncates, saturates, and turns NaN
/// into 0. `elementType` is the signed or unsigned integer type, and `to` is
/// the signless type in which it is computed, a scalar or a vector.
static Value emitSaturatingCast(OpBuilder &builder, Location loc, Value x,
                                Type elementType, Type to) {
  // Both bounds are powers of two or 0, so they are exact in f32.
  bool isUnsigned = elementType.isUnsignedInteger();
  int width = elementType.getIntOrFloatBitWidth();
  Value lower = buildNumberLike(builder, loc, x,
                                isUnsigned ? 0 : -std::ldexp(1, width - 1));
  Value upper = buildNumberLike(builder, loc, x,
                                std::ldexp(1, isUnsigned ? width : width - 1));
  Value isBelow =
      buildCompare(builder, loc, arith::CmpFPredicate::OLE, x, lower);
  Value isAbove =
      buildCompare(builder, loc, arith::CmpFPredicate::OGE, x, upper);
  Value isNan = buildCompare(builder, loc, arith::CmpFPredicate::UNO, x, x);
  Value isOutside = arith::OrIOp::create(
      builder, loc, isNan,
      arith::OrIOp::create(builder, loc, isBelow, isAbove));
  Value safe = arith::SelectOp::create(builder, loc, isOutside,
                                       buildNumberLike(builder, loc, x, 0), x);
  Value result = isUnsigned
                     ? Value(arith::FPToUIOp::create(builder, loc, to, safe))
                     : Value(arith::FPToSIOp::create(builder, loc, to, safe));
  result = arith::SelectOp::create(builder, loc, isBelow,
                                   buildLowest(builder, loc, elementType, to),
                                   result);
  return arith::SelectOp::create(builder, loc, isAbove,
                                 buildGreatest(builder, loc, elementType, to),
                                 result);
}

/// Emits a cast between floats, or between integers of different widths.
static Value emitResize(OpBuilder &builder, Location loc, Value x, Type from,
                        Type to, Type type) {
  unsigned width = from.getIntOrFloatBitWidth();
  unsigned newWidth = to.getIntOrFloatBitWidth();
  if (width == newWidth)
    return x;
  if (isa<FloatType>(from))
    return width < newWidth
               ? Value(arith::ExtFOp::create(builder, loc, type, x))
               : Value(arith::TruncFOp::create(builder, loc, type, x));
  if (width > newWidth)
    return arith::TruncIOp::create(builder, loc, type, x);
  if (from.isUnsignedInteger() || from.isInteger(1))
    return arith::ExtUIOp::create(builder, loc, type, x);
  return arith::ExtSIOp::create(builder, loc, type, x);
}

Value CastOp::buildScalar(OpBuilder &builder, Location loc,
                          ValueRange operands) {
  Value x = operands[0];
  Type from = getInput().getType().getElementType();
  Type to = getElementType();
  Type type = computeType(to);
  if (auto vector = dyn_cast<VectorType>(x.getType()))
    type = vector.clone(type);
  bool isFromFloat = isa<FloatType>(from);
  bool isToFloat = isa<FloatType>(to);
  if (to.isInteger(1) && isFromFloat)
    return buildCompare(builder, loc, arith::CmpFPredicate::UNE, x,
                        buildNumberLike(builder, loc, x, 0));
  if (to.isInteger(1))
    return buildCompare(builder, loc, arith::CmpIPredicate::ne, x,
                        buildNumberLike(builder, loc, x, 0));
  if (isFromFloat == isToFloat)
    return emitResize(builder, loc, x, from, to, type);
  if (isFromFloat)
    return emitSaturatingCast(builder, loc, x, to, type);
  if (from.isUnsignedInteger() || from.isInteger(1))
    return arith::UIToFPOp::create(builder, loc, type, x);
  return arith::SIToFPOp::create(builder, loc, type, x);
}

// The gradient of a cast from float to float is the cotangent, cast back. Other
// casts have no gradient.
SmallVector<Value> CastOp::buildGradient(OpBuilder &builder,
                                         ValueRange cotangents) {
  Type from = getInput().getType().getElementType();
  if (!isa<FloatType>(from) || !isa<FloatType>(getElementType()))
    return {Value()};
  return {CastOp::create(builder, getLoc(), cotangents[0], from)};
}

/// Casts one element between C++ types.
template <typename To, typename From> static To castElement(From x) {
  if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    if (x != x)
      return 0;
    if (x >= std::ldexp(From(1), std::numeric_limits<To>::digits))
      return std::numeric_limits<To>::max();
    if (x <= From(std::numeric_limits<To>::min()))
      return std::numeric_limits<To>::min();
  }
  return To(x);
}

std::string CastOp::evaluate(ArrayRef<HostTensor> operands,
                             MutableArrayRef<HostTensor> results) {
  bool isBoolean = getElementType().isInteger(1);
  visitElementType(operands[0].getElementType(), [&](auto source) {
    visitElementType(getElementType(), [&](auto target) {
      using From = decltype(source);
      using To = decltype(target);
      llvm::transform(
          operands[0].values<From>(), results[0].values<To>().begin(),
          [&](From x) { return isBoolean ? To(x != 0) : castElement<To>(x); });
    });
  });
  return {};
}

AffineExpr CastOp::inferSize(ShapeInference &inference) {
  if (!isSizeScalar(getResult()) || !isSizeScalar(getInput()))
    return {};
  return inference.sizeOf(getInput());
}
