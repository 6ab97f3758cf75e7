//===- ElementwiseOps.cpp - one result element per operand element --------===//
#include "dialects/tg/Builders.h"
#include "dialects/tg/Elementwise.h"
#include "dialects/tg/Tg.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include <cmath>
#include <numbers>

using namespace mlir;
using namespace tg;

//===----------------------------------------------------------------------===//
// What the family shares
//===----------------------------------------------------------------------===//

/// `number` in the type of a register.
static Value numberLike(OpBuilder &builder, Location loc, Value like,
                        double number) {
  return buildRegisterConstant(builder, loc, like.getType(), number);
}

static bool isUnsigned(Value tensor) {
  return getElementTypeOrSelf(tensor).isUnsignedInteger();
}

/// The op with the float form or the integer form, whichever the type asks.
template <typename FloatForm, typename IntegerForm>
static Value emit(OpBuilder &builder, Location loc, ValueRange operands) {
  if (isFloatRegister(operands[0].getType()))
    return FloatForm::create(builder, loc, operands);
  return IntegerForm::create(builder, loc, operands);
}

static Value emitNegation(OpBuilder &builder, Location loc, Value x) {
  return arith::SubIOp::create(builder, loc, numberLike(builder, loc, x, 0), x);
}

static Value emitCompare(OpBuilder &builder, Location loc,
                         arith::CmpFPredicate predicate, Value lhs, Value rhs) {
  return arith::CmpFOp::create(builder, loc, predicate, lhs, rhs);
}

static Value emitCompare(OpBuilder &builder, Location loc,
                         arith::CmpIPredicate predicate, Value lhs, Value rhs) {
  return arith::CmpIOp::create(builder, loc, predicate, lhs, rhs);
}

/// Whether the op computes a number that extents may be made of.
static bool isNumber(Value result) {
  auto type = cast<RankedTensorType>(result.getType());
  return type.getRank() == 0 && type.getElementType().isInteger(64);
}

//===----------------------------------------------------------------------===//
// abs
//===----------------------------------------------------------------------===//

Value AbsOp::buildScalar(OpBuilder &builder, Location loc,
                         ValueRange operands) {
  Value x = operands[0];
  if (isFloatRegister(x.getType()))
    return math::AbsFOp::create(builder, loc, x);
  if (isUnsigned(getInput()))
    return x;
  Value negative = emitCompare(builder, loc, arith::CmpIPredicate::slt, x,
                               numberLike(builder, loc, x, 0));
  return arith::SelectOp::create(builder, loc, negative,
                                 emitNegation(builder, loc, x), x);
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
  if (isFloatRegister(operands[0].getType()))
    return arith::NegFOp::create(builder, loc, operands[0]);
  return emitNegation(builder, loc, operands[0]);
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
  Value zero = numberLike(builder, loc, x, 0);
  Value one = numberLike(builder, loc, x, 1);
  if (isUnsigned(getInput()))
    return arith::MinUIOp::create(builder, loc, x, one);
  bool isFloat = isFloatRegister(x.getType());
  Value above =
      isFloat ? emitCompare(builder, loc, arith::CmpFPredicate::OGT, x, zero)
              : emitCompare(builder, loc, arith::CmpIPredicate::sgt, x, zero);
  Value below =
      isFloat ? emitCompare(builder, loc, arith::CmpFPredicate::OLT, x, zero)
              : emitCompare(builder, loc, arith::CmpIPredicate::slt, x, zero);
  // Neither above nor below: x itself, which keeps -0 and NaN.
  Value rest = arith::SelectOp::create(builder, loc, below,
                                       numberLike(builder, loc, x, -1), x);
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
  Value one = numberLike(builder, loc, x, 1);
  Value magnitude = math::AbsFOp::create(builder, loc, x);
  Value e = math::ExpOp::create(builder, loc,
                                arith::NegFOp::create(builder, loc, magnitude));
  Value right = emitCompare(builder, loc, arith::CmpFPredicate::OGE, x,
                            numberLike(builder, loc, x, 0));
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
  Value zero = numberLike(builder, loc, x, 0);
  if (!isFloatRegister(x.getType()))
    return arith::MaxSIOp::create(builder, loc, x, zero);
  // Not maximumf: x <= 0 gives +0 also for -0, and NaN compares false.
  Value below = emitCompare(builder, loc, arith::CmpFPredicate::OLE, x, zero);
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
                               numberLike(builder, loc, operands[0], -1));
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

AffineExpr AddOp::inferNumber(ShapeInference &inference) {
  if (!isNumber(getResult()))
    return {};
  return inference.numberOf(getLhs()) + inference.numberOf(getRhs());
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

AffineExpr SubOp::inferNumber(ShapeInference &inference) {
  if (!isNumber(getResult()))
    return {};
  return inference.numberOf(getLhs()) - inference.numberOf(getRhs());
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

AffineExpr MulOp::inferNumber(ShapeInference &inference) {
  if (!isNumber(getResult()))
    return {};
  return inference.numberOf(getLhs()) * inference.numberOf(getRhs());
}

//===----------------------------------------------------------------------===//
// Integer divisors, for div and remainder
//===----------------------------------------------------------------------===//

/// The divisor operand of a division that can fail.
static std::optional<unsigned> checkedDivisor(Value divisor) {
  if (isa<FloatType>(getElementTypeOrSelf(divisor)))
    return std::nullopt;
  DenseIntElementsAttr known;
  if (matchPattern(divisor, m_Constant(&known)) &&
      llvm::none_of(known, [](const APInt &value) { return value.isZero(); }))
    return std::nullopt;
  return 1;
}

/// Whether the divisor is -1, and the divisor with 1 in those lanes: the
/// instructions trap on MIN / -1.
static std::pair<Value, Value> splitMinusOne(OpBuilder &builder, Location loc,
                                             Value divisor) {
  Value isMinusOne =
      emitCompare(builder, loc, arith::CmpIPredicate::eq, divisor,
                  numberLike(builder, loc, divisor, -1));
  Value safe = arith::SelectOp::create(
      builder, loc, isMinusOne, numberLike(builder, loc, divisor, 1), divisor);
  return {isMinusOne, safe};
}

/// R1 on the host: what a run would say.
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
  if (isFloatRegister(lhs.getType()))
    return arith::DivFOp::create(builder, loc, lhs, rhs);
  if (isUnsigned(getLhs()))
    return arith::DivUIOp::create(builder, loc, lhs, rhs);
  auto [isMinusOne, safe] = splitMinusOne(builder, loc, rhs);
  Value quotient = arith::DivSIOp::create(builder, loc, lhs, safe);
  return arith::SelectOp::create(builder, loc, isMinusOne,
                                 emitNegation(builder, loc, lhs), quotient);
}

// d (a / b) = g / b, -g y / b.
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

/// Whether an expression over extents is at least 0 by its form.
static bool isNeverNegative(AffineExpr number) {
  if (auto constant = dyn_cast<AffineConstantExpr>(number))
    return constant.getValue() >= 0;
  auto binary = dyn_cast<AffineBinaryOpExpr>(number);
  return !binary ||
         (isNeverNegative(binary.getLHS()) && isNeverNegative(binary.getRHS()));
}

AffineExpr DivOp::inferNumber(ShapeInference &inference) {
  if (!isNumber(getResult()))
    return {};
  // Truncation is rounding down only where nothing is negative.
  AffineExpr dividend = inference.numberOf(getLhs());
  std::optional<int64_t> divisor = staticExtent(inference.numberOf(getRhs()));
  if (!divisor || *divisor <= 0 || !isNeverNegative(dividend))
    return {};
  return dividend.floorDiv(*divisor);
}

//===----------------------------------------------------------------------===//
// remainder
//===----------------------------------------------------------------------===//

Value RemainderOp::buildScalar(OpBuilder &builder, Location loc,
                               ValueRange operands) {
  Value lhs = operands[0], rhs = operands[1];
  if (isFloatRegister(lhs.getType()))
    return arith::RemFOp::create(builder, loc, lhs, rhs);
  if (isUnsigned(getLhs()))
    return arith::RemUIOp::create(builder, loc, lhs, rhs);
  // x rem -1 = x rem 1 = 0.
  Value safe = splitMinusOne(builder, loc, rhs).second;
  return arith::RemSIOp::create(builder, loc, lhs, safe);
}

// d (a - b trunc(a / b)) = g, -g (a - y) / b.
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
    else
      return T(b == T(-1) ? T(0) : T(a % b));
  });
}

std::optional<unsigned> RemainderOp::getCheckedOperand() {
  return checkedDivisor(getRhs());
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

/// g where `predicate` holds between lhs and rhs for lhs, elsewhere for rhs.
static SmallVector<Value> shareByOrder(ImplicitLocOpBuilder b,
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
  return shareByOrder({getLoc(), builder}, Predicate::ge, getLhs(), getRhs(),
                      cotangents[0]);
}

std::string MaximumOp::evaluate(ArrayRef<HostTensor> operands,
                                MutableArrayRef<HostTensor> results) {
  return evaluateBinary(operands, results,
                        []<typename T>(T a, T b) { return greaterOf(a, b); });
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
  return shareByOrder({getLoc(), builder}, Predicate::le, getLhs(), getRhs(),
                      cotangents[0]);
}

std::string MinimumOp::evaluate(ArrayRef<HostTensor> operands,
                                MutableArrayRef<HostTensor> results) {
  return evaluateBinary(operands, results,
                        []<typename T>(T a, T b) { return lesserOf(a, b); });
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

//===----------------------------------------------------------------------===//
// compare
//===----------------------------------------------------------------------===//

LogicalResult CompareOp::inferResults(Adaptor adaptor,
                                      ShapeInference &inference,
                                      SmallVectorImpl<TensorExtents> &results) {
  if (failed(
          inferBinary(adaptor.getLhs(), adaptor.getRhs(), inference, results)))
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
  // In the order of Predicate; a NaN makes only ne true.
  static constexpr F floats[] = {F::OEQ, F::UNE, F::OLT,
                                 F::OLE, F::OGT, F::OGE};
  static constexpr I signedOnes[] = {I::eq,  I::ne,  I::slt,
                                     I::sle, I::sgt, I::sge};
  static constexpr I unsignedOnes[] = {I::eq,  I::ne,  I::ult,
                                       I::ule, I::ugt, I::uge};
  unsigned row = unsigned(getPredicate());
  if (isFloatRegister(operands[0].getType()))
    return emitCompare(builder, loc, floats[row], operands[0], operands[1]);
  return emitCompare(builder, loc,
                     isUnsigned(getLhs()) ? unsignedOnes[row] : signedOnes[row],
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
  if (failed(
          inferBinary(adaptor.getLhs(), adaptor.getRhs(), inference, results)))
    return failure();
  FailureOr<SmallVector<AffineExpr>> dims = inference.broadcast(
      inference.extentsOf(adaptor.getCondition()), results[0].dims, "C2");
  if (failed(dims))
    return failure();
  results[0].dims = *dims;
  return success();
}

Value SelectOp::buildScalar(OpBuilder &builder, Location loc,
                            ValueRange operands) {
  return arith::SelectOp::create(builder, loc, operands[0], operands[1],
                                 operands[2]);
}

// d select(c, a, b) = select(c, g, 0), select(c, 0, g).
SmallVector<Value> SelectOp::buildGradient(OpBuilder &builder,
                                           ValueRange cotangents) {
  ImplicitLocOpBuilder b(getLoc(), builder);
  Value g = cotangents[0], zero = buildScalarLike(b, g, 0);
  Value left = SelectOp::create(b, getCondition(), g, zero);
  Value right = SelectOp::create(b, getCondition(), zero, g);
  return {Value(), buildSumTo(b, left, getLhs()),
          buildSumTo(b, right, getRhs())};
}

std::string SelectOp::evaluate(ArrayRef<HostTensor> operands,
                               MutableArrayRef<HostTensor> results) {
  SmallVector<std::vector<int64_t>> sources;
  for (const HostTensor &operand : operands)
    sources.push_back(
        broadcastElements(operand.getShape(), results[0].getShape()));
  int64_t bytes = elementBytes(results[0].getElementType());
  for (int64_t i = 0; i < results[0].getNumElements(); ++i) {
    unsigned from = operands[0].values<uint8_t>()[sources[0][i]] ? 1 : 2;
    std::memcpy(results[0].data() + i * bytes,
                operands[from].data() + sources[from][i] * bytes, bytes);
  }
  return {};
}

//===----------------------------------------------------------------------===//
// cast
//===----------------------------------------------------------------------===//

LogicalResult CastOp::inferResults(Adaptor adaptor, ShapeInference &inference,
                                   SmallVectorImpl<TensorExtents> &results) {
  Type type = adaptor.getElementType();
  bool known = type.isF32() || type.isF64() || type.isSignlessInteger(64) ||
               type.isSignlessInteger(32) || type.isSignlessInteger(1) ||
               type.isUnsignedInteger(8);
  if (!known) {
    std::string found;
    llvm::raw_string_ostream(found) << type;
    return inference.fail("expected element_type f32, f64, i64, i32, ui8 or "
                          "i1, found " +
                          Twine(found) + " [C4]");
  }
  results.push_back({type, inference.extentsOf(adaptor.getInput())});
  return success();
}

OpFoldResult CastOp::fold(FoldAdaptor) {
  return getType() == getInput().getType() ? getInput() : Value();
}

/// Float to integer: truncated, saturated, 0 for NaN; `to` is the register
/// type, `elementType` has the sign.
static Value emitSaturatingCast(OpBuilder &builder, Location loc, Value x,
                                Type elementType, Type to) {
  // Both bounds are powers of two or 0, so they are exact in f32.
  bool isUnsigned = elementType.isUnsignedInteger();
  int width = elementType.getIntOrFloatBitWidth();
  Value lower =
      numberLike(builder, loc, x, isUnsigned ? 0 : -std::ldexp(1, width - 1));
  Value upper = numberLike(builder, loc, x,
                           std::ldexp(1, isUnsigned ? width : width - 1));
  Value isBelow =
      emitCompare(builder, loc, arith::CmpFPredicate::OLE, x, lower);
  Value isAbove =
      emitCompare(builder, loc, arith::CmpFPredicate::OGE, x, upper);
  Value isNan = emitCompare(builder, loc, arith::CmpFPredicate::UNO, x, x);
  Value isOutside = arith::OrIOp::create(
      builder, loc, isNan,
      arith::OrIOp::create(builder, loc, isBelow, isAbove));
  Value safe = arith::SelectOp::create(builder, loc, isOutside,
                                       numberLike(builder, loc, x, 0), x);
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

/// Between floats, or between integers of different widths.
static Value emitResize(OpBuilder &builder, Location loc, Value x, Type from,
                        Type to, Type register_) {
  unsigned width = from.getIntOrFloatBitWidth();
  unsigned newWidth = to.getIntOrFloatBitWidth();
  if (width == newWidth)
    return x;
  if (isa<FloatType>(from))
    return width < newWidth
               ? Value(arith::ExtFOp::create(builder, loc, register_, x))
               : Value(arith::TruncFOp::create(builder, loc, register_, x));
  if (width > newWidth)
    return arith::TruncIOp::create(builder, loc, register_, x);
  if (from.isUnsignedInteger() || from.isInteger(1))
    return arith::ExtUIOp::create(builder, loc, register_, x);
  return arith::ExtSIOp::create(builder, loc, register_, x);
}

Value CastOp::buildScalar(OpBuilder &builder, Location loc,
                          ValueRange operands) {
  Value x = operands[0];
  Type from = getInput().getType().getElementType(), to = getElementType();
  Type type = registerType(to);
  if (auto vector = dyn_cast<VectorType>(x.getType()))
    type = vector.clone(type);
  bool isFromFloat = isa<FloatType>(from), isToFloat = isa<FloatType>(to);
  if (to.isInteger(1) && isFromFloat)
    return emitCompare(builder, loc, arith::CmpFPredicate::UNE, x,
                       numberLike(builder, loc, x, 0));
  if (to.isInteger(1))
    return emitCompare(builder, loc, arith::CmpIPredicate::ne, x,
                       numberLike(builder, loc, x, 0));
  if (isFromFloat == isToFloat)
    return emitResize(builder, loc, x, from, to, type);
  if (isFromFloat)
    return emitSaturatingCast(builder, loc, x, to, type);
  if (from.isUnsignedInteger() || from.isInteger(1))
    return arith::UIToFPOp::create(builder, loc, type, x);
  return arith::SIToFPOp::create(builder, loc, type, x);
}

// From float to float the cotangent is cast back.
SmallVector<Value> CastOp::buildGradient(OpBuilder &builder,
                                         ValueRange cotangents) {
  Type from = getInput().getType().getElementType();
  if (!isa<FloatType>(from) || !isa<FloatType>(getElementType()))
    return {Value()};
  return {CastOp::create(builder, getLoc(), cotangents[0], from)};
}

/// One element, in C++ types.
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
  bool isTruth = getElementType().isInteger(1);
  visitElementType(operands[0].getElementType(), [&](auto source) {
    visitElementType(getElementType(), [&](auto target) {
      using From = decltype(source);
      using To = decltype(target);
      llvm::transform(
          operands[0].values<From>(), results[0].values<To>().begin(),
          [&](From x) { return isTruth ? To(x != 0) : castElement<To>(x); });
    });
  });
  return {};
}

AffineExpr CastOp::inferNumber(ShapeInference &inference) {
  if (!isNumber(getResult()) || !isNumber(getInput()))
    return {};
  return inference.numberOf(getInput());
}
