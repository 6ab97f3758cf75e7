// Expansions of exp, expm1 and tanh.
#include "compiler/codegen/kernel/math/Functions.h"
#include "compiler/codegen/kernel/math/MathCoefficients.h"

using namespace mlir;
using namespace tg;
using namespace tg::coefficients;
using arith::CmpFPredicate;

namespace {
/// The decomposition x = n·ln 2 + rest with an integer n.
struct Reduced {
  Value rest;
  /// An integer whose low bits hold n + offset.
  Value bits;
};
} // namespace

/// Decomposes x for |x| < 2^(mantissa bits - 2). The addition of
/// 1.5·2^(mantissa bits) rounds to an integer, and leaves it, plus `offset`, in
/// the low bits.
static Reduced reduce(const FloatOps &ops, Value x, int offset) {
  bool isF32 = ops.isF32();
  Value shifter = ops.constant((isF32 ? 0x1.8p23 : 0x1.8p52) + double(offset));
  Value shifted = ops.fma(x, ops.constant(0x1.71547652b82fep+0), shifter);
  Value n = ops.sub(shifted, shifter);
  // ln 2 as a sum of two parts. The first is short enough that n times it is
  // exact.
  Value high = ops.constant(isF32 ? -0x1.62e4p-1 : -0x1.62e42feep-1);
  Value low =
      ops.constant(isF32 ? -0x1.7f7d1cf79abcap-20 : -0x1.a39ef35793c76p-33);
  Value rest = ops.fma(n, low, ops.fma(n, high, x));
  return {rest, ops.toBits(shifted)};
}

/// Returns the coefficients of q in e^r = 1 + r + r²·q(r).
static ArrayRef<double> expm1Tail(const FloatOps &ops) {
  if (ops.isF32())
    return kExpm1TailF32;
  return kExpm1TailF64;
}

/// Returns value·2^n, rounded once. The low bits of `bits` hold n + 2·bias. The
/// scale is a product of two factors 2^(n/2), because 2^n may be out of range
/// when the result is not.
static Value scale(const FloatOps &ops, Value value, Value bits) {
  int mantissa = ops.mantissaBits();
  int64_t exponentMask = ops.isF32() ? 0x7f800000 : 0x7ff0000000000000;
  Value first = ops.andBits(ops.shiftLeft(bits, mantissa - 1), exponentMask);
  Value second = ops.subBits(ops.shiftLeft(bits, mantissa), first);
  value = ops.mul(value, ops.fromBits(first));
  return ops.mul(value, ops.fromBits(second));
}

/// Clamps x to the range in which e^x varies: below, e^x rounds to 0; above, it
/// overflows.
static Value clampForExp(const FloatOps &ops, Value x) {
  x = ops.atMost(x, ops.isF32() ? 89.0 : 710.0);
  return ops.atLeast(x, ops.isF32() ? -104.0 : -746.0);
}

Value tg::expandExp(const FloatOps &ops, Value x) {
  // e^x = 2^n·(1 + r + r²·q(r)).
  Reduced reduced = reduce(ops, clampForExp(ops, x), 2 * ops.bias());
  Value one = ops.constant(1);
  Value r = reduced.rest;
  Value sum = ops.polynomial(r, expm1Tail(ops));
  sum = ops.fma(ops.fma(sum, r, one), r, one);
  return scale(ops, sum, reduced.bits);
}

Value tg::expandExpOfSum(const FloatOps &ops, Value high, Value low) {
  Value clamped = clampForExp(ops, high);
  Value unchanged = ops.compare(CmpFPredicate::OEQ, clamped, high);
  low = ops.select(unchanged, low, ops.constant(0));
  Reduced reduced = reduce(ops, clamped, 2 * ops.bias());
  Value r = ops.add(reduced.rest, low);
  Value one = ops.constant(1);
  Value sum = ops.polynomial(r, expm1Tail(ops));
  sum = ops.fma(ops.fma(sum, r, one), r, one);
  return scale(ops, sum, reduced.bits);
}

Value tg::expandExpm1(const FloatOps &ops, Value x) {
  bool isF32 = ops.isF32();
  // e^x - 1 = 2·(h·(r + r²·q(r)) + (h - 1/2)) with h = 2^(n-1), which is in
  // range for every n. Below the lower bound the result is -1.
  Value clamped = ops.atMost(x, isF32 ? 89.0 : 710.0);
  clamped = ops.atLeast(clamped, isF32 ? -18.0 : -38.0);
  Reduced reduced = reduce(ops, clamped, ops.bias() - 1);
  Value r = reduced.rest;
  Value tail = ops.polynomial(r, expm1Tail(ops));
  Value fraction = ops.fma(ops.mul(r, r), tail, r);
  Value half = ops.fromBits(ops.shiftLeft(reduced.bits, ops.mantissaBits()));
  Value sum = ops.fma(half, fraction, ops.sub(half, ops.constant(0.5)));
  sum = ops.add(sum, sum);
  // Preserves the sign of zero and the last bit of subnormals.
  Value limit = ops.constant(isF32 ? 0x1p-25 : 0x1p-54);
  Value isTiny = ops.compare(CmpFPredicate::OLT, ops.abs(x), limit);
  return ops.select(isTiny, x, sum);
}

/// Returns tanh x for f64 as t / (t + 2) with t = e^(2|x|) - 1.
static Value tanhByExpm1(const FloatOps &ops, Value x) {
  Value magnitude = ops.atMost(ops.abs(x), 20);
  Value t = expandExpm1(ops, ops.add(magnitude, magnitude));
  return ops.copySign(ops.div(t, ops.add(t, ops.constant(2))), x);
}

/// Returns 1 - 2 / (e^(2a) + 1) in f32, for a up to 10. The quotient is below
/// 1/2, so a coarse exponential is enough: one reduction step and degree 5.
static Value tanhByExp(const FloatOps &ops, Value a) {
  // e^(2a) / 2 = 2^(n-1)·e^(2r) with a = n·(ln 2)/2 + r.
  Value shifter = ops.constant(0x1.8p23 + ops.bias() - 1);
  Value shifted = ops.fma(a, ops.constant(0x1.71547652b82fep+1), shifter);
  Value n = ops.sub(shifted, shifter);
  Value r = ops.fma(n, ops.constant(-0x1.62e42fefa39efp-2), a);
  Value power = ops.polynomial(r, kExpOfDoubleF32);
  Value bits = ops.shiftLeft(ops.toBits(shifted), ops.mantissaBits());
  Value divisor = ops.fma(ops.fromBits(bits), power, ops.constant(0.5));
  Value one = ops.constant(1);
  return ops.sub(one, ops.div(one, divisor));
}

Value tg::expandTanh(const FloatOps &ops, Value x) {
  if (!ops.isF32())
    return tanhByExpm1(ops, x);
  // The result rounds to 1 from 9.02 on.
  Value a = ops.atMost(ops.abs(x), 9.02);
  Value large = tanhByExp(ops, a);
  // Below 5/8, tanh x = x + x³·p(x²).
  Value square = ops.mul(a, a);
  Value tail = ops.polynomial(square, kTanhTailF32);
  Value small = ops.fma(ops.mul(a, square), tail, a);
  Value isSmall = ops.compare(CmpFPredicate::OLT, a, ops.constant(0.625));
  return ops.copySign(ops.select(isSmall, small, large), x);
}
