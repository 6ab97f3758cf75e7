// Expansion of the exact remainder of C's fmod.
#include "compiler/codegen/kernel/math/Functions.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <limits>

using namespace mlir;
using namespace tg;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

namespace {
/// A magnitude, decomposed as significand·2^(exponent - bias - mantissa bits).
struct Parts {
  Value exponent;
  Value significand;
};
} // namespace

/// Decomposes a magnitude; the hidden bit of a normal number becomes explicit.
static Parts decompose(const FloatOps &ops, Value magnitude) {
  int mantissa = ops.mantissaBits();
  int64_t hiddenBit = int64_t(1) << mantissa;
  Value bits = ops.toBits(magnitude);
  Value exponent = ops.shiftRight(bits, mantissa);
  Value fraction = ops.andBits(bits, hiddenBit - 1);
  Value isSubnormal =
      ops.compareBits(CmpIPredicate::eq, exponent, ops.integer(0));
  Value significand =
      ops.select(isSubnormal, fraction, ops.orBits(fraction, hiddenBit));
  return {ops.select(isSubnormal, ops.integer(1), exponent), significand};
}

/// Emits one step of long division: returns `rest - divisor` if it is not
/// negative, otherwise `rest`.
static Value subtractOnce(const FloatOps &ops, Value rest, Value divisor) {
  Value difference = ops.subBits(rest, divisor);
  Value isNegative =
      ops.compareBits(CmpIPredicate::slt, difference, ops.integer(0));
  return ops.select(isNegative, rest, difference);
}

/// Returns rest·2^count mod divisor per lane, for rest < 2·divisor. Lanes with
/// count <= 0 are only reduced below the divisor. The number of iterations is
/// the greatest count of all lanes.
static Value divideLong(const FloatOps &ops, Value rest, Value count,
                        Value divisor) {
  OpBuilder &builder = ops.getBuilder();
  Type bitsType = ops.getBitsType();
  Value zero = ops.integer(0);
  Value one = ops.integer(1);
  auto loop = scf::WhileOp::create(
      builder, ops.getLoc(), TypeRange{bitsType, bitsType},
      ValueRange{rest, count},
      [&](OpBuilder &, Location loc, ValueRange carried) {
        Value isPending = ops.compareBits(CmpIPredicate::sgt, carried[1], zero);
        scf::ConditionOp::create(builder, loc, ops.anyLane(isPending), carried);
      },
      [&](OpBuilder &, Location loc, ValueRange carried) {
        Value isPending = ops.compareBits(CmpIPredicate::sgt, carried[1], zero);
        Value next = ops.shiftLeft(subtractOnce(ops, carried[0], divisor), 1);
        scf::YieldOp::create(builder, loc,
                             ValueRange{ops.select(isPending, next, carried[0]),
                                        ops.subBits(carried[1], one)});
      });
  return subtractOnce(ops, loop.getResult(0), divisor);
}

/// Returns `significand` in units of 2^-(mantissa bits).
static Value toFraction(const FloatOps &ops, Value significand) {
  Value number = arith::SIToFPOp::create(ops.getBuilder(), ops.getLoc(),
                                         ops.getType(), significand);
  return ops.mul(number, ops.constant(ops.isF32() ? 0x1p-23 : 0x1p-52));
}

Value tg::expandRemainder(const FloatOps &ops, Value lhs, Value rhs) {
  bool isF32 = ops.isF32();
  int mantissa = ops.mantissaBits();
  Value infinity = ops.constant(std::numeric_limits<double>::infinity());
  Value dividend = ops.abs(lhs);
  Value divisor = ops.abs(rhs);
  // Scales a subnormal divisor up so that its leading bit is the hidden bit.
  Value isSmall = ops.compare(CmpFPredicate::OLT, divisor,
                              ops.constant(isF32 ? 0x1p-126 : 0x1p-1022));
  double scaleUp = isF32 ? 0x1p24 : 0x1p53;
  Value normal =
      ops.select(isSmall, ops.mul(divisor, ops.constant(scaleUp)), divisor);
  Parts top = decompose(ops, dividend);
  Parts bottom = decompose(ops, normal);
  Value count = ops.subBits(top.exponent, bottom.exponent);
  count = ops.addBits(
      count, ops.select(isSmall, ops.integer(mantissa + 1), ops.integer(0)));

  Value isDefined =
      ops.both(ops.compare(CmpFPredicate::OLT, dividend, infinity),
               ops.compare(CmpFPredicate::OGT, divisor, ops.constant(0)));
  Value isLess = ops.compare(CmpFPredicate::OLT, dividend, divisor);
  count = ops.select(isDefined, count, ops.integer(0));
  Value rest = divideLong(ops, top.significand, count, bottom.significand);

  // rest·2^(exponent of the divisor); every step is exact.
  Value power = ops.fromBits(ops.shiftLeft(bottom.exponent, mantissa));
  Value result = ops.mul(toFraction(ops, rest), power);
  result =
      ops.select(isSmall, ops.mul(result, ops.constant(1 / scaleUp)), result);
  result = ops.select(isLess, dividend, result);
  Value nan = ops.constant(std::numeric_limits<double>::quiet_NaN());
  result = ops.select(isDefined, result, nan);
  return ops.copySign(result, lhs);
}
