//===- UnaryOps.cpp - functions of one element ----------------------------===//
#include "dialects/tg/ops/elementwise/UnaryOps.h"
#include "dialects/tg/Builders.h"
#include "dialects/tg/ops/elementwise/BinaryOps.h"
#include "dialects/tg/ops/elementwise/Elementwise.h"
#include "dialects/tg/ops/elementwise/MixedTypeOps.h"
#include "dialects/tg/ops/elementwise/QuotientOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include <cmath>
#include <numbers>

using namespace mlir;
using namespace tg;

#include "dialects/tg/ops/elementwise/UnaryOpsDefinitions.inc"

//===----------------------------------------------------------------------===//
// abs
//===----------------------------------------------------------------------===//

Value AbsOp::buildScalar(OpBuilder &builder, Location loc,
                         ValueRange operands) {
  Value x = operands[0];
  if (computesInFloat(x.getType()))
    return math::AbsFOp::create(builder, loc, x);
  if (isUnsigned(getInput()))
    return x;
  Value negative = buildCompare(builder, loc, arith::CmpIPredicate::slt, x,
                                buildNumberLike(builder, loc, x, 0));
  return arith::SelectOp::create(builder, loc, negative,
                                 buildNegation(builder, loc, x), x);
}

// d abs(x) = sign(x).
SmallVector<Value> AbsOp::buildGradient(OpBuilder &builder,
                                        ValueRange cotangents) {
  ImplicitLocOpBuilder b(getLoc(), builder);
  return {MulOp::create(b, cotangents[0], SignOp::create(b, getInput()))};
}

std::string AbsOp::evaluate(ArrayRef<HostTensor> operands,
                            MutableArrayRef<HostTensor> results) {
  return evaluateUnary(operands, results, [](auto x) {
    using T = decltype(x);
    if constexpr (std::is_floating_point_v<T>)
      return std::abs(x);
    return x < 0 ? T(-Wrapping<T>(x)) : x;
  });
}

//===----------------------------------------------------------------------===//
// neg
//===----------------------------------------------------------------------===//

Value NegOp::buildScalar(OpBuilder &builder, Location loc,
                         ValueRange operands) {
  if (computesInFloat(operands[0].getType()))
    return arith::NegFOp::create(builder, loc, operands[0]);
  return buildNegation(builder, loc, operands[0]);
}

bool NegOp::isLinearIn(ArrayRef<bool> varied) { return varied[0]; }

KnownElement NegOp::findResult(ArrayRef<KnownElement> operands) {
  return operands[0].isZero() ? operands[0] : KnownElement();
}

SmallVector<Value> NegOp::buildGradient(OpBuilder &builder,
                                        ValueRange cotangents) {
  return {NegOp::create(builder, getLoc(), cotangents[0])};
}

std::string NegOp::evaluate(ArrayRef<HostTensor> operands,
                            MutableArrayRef<HostTensor> results) {
  return evaluateUnary(operands, results,
                       [](auto x) { return -Wrapping<decltype(x)>(x); });
}

//===----------------------------------------------------------------------===//
// sign
//===----------------------------------------------------------------------===//

Value SignOp::buildScalar(OpBuilder &builder, Location loc,
                          ValueRange operands) {
  Value x = operands[0];
  Value zero = buildNumberLike(builder, loc, x, 0);
  Value one = buildNumberLike(builder, loc, x, 1);
  if (isUnsigned(getInput()))
    return arith::MinUIOp::create(builder, loc, x, one);
  bool isFloat = computesInFloat(x.getType());
  Value above =
      isFloat ? buildCompare(builder, loc, arith::CmpFPredicate::OGT, x, zero)
              : buildCompare(builder, loc, arith::CmpIPredicate::sgt, x, zero);
  Value below =
      isFloat ? buildCompare(builder, loc, arith::CmpFPredicate::OLT, x, zero)
              : buildCompare(builder, loc, arith::CmpIPredicate::slt, x, zero);
  // If x is neither above nor below 0, the result is x itself, which keeps -0
  // and NaN.
  Value rest = arith::SelectOp::create(builder, loc, below,
                                       buildNumberLike(builder, loc, x, -1), x);
  return arith::SelectOp::create(builder, loc, above, one, rest);
}

SmallVector<Value> SignOp::buildGradient(OpBuilder &, ValueRange) {
  return {Value()};
}

bool SignOp::passesGradient(unsigned) { return false; }

std::string SignOp::evaluate(ArrayRef<HostTensor> operands,
                             MutableArrayRef<HostTensor> results) {
  return evaluateUnary(operands, results, [](auto x) {
    using T = decltype(x);
    return x > 0 ? T(1) : x < 0 ? T(-1) : x;
  });
}

//===----------------------------------------------------------------------===//
// floor
//===----------------------------------------------------------------------===//

SmallVector<Value> FloorOp::buildGradient(OpBuilder &, ValueRange) {
  return {Value()};
}

bool FloorOp::passesGradient(unsigned) { return false; }

//===----------------------------------------------------------------------===//
// round
//===----------------------------------------------------------------------===//

SmallVector<Value> RoundOp::buildGradient(OpBuilder &, ValueRange) {
  return {Value()};
}

bool RoundOp::passesGradient(unsigned) { return false; }

//===----------------------------------------------------------------------===//
// exp
//===----------------------------------------------------------------------===//

// d exp(x) = y.
SmallVector<Value> ExpOp::buildGradient(OpBuilder &builder,
                                        ValueRange cotangents) {
  return {MulOp::create(builder, getLoc(), cotangents[0], getResult())};
}

//===----------------------------------------------------------------------===//
// expm1
//===----------------------------------------------------------------------===//

// d expm1(x) = y + 1.
SmallVector<Value> Expm1Op::buildGradient(OpBuilder &builder,
                                          ValueRange cotangents) {
  ImplicitLocOpBuilder b(getLoc(), builder);
  Value slope =
      AddOp::create(b, getResult(), buildScalarLike(b, getResult(), 1));
  return {MulOp::create(b, cotangents[0], slope)};
}

//===----------------------------------------------------------------------===//
// log
//===----------------------------------------------------------------------===//

// d log(x) = 1 / x.
SmallVector<Value> LogOp::buildGradient(OpBuilder &builder,
                                        ValueRange cotangents) {
  return {DivOp::create(builder, getLoc(), cotangents[0], getInput())};
}

//===----------------------------------------------------------------------===//
// log1p
//===----------------------------------------------------------------------===//

// d log1p(x) = 1 / (1 + x).
SmallVector<Value> Log1pOp::buildGradient(OpBuilder &builder,
                                          ValueRange cotangents) {
  ImplicitLocOpBuilder b(getLoc(), builder);
  Value shifted =
      AddOp::create(b, getInput(), buildScalarLike(b, getInput(), 1));
  return {DivOp::create(b, cotangents[0], shifted)};
}

//===----------------------------------------------------------------------===//
// sqrt
//===----------------------------------------------------------------------===//

// d sqrt(x) = 1 / (2 y).
SmallVector<Value> SqrtOp::buildGradient(OpBuilder &builder,
                                         ValueRange cotangents) {
  ImplicitLocOpBuilder b(getLoc(), builder);
  Value twice = AddOp::create(b, getResult(), getResult());
  return {DivOp::create(b, cotangents[0], twice)};
}

//===----------------------------------------------------------------------===//
// sin
//===----------------------------------------------------------------------===//

// d sin(x) = cos(x).
SmallVector<Value> SinOp::buildGradient(OpBuilder &builder,
                                        ValueRange cotangents) {
  ImplicitLocOpBuilder b(getLoc(), builder);
  return {MulOp::create(b, cotangents[0], CosOp::create(b, getInput()))};
}

//===----------------------------------------------------------------------===//
// cos
//===----------------------------------------------------------------------===//

// d cos(x) = -sin(x).
SmallVector<Value> CosOp::buildGradient(OpBuilder &builder,
                                        ValueRange cotangents) {
  ImplicitLocOpBuilder b(getLoc(), builder);
  Value slope = NegOp::create(b, SinOp::create(b, getInput()));
  return {MulOp::create(b, cotangents[0], slope)};
}

//===----------------------------------------------------------------------===//
// atan
//===----------------------------------------------------------------------===//

// d atan(x) = 1 / (1 + x^2).
SmallVector<Value> AtanOp::buildGradient(OpBuilder &builder,
                                         ValueRange cotangents) {
  ImplicitLocOpBuilder b(getLoc(), builder);
  Value square = MulOp::create(b, getInput(), getInput());
  Value divisor = AddOp::create(b, square, buildScalarLike(b, getInput(), 1));
  return {DivOp::create(b, cotangents[0], divisor)};
}

//===----------------------------------------------------------------------===//
// tanh
//===----------------------------------------------------------------------===//

// d tanh(x) = 1 - y^2.
SmallVector<Value> TanhOp::buildGradient(OpBuilder &builder,
                                         ValueRange cotangents) {
  ImplicitLocOpBuilder b(getLoc(), builder);
  Value square = MulOp::create(b, getResult(), getResult());
  Value slope = SubOp::create(b, buildScalarLike(b, getResult(), 1), square);
  return {MulOp::create(b, cotangents[0], slope)};
}

//===----------------------------------------------------------------------===//
// sigmoid
//===----------------------------------------------------------------------===//

// With e = exp(-|x|) <= 1: 1 / (1 + e) right of 0, e / (1 + e) left of it, so
// nothing overflows and small results keep their digits.
Value SigmoidOp::buildScalar(OpBuilder &builder, Location loc,
                             ValueRange operands) {
  Value x = operands[0];
  Value one = buildNumberLike(builder, loc, x, 1);
  Value magnitude = math::AbsFOp::create(builder, loc, x);
  Value e = math::ExpOp::create(builder, loc,
                                arith::NegFOp::create(builder, loc, magnitude));
  Value right = buildCompare(builder, loc, arith::CmpFPredicate::OGE, x,
                             buildNumberLike(builder, loc, x, 0));
  Value numerator = arith::SelectOp::create(builder, loc, right, one, e);
  return arith::DivFOp::create(builder, loc, numerator,
                               arith::AddFOp::create(builder, loc, one, e));
}

// d sigmoid(x) = y (1 - y).
SmallVector<Value> SigmoidOp::buildGradient(OpBuilder &builder,
                                            ValueRange cotangents) {
  ImplicitLocOpBuilder b(getLoc(), builder);
  Value rest =
      SubOp::create(b, buildScalarLike(b, getResult(), 1), getResult());
  Value slope = MulOp::create(b, getResult(), rest);
  return {MulOp::create(b, cotangents[0], slope)};
}

std::string SigmoidOp::evaluate(ArrayRef<HostTensor> operands,
                                MutableArrayRef<HostTensor> results) {
  return evaluateFunction(operands, results, [](double x) {
    return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x));
  });
}

//===----------------------------------------------------------------------===//
// erf
//===----------------------------------------------------------------------===//

// d erf(x) = 2 / sqrt(pi) exp(-x^2).
SmallVector<Value> ErfOp::buildGradient(OpBuilder &builder,
                                        ValueRange cotangents) {
  ImplicitLocOpBuilder b(getLoc(), builder);
  Value square = MulOp::create(b, getInput(), getInput());
  Value bell = ExpOp::create(b, NegOp::create(b, square));
  Value factor = buildScalarLike(b, getInput(), 2 * std::numbers::inv_sqrtpi);
  return {MulOp::create(b, cotangents[0], MulOp::create(b, bell, factor))};
}

//===----------------------------------------------------------------------===//
// relu
//===----------------------------------------------------------------------===//

Value ReluOp::buildScalar(OpBuilder &builder, Location loc,
                          ValueRange operands) {
  Value x = operands[0];
  if (isUnsigned(getInput()))
    return x;
  Value zero = buildNumberLike(builder, loc, x, 0);
  if (!computesInFloat(x.getType()))
    return arith::MaxSIOp::create(builder, loc, x, zero);
  // Not maximumf: x <= 0 gives +0 also for -0, and NaN compares false.
  Value below = buildCompare(builder, loc, arith::CmpFPredicate::OLE, x, zero);
  return arith::SelectOp::create(builder, loc, below, zero, x);
}

// d relu(x) = [y > 0]: only the sign of the result is needed.
SmallVector<Value> ReluOp::buildGradient(OpBuilder &builder,
                                         ValueRange cotangents) {
  ImplicitLocOpBuilder b(getLoc(), builder);
  Value zero = buildScalarLike(b, getResult(), 0);
  Value positive = CompareOp::create(b, Predicate::gt, getResult(), zero);
  return {SelectOp::create(b, positive, cotangents[0], zero)};
}

std::string ReluOp::evaluate(ArrayRef<HostTensor> operands,
                             MutableArrayRef<HostTensor> results) {
  return evaluateUnary(operands, results,
                       [](auto x) { return x <= 0 ? decltype(x)(0) : x; });
}

//===----------------------------------------------------------------------===//
// not
//===----------------------------------------------------------------------===//

Value NotOp::buildScalar(OpBuilder &builder, Location loc,
                         ValueRange operands) {
  // -1 has all bits set, also as an i1.
  return arith::XOrIOp::create(builder, loc, operands[0],
                               buildNumberLike(builder, loc, operands[0], -1));
}

std::string NotOp::evaluate(ArrayRef<HostTensor> operands,
                            MutableArrayRef<HostTensor> results) {
  if (operands[0].getElementType().isInteger(1))
    return evaluateUnary(operands, results, [](auto x) { return !x; });
  return evaluateUnary(operands, results, [](auto x) {
    if constexpr (std::is_integral_v<decltype(x)>)
      return decltype(x)(~x);
    return x;
  });
}
