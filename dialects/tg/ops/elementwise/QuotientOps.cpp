//===- QuotientOps.cpp - quotients and remainders -------------------------===//
#include "dialects/tg/ops/elementwise/QuotientOps.h"
#include "dialects/tg/Builders.h"
#include "dialects/tg/ops/elementwise/BinaryOps.h"
#include "dialects/tg/ops/elementwise/Elementwise.h"
#include "dialects/tg/ops/elementwise/UnaryOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include <cmath>

using namespace mlir;
using namespace tg;

#include "dialects/tg/ops/elementwise/QuotientOpsDefinitions.inc"

//===----------------------------------------------------------------------===//
// Integer divisors
//===----------------------------------------------------------------------===//

/// Returns the index of the divisor operand if the division fails for some
/// divisors, otherwise none.
static std::optional<unsigned> checkedDivisor(Value divisor) {
  if (isa<FloatType>(getElementTypeOrSelf(divisor)))
    return std::nullopt;
  DenseIntElementsAttr known;
  if (matchPattern(divisor, m_Constant(&known)) &&
      llvm::none_of(known, [](const APInt &value) { return value.isZero(); }))
    return std::nullopt;
  return 1;
}

/// Returns a mask of the lanes whose divisor is -1, and the divisor with 1 in
/// these lanes. Division instructions trap if the smallest integer is divided
/// by -1.
static std::pair<Value, Value> splitMinusOne(OpBuilder &builder, Location loc,
                                             Value divisor) {
  Value isMinusOne =
      buildCompare(builder, loc, arith::CmpIPredicate::eq, divisor,
                   buildNumberLike(builder, loc, divisor, -1));
  Value safe = arith::SelectOp::create(
      builder, loc, isMinusOne, buildNumberLike(builder, loc, divisor, 1),
      divisor);
  return {isMinusOne, safe};
}

/// Replaces divisors 0 by 1. The lanes of a vector beyond the end of a row are
/// 0, and dividing by them would trap.
static Value replaceZero(OpBuilder &builder, Location loc, Value divisor) {
  Value isZero =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, divisor,
                            buildNumberLike(builder, loc, divisor, 0));
  return arith::SelectOp::create(
      builder, loc, isZero, buildNumberLike(builder, loc, divisor, 1), divisor);
}

/// Returns true if integers of a type can be divided in f32. They have up to 16
/// bits, so f32 represents them exactly, and the rounded quotient of a and b
/// truncates to the right integer: a quotient that is not an integer differs
/// from the next integer by at least 1 / b, and rounding changes it by at most
/// 2^-24 a / b, which is less.
static bool canDivideInFloat(Type type) {
  return getElementTypeOrSelf(type).getIntOrFloatBitWidth() <= 16;
}

/// Builds a quotient of integers for which canDivideInFloat() holds. Divides
/// floats, because vector instructions do not divide integers. The quotient
/// wraps, and `rhs` must not be 0.
static Value buildFloatQuotient(OpBuilder &builder, Location loc, Value lhs,
                                Value rhs, bool isUnsigned) {
  auto typeLike = [&](Type element) {
    auto vector = dyn_cast<VectorType>(lhs.getType());
    return vector ? Type(vector.clone(element)) : element;
  };
  auto toFloat = [&](Value value) -> Value {
    Type type = typeLike(builder.getF32Type());
    if (isUnsigned)
      return arith::UIToFPOp::create(builder, loc, type, value);
    return arith::SIToFPOp::create(builder, loc, type, value);
  };
  Value quotient =
      arith::DivFOp::create(builder, loc, toFloat(lhs), toFloat(rhs));
  Value whole = arith::FPToSIOp::create(
      builder, loc, typeLike(builder.getI32Type()), quotient);
  return arith::TruncIOp::create(builder, loc, lhs.getType(), whole);
}

/// Checks R1: no integer divisor is 0. Returns the error message, or "".
static std::string findZeroDivisor(const HostTensor &divisor) {
  if (isa<FloatType>(divisor.getElementType()))
    return {};
  for (int64_t i = 0; i < divisor.getNumElements(); ++i)
    if (divisor.integerAt(i) == 0)
      return "expected divisors other than 0, found 0 at element " +
             std::to_string(i) + " [R1]";
  return {};
}

//===----------------------------------------------------------------------===//
// div
//===----------------------------------------------------------------------===//

Value DivOp::buildScalar(OpBuilder &builder, Location loc,
                         ValueRange operands) {
  Value lhs = operands[0], rhs = operands[1];
  if (computesInFloat(lhs.getType()))
    return arith::DivFOp::create(builder, loc, lhs, rhs);
  rhs = replaceZero(builder, loc, rhs);
  if (canDivideInFloat(lhs.getType()))
    return buildFloatQuotient(builder, loc, lhs, rhs, isUnsigned(getLhs()));
  if (isUnsigned(getLhs()))
    return arith::DivUIOp::create(builder, loc, lhs, rhs);
  auto [isMinusOne, safe] = splitMinusOne(builder, loc, rhs);
  Value quotient = arith::DivSIOp::create(builder, loc, lhs, safe);
  return arith::SelectOp::create(builder, loc, isMinusOne,
                                 buildNegation(builder, loc, lhs), quotient);
}

// Quotients of integers are rounded, so they are not linear.
bool DivOp::isLinearIn(ArrayRef<bool> varied) {
  return varied[0] && !varied[1] &&
         isa<FloatType>(getElementTypeOrSelf(getResult()));
}

KnownElement DivOp::findResult(ArrayRef<KnownElement> operands) {
  return operands[0].isZero() && !operands[1].isZero() ? operands[0]
                                                       : KnownElement();
}

// The cotangents of the operands of y = a / b are g / b and -g y / b.
SmallVector<Value> DivOp::buildGradient(OpBuilder &builder,
                                        ValueRange cotangents) {
  ImplicitLocOpBuilder b(getLoc(), builder);
  Value quotient = DivOp::create(b, cotangents[0], getRhs());
  Value right = NegOp::create(b, MulOp::create(b, quotient, getResult()));
  return {buildSumTo(b, quotient, getLhs()), buildSumTo(b, right, getRhs())};
}

std::string DivOp::evaluate(ArrayRef<HostTensor> operands,
                            MutableArrayRef<HostTensor> results) {
  std::string failure = findZeroDivisor(operands[1]);
  if (!failure.empty())
    return failure;
  return evaluateBinary(operands, results, []<typename T>(T a, T b) {
    if constexpr (std::is_signed_v<T> && std::is_integral_v<T>)
      if (b == -1)
        return T(-Wrapping<T>(a));
    return T(a / b);
  });
}

std::optional<unsigned> DivOp::getCheckedOperand() {
  return checkedDivisor(getRhs());
}

StringRef DivOp::getCheckedName() { return "divisor"; }

AffineExpr DivOp::inferSize(ShapeInference &inference) {
  if (!isSizeScalar(getResult()))
    return {};
  AffineExpr dividend = inference.sizeOf(getLhs());
  std::optional<int64_t> divisor = staticExtent(inference.sizeOf(getRhs()));
  if (!divisor || *divisor <= 0)
    return {};
  if (inference.isNeverNegative(dividend))
    return dividend.floorDiv(*divisor);
  // A number that no extent determines has no known range, so the formula below
  // would give no bound, and would contain the number four times.
  bool hasUndetermined = false;
  dividend.walk([&](AffineExpr part) {
    hasUndetermined |=
        isa<AffineSymbolExpr>(part) && !inference.isNeverNegative(part);
  });
  if (hasUndetermined)
    return {};
  // Truncation rounds non-negative numbers down and negative numbers up.
  AffineExpr zero = inference.constant(0);
  return inference.greaterOf(dividend, zero).floorDiv(*divisor) -
         inference.greaterOf(-dividend, zero).floorDiv(*divisor);
}

//===----------------------------------------------------------------------===//
// remainder
//===----------------------------------------------------------------------===//

Value RemainderOp::buildScalar(OpBuilder &builder, Location loc,
                               ValueRange operands) {
  Value lhs = operands[0], rhs = operands[1];
  if (computesInFloat(lhs.getType()))
    return arith::RemFOp::create(builder, loc, lhs, rhs);
  rhs = replaceZero(builder, loc, rhs);
  if (canDivideInFloat(lhs.getType())) {
    Value quotient =
        buildFloatQuotient(builder, loc, lhs, rhs, isUnsigned(getLhs()));
    return arith::SubIOp::create(
        builder, loc, lhs, arith::MulIOp::create(builder, loc, quotient, rhs));
  }
  if (isUnsigned(getLhs()))
    return arith::RemUIOp::create(builder, loc, lhs, rhs);
  // x rem -1 = x rem 1 = 0.
  Value safe = splitMinusOne(builder, loc, rhs).second;
  return arith::RemSIOp::create(builder, loc, lhs, safe);
}

// The cotangents of the operands of y = a - b trunc(a / b) are g and
// -g (a - y) / b.
SmallVector<Value> RemainderOp::buildGradient(OpBuilder &builder,
                                              ValueRange cotangents) {
  ImplicitLocOpBuilder b(getLoc(), builder);
  Value g = cotangents[0];
  Value whole =
      DivOp::create(b, SubOp::create(b, getLhs(), getResult()), getRhs());
  Value right = NegOp::create(b, MulOp::create(b, g, whole));
  return {buildSumTo(b, g, getLhs()), buildSumTo(b, right, getRhs())};
}

std::string RemainderOp::evaluate(ArrayRef<HostTensor> operands,
                                  MutableArrayRef<HostTensor> results) {
  std::string failure = findZeroDivisor(operands[1]);
  if (!failure.empty())
    return failure;
  return evaluateBinary(operands, results, []<typename T>(T a, T b) {
    if constexpr (std::is_floating_point_v<T>)
      return std::fmod(a, b);
    else if constexpr (std::is_signed_v<T>)
      return b == -1 ? T(0) : T(a % b);
    else
      return T(a % b);
  });
}

std::optional<unsigned> RemainderOp::getCheckedOperand() {
  return checkedDivisor(getRhs());
}

StringRef RemainderOp::getCheckedName() { return "divisor"; }
