// sin and cos for every finite number of radians.
#include "compiler/codegen/kernel/math/Functions.h"
#include "compiler/codegen/kernel/math/MathCoefficients.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace tg;
using namespace tg::coefficients;
using arith::CmpFPredicate;

namespace {
/// An angle as `quarters` quarter turns, a whole number, and `rest` radians in
/// [-π/4, π/4], all f64.
struct Angle {
  Value quarters;
  Value rest;
};
} // namespace

/// From here on a multiple of π/2 has more digits than `reduceSmall` subtracts.
static const double kSmallLimit = 0x1p20;

/// Bits of a digit of kTwoOverPi: 27 bits of x times such a digit are exact,
/// and so are the sums below.
static const int kDigitBits = 25;

/// Digits of 2/π that a number of f64 is multiplied by: those that make its
/// multiples of 4 are left out, and so are those below 2^-116.
static const unsigned kDigitsF64 = 9;

/// x = n·π/2 + rest for 0 <= x < kSmallLimit. The parts of π/2 but the last are
/// so short that n times them is exact; a difference is exact wherever it
/// cancels.
static Angle reduceSmall(const FloatOps &ops, Value x,
                         ArrayRef<double> halfPi) {
  Value shifter = ops.constant(0x1.8p52);
  Value turns = ops.fma(x, ops.constant(0x1.45f306dc9c883p-1), shifter);
  Value n = ops.sub(turns, shifter);
  Value rest = x;
  for (double part : halfPi)
    rest = ops.fma(n, ops.constant(-part), rest);
  return {n, rest};
}

/// The sum of terms >= 0 modulo 4 as a whole number and a rest, which becomes
/// radians. A term comes before all that are far less, so that a partial sum is
/// exact or not much greater than the rest; `lost` is what rounding takes away.
static Angle sumQuarters(const FloatOps &ops, ArrayRef<Value> terms) {
  SmallVector<Value> parts;
  Value quarter = ops.constant(0.25), four = ops.constant(-4);
  for (Value term : terms)
    parts.push_back(ops.fma(ops.floor(ops.mul(term, quarter)), four, term));
  Value sum = parts.front();
  for (Value part : llvm::drop_begin(parts))
    sum = ops.add(sum, part);
  Value shifter = ops.constant(0x1.8p52);
  Value n = ops.sub(ops.add(sum, shifter), shifter);
  Value rest = ops.sub(parts.front(), n), lost = ops.constant(0);
  for (Value part : llvm::drop_begin(parts)) {
    Value next = ops.add(rest, part);
    lost = ops.add(lost, ops.add(ops.sub(rest, next), part));
    rest = next;
  }
  Value halfPi = ops.constant(0x1.921fb54442d18p+0);
  return {n, ops.mul(ops.add(rest, lost), halfPi)};
}

/// The same for x of f32, whose 24 bits times any digit are exact.
static Angle reduceLargeF32(const FloatOps &ops, Value x) {
  SmallVector<Value> terms;
  for (unsigned k = 0; k < kDigitsF64; ++k)
    terms.push_back(ops.mul(
        x, ops.constant(std::ldexp(kTwoOverPi[k], -kDigitBits * int(k + 1)))));
  return sumQuarters(ops, terms);
}

/// The digits of 2/π that `x` needs, the first of weight 1, and in `x` what it
/// is then to be multiplied by: x·2^(-25 j) for the first digit j - 1. Chosen
/// lane by lane, half of the places that are left at a time.
static SmallVector<Value> chooseDigits(const FloatOps &ops, Value &x) {
  Value zero = ops.constant(0);
  SmallVector<Value> digits = {zero};
  for (double digit : kTwoOverPi)
    digits.push_back(ops.constant(digit));
  for (unsigned step : {32, 16, 8, 4, 2, 1}) {
    int bits = kDigitBits * int(step);
    Value isFar = ops.compare(CmpFPredicate::OGE, x,
                              ops.constant(std::ldexp(1.0, 52 + bits)));
    for (unsigned k = 0; k < kDigitsF64 + step - 1; ++k)
      digits[k] = ops.select(
          isFar, k + step < digits.size() ? digits[k + step] : zero, digits[k]);
    digits.resize(kDigitsF64 + step - 1);
    Value nearer = ops.mul(x, ops.constant(std::ldexp(1.0, -bits)));
    x = ops.select(isFar, nearer, x);
  }
  return digits;
}

/// The same for x of f64 in two halves.
static Angle reduceLargeF64(const FloatOps &ops, Value x) {
  SmallVector<Value> digits = chooseDigits(ops, x);
  Value high = ops.upperHalf(x), low = ops.sub(x, high);
  for (unsigned k = 1; k < kDigitsF64; ++k)
    digits[k] =
        ops.mul(digits[k], ops.constant(std::ldexp(1.0, -kDigitBits * int(k))));
  SmallVector<Value> terms;
  for (unsigned k = 0; k < kDigitsF64; ++k) {
    // The high half of the first digit is a multiple of 4.
    if (k + 1 < kDigitsF64)
      terms.push_back(ops.mul(high, digits[k + 1]));
    terms.push_back(ops.mul(low, digits[k]));
  }
  return sumQuarters(ops, terms);
}

/// |x| as an angle; `ops` are of f64. Lanes beyond kSmallLimit are rare: their
/// code runs if there is one, and no lane sees its neighbours.
static Angle reduce(const FloatOps &ops, Value x, bool isF32) {
  Angle small =
      isF32 ? reduceSmall(ops, x, kHalfPiF32) : reduceSmall(ops, x, kHalfPiF64);
  Value infinity = ops.constant(std::numeric_limits<double>::infinity());
  Value isLarge =
      ops.both(ops.compare(CmpFPredicate::OGE, x, ops.constant(kSmallLimit)),
               ops.compare(CmpFPredicate::OLT, x, infinity));
  auto branch = scf::IfOp::create(
      ops.getBuilder(), ops.getLoc(), ops.anyLane(isLarge),
      [&](OpBuilder &builder, Location loc) {
        Angle large = isF32 ? reduceLargeF32(ops, x) : reduceLargeF64(ops, x);
        scf::YieldOp::create(
            builder, loc,
            ValueRange{ops.select(isLarge, large.quarters, small.quarters),
                       ops.select(isLarge, large.rest, small.rest)});
      },
      [&](OpBuilder &builder, Location loc) {
        scf::YieldOp::create(builder, loc,
                             ValueRange{small.quarters, small.rest});
      });
  return {branch.getResult(0), branch.getResult(1)};
}

/// |x| as an angle in the type of `ops`.
static Angle reduceInDouble(const FloatOps &ops, Value magnitude) {
  if (!ops.isF32())
    return reduce(ops, magnitude, /*isF32=*/false);
  OpBuilder &builder = ops.getBuilder();
  FloatOps wide = ops.withElement(builder.getF64Type());
  Value x =
      arith::ExtFOp::create(builder, ops.getLoc(), wide.getType(), magnitude);
  Angle angle = reduce(wide, x, /*isF32=*/true);
  auto narrow = [&](Value value) -> Value {
    return arith::TruncFOp::create(builder, ops.getLoc(), ops.getType(), value);
  };
  return {narrow(angle.quarters), narrow(angle.rest)};
}

/// The sine of `quarters` quarter turns and `rest`: ± sin(rest) or ± cos(rest).
static Value sineOf(const FloatOps &ops, const Angle &angle) {
  bool isF32 = ops.isF32();
  Value r = angle.rest, z = ops.mul(r, r);
  // sin r = r + r³·p(r²), cos r = 1 - r²/2 + r⁴·q(r²).
  Value p =
      isF32 ? ops.polynomial(z, kSinTailF32) : ops.polynomial(z, kSinTailF64);
  Value q =
      isF32 ? ops.polynomial(z, kCosTailF32) : ops.polynomial(z, kCosTailF64);
  Value sine = ops.fma(ops.mul(r, z), p, r);
  Value cosine = ops.fma(ops.mul(z, z), q,
                         ops.fma(z, ops.constant(-0.5), ops.constant(1)));
  // The last bits of the whole number, brought to the end of the significand.
  Value shifter = ops.constant(isF32 ? 0x1.8p23 : 0x1.8p52);
  Value bits = ops.toBits(ops.add(angle.quarters, shifter));
  Value isOdd = ops.compareBits(arith::CmpIPredicate::ne, ops.andBits(bits, 1),
                                ops.integer(0));
  Value value = ops.select(isOdd, cosine, sine);
  // Half a turn changes the sign.
  Value sign = ops.shiftLeft(ops.andBits(bits, 2), isF32 ? 30 : 62);
  return ops.fromBits(ops.addBits(ops.toBits(value), sign));
}

Value tg::expandSin(const FloatOps &ops, Value x) {
  Value magnitude = ops.abs(x);
  Value sine = sineOf(ops, reduceInDouble(ops, magnitude));
  // sin(-x) = -sin x.
  Value signBit = ops.subBits(ops.toBits(x), ops.toBits(magnitude));
  Value result = ops.fromBits(ops.addBits(ops.toBits(sine), signBit));
  // Keeps the sign of zero and the last bit of subnormals.
  Value limit = ops.constant(ops.isF32() ? 0x1p-13 : 0x1p-27);
  Value isTiny = ops.compare(CmpFPredicate::OLT, magnitude, limit);
  return ops.select(isTiny, x, result);
}

Value tg::expandCos(const FloatOps &ops, Value x) {
  Angle angle = reduceInDouble(ops, ops.abs(x));
  // cos x = sin(x + π/2).
  angle.quarters = ops.add(angle.quarters, ops.constant(1));
  return sineOf(ops, angle);
}
