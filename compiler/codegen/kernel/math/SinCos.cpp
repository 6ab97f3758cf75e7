// Expansions of sin and cos for all finite arguments, in radians.
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
/// An angle of `quarters` quarter turns, an integer, and `rest` radians in
/// [-π/4, π/4]. All values are f64.
struct Angle {
  Value quarters;
  Value rest;
};
} // namespace

/// Arguments from here on are large: `reduceSmall` does not have enough digits
/// of π/2 for them.
static const double kSmallLimit = 0x1p20;

/// The number of bits of a digit of kTwoOverPi. The product of 27 bits of x and
/// a digit is exact, and so are the sums below.
static const int kDigitBits = 25;

/// The number of digits of 2/π by which an f64 number is multiplied. Higher
/// digits only contribute multiples of 4, lower digits less than 2^-116.
static const unsigned kDigitsF64 = 9;

/// Decomposes x = n·π/2 + rest for 0 <= x < kSmallLimit. All parts of π/2 but
/// the last are short enough that n times them is exact; a difference is exact
/// wherever it cancels.
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

/// Returns the sum of terms >= 0 modulo 4 as an integer number of quarter turns
/// and a rest in radians. Terms must be ordered such that each one precedes all
/// terms that are far smaller. Then each partial sum is exact or not much
/// greater than the rest. `lost` accumulates the rounding errors.
static Angle sumQuarters(const FloatOps &ops, ArrayRef<Value> terms) {
  SmallVector<Value> parts;
  Value quarter = ops.constant(0.25);
  Value four = ops.constant(-4);
  for (Value term : terms)
    parts.push_back(ops.fma(ops.floor(ops.mul(term, quarter)), four, term));
  Value sum = parts.front();
  for (Value part : llvm::drop_begin(parts))
    sum = ops.add(sum, part);
  Value shifter = ops.constant(0x1.8p52);
  Value n = ops.sub(ops.add(sum, shifter), shifter);
  Value rest = ops.sub(parts.front(), n);
  Value lost = ops.constant(0);
  for (Value part : llvm::drop_begin(parts)) {
    Value next = ops.add(rest, part);
    lost = ops.add(lost, ops.add(ops.sub(rest, next), part));
    rest = next;
  }
  Value halfPi = ops.constant(0x1.921fb54442d18p+0);
  return {n, ops.mul(ops.add(rest, lost), halfPi)};
}

/// Reduces a large x of f32, whose 24 bits times any digit are exact.
static Angle reduceLargeF32(const FloatOps &ops, Value x) {
  SmallVector<Value> terms;
  for (unsigned k = 0; k < kDigitsF64; ++k)
    terms.push_back(ops.mul(
        x, ops.constant(std::ldexp(kTwoOverPi[k], -kDigitBits * int(k + 1)))));
  return sumQuarters(ops, terms);
}

/// Returns the digits of 2/π that x needs, and replaces x by x·2^(-25 j), where
/// digit j - 1 of kTwoOverPi is the first one returned and has weight 1 (digit
/// -1 is 0). j is chosen in each lane by a binary search.
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

/// Reduces a large x of f64 in two halves.
static Angle reduceLargeF64(const FloatOps &ops, Value x) {
  SmallVector<Value> digits = chooseDigits(ops, x);
  Value high = ops.upperHalf(x);
  Value low = ops.sub(x, high);
  for (unsigned k = 1; k < kDigitsF64; ++k)
    digits[k] =
        ops.mul(digits[k], ops.constant(std::ldexp(1.0, -kDigitBits * int(k))));
  SmallVector<Value> terms;
  for (unsigned k = 0; k < kDigitsF64; ++k) {
    // The product of the high half and the first digit is a multiple of 4.
    if (k + 1 < kDigitsF64)
      terms.push_back(ops.mul(high, digits[k + 1]));
    terms.push_back(ops.mul(low, digits[k]));
  }
  return sumQuarters(ops, terms);
}

/// Returns x >= 0 as an angle; `ops` has an f64 type. Large arguments are rare.
/// Their code is in a branch that runs if any lane is large. The result of a
/// lane does not depend on the other lanes.
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

/// Returns a magnitude as an angle in the type of `ops`, computed in f64.
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

/// Returns the sine of an angle: ± sin(rest) or ± cos(rest).
static Value sineOf(const FloatOps &ops, const Angle &angle) {
  bool isF32 = ops.isF32();
  Value r = angle.rest;
  Value z = ops.mul(r, r);
  // sin r = r + r³·p(r²), cos r = 1 - r²/2 + r⁴·q(r²).
  Value p =
      isF32 ? ops.polynomial(z, kSinTailF32) : ops.polynomial(z, kSinTailF64);
  Value q =
      isF32 ? ops.polynomial(z, kCosTailF32) : ops.polynomial(z, kCosTailF64);
  Value sine = ops.fma(ops.mul(r, z), p, r);
  Value cosine = ops.fma(ops.mul(z, z), q,
                         ops.fma(z, ops.constant(-0.5), ops.constant(1)));
  // The addition moves the last bits of the integer to the end of the
  // significand.
  Value shifter = ops.constant(isF32 ? 0x1.8p23 : 0x1.8p52);
  Value bits = ops.toBits(ops.add(angle.quarters, shifter));
  Value isOdd = ops.compareBits(arith::CmpIPredicate::ne, ops.andBits(bits, 1),
                                ops.integer(0));
  Value value = ops.select(isOdd, cosine, sine);
  // Half a turn flips the sign.
  Value sign = ops.shiftLeft(ops.andBits(bits, 2), isF32 ? 30 : 62);
  return ops.fromBits(ops.addBits(ops.toBits(value), sign));
}

Value tg::expandSin(const FloatOps &ops, Value x) {
  Value magnitude = ops.abs(x);
  Value sine = sineOf(ops, reduceInDouble(ops, magnitude));
  // sin(-x) = -sin x.
  Value signBit = ops.subBits(ops.toBits(x), ops.toBits(magnitude));
  Value result = ops.fromBits(ops.addBits(ops.toBits(sine), signBit));
  // Preserves the sign of zero and the last bit of subnormals.
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
