//===- BinaryOps.cpp - functions of two elements of one type --------------===//
#include "dialects/tg/ops/elementwise/BinaryOps.h"
#include "dialects/tg/Builders.h"
#include "dialects/tg/ops/elementwise/Elementwise.h"
#include "dialects/tg/ops/elementwise/MixedTypeOps.h"
#include "dialects/tg/ops/elementwise/UnaryOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include <cmath>

using namespace mlir;
using namespace tg;

#include "dialects/tg/ops/elementwise/BinaryOpsDefinitions.inc"

//===----------------------------------------------------------------------===//
// Common code
//===----------------------------------------------------------------------===//

/// Emits the float form or the integer form of an op, depending on the type.
template <typename FloatForm, typename IntegerForm>
static Value emit(OpBuilder &builder, Location loc, ValueRange operands) {
  if (computesInFloat(operands[0].getType()))
    return FloatForm::create(builder, loc, operands);
  return IntegerForm::create(builder, loc, operands);
}

//===----------------------------------------------------------------------===//
// add
//===----------------------------------------------------------------------===//

Value AddOp::buildScalar(OpBuilder &builder, Location loc,
                         ValueRange operands) {
  return emit<arith::AddFOp, arith::AddIOp>(builder, loc, operands);
}

SmallVector<Value> AddOp::buildGradient(OpBuilder &builder,
                                        ValueRange cotangents) {
  return {buildSumTo(builder, cotangents[0], getLhs()),
          buildSumTo(builder, cotangents[0], getRhs())};
}

std::string AddOp::evaluate(ArrayRef<HostTensor> operands,
                            MutableArrayRef<HostTensor> results) {
  return evaluateBinary(operands, results, []<typename T>(T a, T b) {
    return T(Wrapping<T>(a) + Wrapping<T>(b));
  });
}

AffineExpr AddOp::inferSize(ShapeInference &inference) {
  if (!isSizeScalar(getResult()))
    return {};
  return inference.sizeOf(getLhs()) + inference.sizeOf(getRhs());
}

bool AddOp::isLinearIn(ArrayRef<bool> varied) { return varied[0] && varied[1]; }

KnownElement AddOp::findResult(ArrayRef<KnownElement> operands) {
  if (operands[0].isZero())
    return operands[1];
  return operands[1].isZero() ? operands[0] : KnownElement();
}

//===----------------------------------------------------------------------===//
// sub
//===----------------------------------------------------------------------===//

Value SubOp::buildScalar(OpBuilder &builder, Location loc,
                         ValueRange operands) {
  return emit<arith::SubFOp, arith::SubIOp>(builder, loc, operands);
}

SmallVector<Value> SubOp::buildGradient(OpBuilder &builder,
                                        ValueRange cotangents) {
  Value right = buildSumTo(builder, cotangents[0], getRhs());
  return {buildSumTo(builder, cotangents[0], getLhs()),
          NegOp::create(builder, getLoc(), right)};
}

std::string SubOp::evaluate(ArrayRef<HostTensor> operands,
                            MutableArrayRef<HostTensor> results) {
  return evaluateBinary(operands, results, []<typename T>(T a, T b) {
    return T(Wrapping<T>(a) - Wrapping<T>(b));
  });
}

AffineExpr SubOp::inferSize(ShapeInference &inference) {
  if (!isSizeScalar(getResult()))
    return {};
  return inference.sizeOf(getLhs()) - inference.sizeOf(getRhs());
}

bool SubOp::isLinearIn(ArrayRef<bool> varied) { return varied[0] && varied[1]; }

KnownElement SubOp::findResult(ArrayRef<KnownElement> operands) {
  return operands[1].isZero() ? operands[0] : KnownElement();
}

//===----------------------------------------------------------------------===//
// mul
//===----------------------------------------------------------------------===//

Value MulOp::buildScalar(OpBuilder &builder, Location loc,
                         ValueRange operands) {
  return emit<arith::MulFOp, arith::MulIOp>(builder, loc, operands);
}

// d (a b) = g b, g a.
SmallVector<Value> MulOp::buildGradient(OpBuilder &builder,
                                        ValueRange cotangents) {
  ImplicitLocOpBuilder b(getLoc(), builder);
  Value g = cotangents[0];
  return {buildSumTo(b, MulOp::create(b, g, getRhs()), getLhs()),
          buildSumTo(b, MulOp::create(b, g, getLhs()), getRhs())};
}

std::string MulOp::evaluate(ArrayRef<HostTensor> operands,
                            MutableArrayRef<HostTensor> results) {
  return evaluateBinary(operands, results, []<typename T>(T a, T b) {
    return T(Wrapping<T>(a) * Wrapping<T>(b));
  });
}

AffineExpr MulOp::inferSize(ShapeInference &inference) {
  if (!isSizeScalar(getResult()))
    return {};
  return inference.sizeOf(getLhs()) * inference.sizeOf(getRhs());
}

bool MulOp::isLinearIn(ArrayRef<bool> varied) { return varied[0] != varied[1]; }

KnownElement MulOp::findResult(ArrayRef<KnownElement> operands) {
  for (const KnownElement &operand : operands)
    if (operand.isZero())
      return operand;
  return {};
}

//===----------------------------------------------------------------------===//
// pow
//===----------------------------------------------------------------------===//

Value PowOp::buildScalar(OpBuilder &builder, Location loc,
                         ValueRange operands) {
  return math::PowFOp::create(builder, loc, operands[0], operands[1]);
}

// d a^b = select(b = 0, 0, g b a^(b-1)),
//         select(a > 0, g y ln(select(a > 0, a, 1)), 0).
SmallVector<Value> PowOp::buildGradient(OpBuilder &builder,
                                        ValueRange cotangents) {
  ImplicitLocOpBuilder b(getLoc(), builder);
  Value g = cotangents[0];
  Value zero = buildScalarLike(b, getLhs(), 0);
  Value one = buildScalarLike(b, getLhs(), 1);
  Value isConstant = CompareOp::create(b, Predicate::eq, getRhs(), zero);
  Value lower = PowOp::create(b, getLhs(), SubOp::create(b, getRhs(), one));
  Value slope = MulOp::create(b, MulOp::create(b, g, getRhs()), lower);
  Value left = SelectOp::create(b, isConstant, zero, slope);
  Value positive = CompareOp::create(b, Predicate::gt, getLhs(), zero);
  Value log = LogOp::create(b, SelectOp::create(b, positive, getLhs(), one));
  Value growth = MulOp::create(b, MulOp::create(b, g, getResult()), log);
  Value right = SelectOp::create(b, positive, growth, zero);
  return {buildSumTo(b, left, getLhs()), buildSumTo(b, right, getRhs())};
}

std::string PowOp::evaluate(ArrayRef<HostTensor> operands,
                            MutableArrayRef<HostTensor> results) {
  return evaluateBinary(operands, results, []<typename T>(T a, T b) {
    return T(std::pow(double(a), double(b)));
  });
}

//===----------------------------------------------------------------------===//
// maximum
//===----------------------------------------------------------------------===//

/// Returns g for lhs where `predicate` holds between lhs and rhs, and g for rhs
/// elsewhere.
static SmallVector<Value> selectByOrder(ImplicitLocOpBuilder b,
                                        Predicate predicate, Value lhs,
                                        Value rhs, Value g) {
  Value zero = buildScalarLike(b, g, 0);
  Value takesLhs = CompareOp::create(b, predicate, lhs, rhs);
  return {buildSumTo(b, SelectOp::create(b, takesLhs, g, zero), lhs),
          buildSumTo(b, SelectOp::create(b, takesLhs, zero, g), rhs)};
}

Value MaximumOp::buildScalar(OpBuilder &builder, Location loc,
                             ValueRange operands) {
  return buildGreater(builder, loc, getLhs().getType().getElementType(),
                      operands[0], operands[1]);
}

SmallVector<Value> MaximumOp::buildGradient(OpBuilder &builder,
                                            ValueRange cotangents) {
  return selectByOrder({getLoc(), builder}, Predicate::ge, getLhs(), getRhs(),
                       cotangents[0]);
}

std::string MaximumOp::evaluate(ArrayRef<HostTensor> operands,
                                MutableArrayRef<HostTensor> results) {
  return evaluateBinary(operands, results,
                        []<typename T>(T a, T b) { return greaterOf(a, b); });
}

AffineExpr MaximumOp::inferSize(ShapeInference &inference) {
  if (!isSizeScalar(getResult()))
    return {};
  return inference.greaterOf(inference.sizeOf(getLhs()),
                             inference.sizeOf(getRhs()));
}

//===----------------------------------------------------------------------===//
// minimum
//===----------------------------------------------------------------------===//

Value MinimumOp::buildScalar(OpBuilder &builder, Location loc,
                             ValueRange operands) {
  return buildLesser(builder, loc, getLhs().getType().getElementType(),
                     operands[0], operands[1]);
}

SmallVector<Value> MinimumOp::buildGradient(OpBuilder &builder,
                                            ValueRange cotangents) {
  return selectByOrder({getLoc(), builder}, Predicate::le, getLhs(), getRhs(),
                       cotangents[0]);
}

std::string MinimumOp::evaluate(ArrayRef<HostTensor> operands,
                                MutableArrayRef<HostTensor> results) {
  return evaluateBinary(operands, results,
                        []<typename T>(T a, T b) { return lesserOf(a, b); });
}

AffineExpr MinimumOp::inferSize(ShapeInference &inference) {
  if (!isSizeScalar(getResult()))
    return {};
  return inference.lesserOf(inference.sizeOf(getLhs()),
                            inference.sizeOf(getRhs()));
}

//===----------------------------------------------------------------------===//
// and
//===----------------------------------------------------------------------===//

Value AndOp::buildScalar(OpBuilder &builder, Location loc,
                         ValueRange operands) {
  return arith::AndIOp::create(builder, loc, operands[0], operands[1]);
}

std::string AndOp::evaluate(ArrayRef<HostTensor> operands,
                            MutableArrayRef<HostTensor> results) {
  return evaluateBits(operands, results, [](auto a, auto b) { return a & b; });
}

//===----------------------------------------------------------------------===//
// or
//===----------------------------------------------------------------------===//

Value OrOp::buildScalar(OpBuilder &builder, Location loc, ValueRange operands) {
  return arith::OrIOp::create(builder, loc, operands[0], operands[1]);
}

std::string OrOp::evaluate(ArrayRef<HostTensor> operands,
                           MutableArrayRef<HostTensor> results) {
  return evaluateBits(operands, results, [](auto a, auto b) { return a | b; });
}

//===----------------------------------------------------------------------===//
// xor
//===----------------------------------------------------------------------===//

Value XorOp::buildScalar(OpBuilder &builder, Location loc,
                         ValueRange operands) {
  return arith::XOrIOp::create(builder, loc, operands[0], operands[1]);
}

std::string XorOp::evaluate(ArrayRef<HostTensor> operands,
                            MutableArrayRef<HostTensor> results) {
  return evaluateBits(operands, results, [](auto a, auto b) { return a ^ b; });
}
