// Expansions of log and log1p.
#include "compiler/codegen/kernel/math/Functions.h"
#include "compiler/codegen/kernel/math/MathCoefficients.h"

#include <limits>

using namespace mlir;
using namespace tg;
using namespace tg::coefficients;
using arith::CmpFPredicate;

static const double kInfinity = std::numeric_limits<double>::infinity();

/// Returns log(1 + f) + e·ln 2 for 1 + f in [sqrt(1/2), sqrt(2)].
static Value logOfParts(const FloatOps &ops, Value f, Value e) {
  bool isF32 = ops.isF32();
  // ln 2 as a sum of two parts. The first is short enough that e times it is
  // exact.
  Value high = ops.constant(isF32 ? 0x1.62e4p-1 : 0x1.62e42feep-1);
  Value low =
      ops.constant(isF32 ? 0x1.7f7d1cf79abcap-20 : 0x1.a39ef35793c76p-33);
  Value tail;
  if (isF32) {
    // log(1 + f) = f + f²·p(f).
    Value p = ops.polynomial(f, kLog1pTailF32);
    tail = ops.fma(ops.mul(f, f), p, ops.mul(e, low));
  } else {
    // With s = f / (2 + f) and h = f²/2, log(1 + f) = f - h + s·(h + s²·p(s²)).
    Value s = ops.div(f, ops.add(f, ops.constant(2)));
    Value z = ops.mul(s, s);
    Value h = ops.mul(ops.mul(f, ops.constant(0.5)), f);
    Value inner = ops.fma(z, ops.polynomial(z, kLogQuotientF64), h);
    tail = ops.sub(ops.fma(s, inner, ops.mul(e, low)), h);
  }
  return ops.fma(e, high, ops.add(f, tail));
}

namespace {
/// The exponent e of x for which 1 + f = x·2^-e lies in [sqrt(1/2), sqrt(2)).
struct Exponent {
  /// The integer e + bias.
  Value biased;
  /// The bits of x minus the bits of sqrt(1/2), plus the bias in the exponent
  /// field.
  Value shifted;
};
} // namespace

/// Returns the bits of sqrt(1/2).
static int64_t rootHalfBits(const FloatOps &ops) {
  return ops.isF32() ? 0x3f3504f3 : 0x3fe6a09e667f3bcd;
}

/// Extracts the exponent of a normal x > 0.
static Exponent extractExponent(const FloatOps &ops, Value x) {
  int64_t bias = int64_t(ops.bias()) << ops.mantissaBits();
  Value shifted =
      ops.addBits(ops.toBits(x), ops.integer(bias - rootHalfBits(ops)));
  return {ops.shiftRight(shifted, ops.mantissaBits()), shifted};
}

/// Returns 2^(mantissa bits) + bits - offset as a float, for an integer `bits`
/// in [0, 2^(mantissa bits)).
static Value smallNumber(const FloatOps &ops, Value bits, Value offset) {
  int64_t unit = ops.isF32() ? 0x4b000000 : 0x4330000000000000;
  return ops.sub(ops.fromBits(ops.orBits(bits, unit)), offset);
}

/// Returns `result` for finite x > pole, and the limits of log elsewhere: -inf
/// at the pole, NaN below it, inf at inf.
static Value logLimits(const FloatOps &ops, Value x, double pole,
                       Value result) {
  Value poleValue = ops.constant(pole);
  Value outside = ops.select(
      ops.compare(CmpFPredicate::OEQ, x, poleValue), ops.constant(-kInfinity),
      ops.constant(std::numeric_limits<double>::quiet_NaN()));
  result = ops.select(ops.compare(CmpFPredicate::OGT, x, poleValue), result,
                      outside);
  Value infinity = ops.constant(kInfinity);
  Value isInfinite = ops.compare(CmpFPredicate::OEQ, x, infinity);
  return ops.select(isInfinite, infinity, result);
}

Value tg::expandLog(const FloatOps &ops, Value x) {
  bool isF32 = ops.isF32();
  int mantissa = ops.mantissaBits();
  double unit = isF32 ? 0x1p23 : 0x1p52;
  // Scales subnormals into the normal range.
  Value isSmall = ops.compare(CmpFPredicate::OLT, x,
                              ops.constant(isF32 ? 0x1p-126 : 0x1p-1022));
  Value scaled = ops.mul(x, ops.constant(unit));
  Value normal = ops.select(isSmall, scaled, x);
  Value offset = ops.select(isSmall, ops.constant(unit + ops.bias() + mantissa),
                            ops.constant(unit + ops.bias()));
  Exponent exponent = extractExponent(ops, normal);
  Value e = smallNumber(ops, exponent.biased, offset);
  Value fraction = ops.andBits(exponent.shifted, (int64_t(1) << mantissa) - 1);
  Value m = ops.fromBits(ops.addBits(fraction, ops.integer(rootHalfBits(ops))));
  Value f = ops.sub(m, ops.constant(1));
  return logLimits(ops, x, 0, logOfParts(ops, f, e));
}

Value tg::expandLog1p(const FloatOps &ops, Value x) {
  bool isF32 = ops.isF32();
  int mantissa = ops.mantissaBits();
  Value one = ops.constant(1);
  Exponent exponent = extractExponent(ops, ops.add(x, one));
  Value offset = ops.constant((isF32 ? 0x1p23 : 0x1p52) + ops.bias());
  Value e = smallNumber(ops, exponent.biased, offset);
  // f = x·2^-e + (2^-e - 1) is rounded once. Four times the scale is in range
  // for every e.
  Value scaleBits =
      ops.subBits(ops.integer(2 * ops.bias() + 2), exponent.biased);
  Value scale = ops.fromBits(ops.shiftLeft(scaleBits, mantissa));
  Value quarter = ops.constant(0.25);
  Value shift = ops.fma(quarter, scale, ops.constant(-1));
  Value f = ops.fma(ops.mul(x, quarter), scale, shift);
  Value result = logLimits(ops, x, -1, logOfParts(ops, f, e));
  // Preserves the sign of zero and the last bit of subnormals.
  Value limit = ops.constant(isF32 ? 0x1p-25 : 0x1p-54);
  Value isTiny = ops.compare(CmpFPredicate::OLT, ops.abs(x), limit);
  return ops.select(isTiny, x, result);
}
