// Expansion of pow, with all special cases of C.
#include "compiler/codegen/kernel/math/Functions.h"
#include "compiler/codegen/kernel/math/MathCoefficients.h"

#include <limits>

using namespace mlir;
using namespace tg;
using namespace tg::coefficients;
using arith::CmpFPredicate;

static const double kInfinity = std::numeric_limits<double>::infinity();

namespace {
/// An unevaluated sum of two f64; `low` is below the last digit of `high`.
struct Sum {
  Value high;
  Value low;
};
} // namespace

/// Returns a + b exactly, for |a| >= |b| or a = 0.
static Sum fastTwoSum(const FloatOps &ops, Value a, Value b) {
  Value high = ops.add(a, b);
  return {high, ops.sub(b, ops.sub(high, a))};
}

/// Returns f / (2 + f) to about 2^-75; the high part has half a significand.
/// Products of halves are exact, so no fused op is needed.
static Sum quotient(const FloatOps &ops, Value f) {
  Value two = ops.constant(2);
  Sum divisor = fastTwoSum(ops, two, f);
  Value reciprocal = ops.div(ops.constant(1), divisor.high);
  Value high = ops.upperHalf(ops.mul(f, reciprocal));
  Value divisorHigh = ops.upperHalf(divisor.high);
  Value divisorLow = ops.add(ops.sub(divisor.high, divisorHigh), divisor.low);
  Value rest = ops.sub(f, ops.mul(high, divisorHigh));
  rest = ops.sub(rest, ops.mul(high, divisorLow));
  return {high, ops.mul(rest, reciprocal)};
}

/// Returns s²/3 + s⁴·p(s²), the series of atanh(s)/s - 1; the high part has
/// half a significand.
static Sum atanhTail(const FloatOps &ops, Sum s) {
  Value z = ops.mul(s.high, s.high); // exact
  Value zLow = ops.mul(s.low, ops.add(ops.add(s.high, s.high), s.low));
  Value square = ops.add(z, zLow);
  Value p = ops.polynomial(square, kLogQuotientTailF64);
  // 1/3 as a sum of two parts.
  const double thirdHigh = 0x1.5555554p-2;
  const double thirdLow = 0x1.5555555555555p-30;
  Value zHigh = ops.upperHalf(z);
  Value high = ops.mul(zHigh, ops.constant(thirdHigh)); // exact
  Value low = ops.mul(ops.sub(z, zHigh), ops.constant(thirdHigh));
  low = ops.fma(z, ops.constant(thirdLow), low);
  low = ops.fma(zLow, ops.constant(1.0 / 3), low);
  low = ops.fma(ops.mul(square, square), p, low);
  Value sum = ops.upperHalf(ops.add(high, low));
  return {sum, ops.add(ops.sub(high, sum), low)};
}

/// Returns log(x) to about 2^-66 for finite f64 x > 0.
static Sum logAsSum(const FloatOps &ops, Value x) {
  const int64_t rootHalf = 0x3fe6a09e667f3bcd;
  const int64_t bias = int64_t(1023) << 52;
  Value isSmall = ops.compare(CmpFPredicate::OLT, x, ops.constant(0x1p-1022));
  Value normal = ops.select(isSmall, ops.mul(x, ops.constant(0x1p52)), x);
  Value offset = ops.select(isSmall, ops.constant(0x1p52 + 1023 + 52),
                            ops.constant(0x1p52 + 1023));
  Value shifted = ops.addBits(ops.toBits(normal), ops.integer(bias - rootHalf));
  Value biased = ops.orBits(ops.shiftRight(shifted, 52), 0x4330000000000000);
  Value e = ops.sub(ops.fromBits(biased), offset);
  Value fraction = ops.andBits(shifted, (int64_t(1) << 52) - 1);
  Value m = ops.fromBits(ops.addBits(fraction, ops.integer(rootHalf)));
  Value f = ops.sub(m, ops.constant(1));
  // log x = e·ln 2 + 2·atanh(s), s = f / (2 + f).
  Sum s = quotient(ops, f);
  Sum w = atanhTail(ops, s);
  Value two = ops.constant(2);
  Value exponentPart = ops.mul(e, ops.constant(0x1.62e42feep-1)); // exact
  Sum sum = fastTwoSum(ops, exponentPart, ops.mul(two, s.high));
  Sum total = fastTwoSum(ops, sum.high, ops.mul(two, ops.mul(s.high, w.high)));
  Value low = ops.fma(s.low, ops.add(w.high, w.low), s.low);
  low = ops.fma(s.high, w.low, low);
  low = ops.fma(e, ops.constant(0x1.a39ef35793c76p-33), ops.mul(two, low));
  low = ops.add(low, ops.add(sum.low, total.low));
  return fastTwoSum(ops, total.high, low);
}

/// Returns magnitude^exponent in f64 as exp(exponent·log(magnitude)), with the
/// product in two parts. Lanes with `isOne` give 1.
static Value powOfMagnitude(const FloatOps &ops, Value magnitude,
                            Value exponent, Value isOne) {
  Value infinity = ops.constant(kInfinity);
  Value zero = ops.constant(0);
  Sum log = logAsSum(ops, magnitude);
  // Larger exponents give the same result; the bound keeps the product finite.
  Value y = ops.atLeast(ops.atMost(exponent, 0x1p80), -0x1p80);
  Value yHigh = ops.upperHalf(y);
  Value logHigh = ops.upperHalf(log.high);
  Value logLow = ops.add(ops.sub(log.high, logHigh), log.low);
  Value high = ops.mul(yHigh, logHigh); // exact
  Value low = ops.mul(ops.sub(y, yHigh), logHigh);
  low = ops.fma(y, logLow, low);
  // The logarithms of 0, infinity and NaN need only one part.
  Value isZero = ops.compare(CmpFPredicate::OEQ, magnitude, zero);
  Value special = ops.select(isZero, ops.constant(-kInfinity), magnitude);
  Value isSpecial =
      ops.either(isZero, ops.compare(CmpFPredicate::UGE, magnitude, infinity));
  high = ops.select(isSpecial, ops.mul(exponent, special), high);
  low = ops.select(isSpecial, zero, low);
  high = ops.select(isOne, zero, high);
  low = ops.select(isOne, zero, low);
  return expandExpOfSum(ops, high, low);
}

/// Returns magnitude^exponent in f32. An f64 product needs no second part.
static Value powInDouble(const FloatOps &ops, Value magnitude, Value exponent,
                         Value isOne) {
  OpBuilder &builder = ops.getBuilder();
  FloatOps wide = ops.withElement(builder.getF64Type());
  auto extend = [&](Value value) -> Value {
    return arith::ExtFOp::create(builder, ops.getLoc(), wide.getType(), value);
  };
  Value product =
      wide.mul(extend(exponent), expandLog(wide, extend(magnitude)));
  product = wide.select(isOne, wide.constant(0), product);
  Value power = expandExp(wide, product);
  return arith::TruncFOp::create(builder, ops.getLoc(), ops.getType(), power);
}

Value tg::expandPow(const FloatOps &ops, Value base, Value exponent) {
  Value zero = ops.constant(0);
  Value magnitude = ops.abs(base);
  // x^0 = 1 even for NaN, and (±1)^±inf = 1.
  Value isOne =
      ops.either(ops.compare(CmpFPredicate::OEQ, exponent, zero),
                 ops.compare(CmpFPredicate::OEQ, magnitude, ops.constant(1)));
  Value power = ops.isF32() ? powInDouble(ops, magnitude, exponent, isOne)
                            : powOfMagnitude(ops, magnitude, exponent, isOne);

  Value half = ops.mul(exponent, ops.constant(0.5));
  Value isWhole =
      ops.compare(CmpFPredicate::OEQ, ops.floor(exponent), exponent);
  Value isOdd =
      ops.both(isWhole, ops.compare(CmpFPredicate::UNE, ops.floor(half), half));
  // An odd exponent preserves the sign of the base, including the sign of zero.
  Value sign = ops.select(isOdd, base, ops.constant(1));
  power = ops.copySign(power, sign);
  // A finite negative base with a fractional exponent gives NaN; 1^NaN is 1.
  Value isNegative =
      ops.both(ops.compare(CmpFPredicate::OLT, base, zero),
               ops.compare(CmpFPredicate::OGT, base, ops.constant(-kInfinity)));
  Value nan = ops.constant(std::numeric_limits<double>::quiet_NaN());
  Value isFraction =
      ops.compare(CmpFPredicate::UNE, ops.floor(exponent), exponent);
  return ops.select(ops.both(isNegative, isFraction), nan, power);
}
