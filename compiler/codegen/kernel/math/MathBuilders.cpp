// Builders for Philox words and for uniform and normal samples.
#include "compiler/codegen/kernel/math/MathBuilders.h"

#include "compiler/codegen/kernel/math/Functions.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tg;

Value tg::buildErfInv(OpBuilder &builder, Location loc, Value x) {
  return expandErfInv(FloatOps(builder, loc, x.getType()), x);
}

/// Broadcasts `value` to a vector shaped like `shape`; returns `value` itself
/// if `shape` is scalar.
static Value broadcastLike(OpBuilder &builder, Location loc, Value value,
                           Type shape) {
  Type type = likeShape(value.getType(), shape);
  if (type == value.getType())
    return value;
  return vector::BroadcastOp::create(builder, loc, type, value);
}

static Value constantI32(OpBuilder &builder, Location loc, uint32_t value,
                         Type shape) {
  Value scalar =
      arith::ConstantIntOp::create(builder, loc, int64_t(int32_t(value)), 32);
  return broadcastLike(builder, loc, scalar, shape);
}

/// Returns the low and the high half of a 64-bit value.
static std::pair<Value, Value> halves(OpBuilder &builder, Location loc,
                                      Value value) {
  Type i32 = likeShape(builder.getI32Type(), value.getType());
  Value low = arith::TruncIOp::create(builder, loc, i32, value);
  Value count = arith::ConstantIntOp::create(builder, loc, 32, 64);
  Value shifted = arith::ShRUIOp::create(
      builder, loc, value, broadcastLike(builder, loc, count, value.getType()));
  return {low, arith::TruncIOp::create(builder, loc, i32, shifted)};
}

std::array<Value, 4> tg::buildPhilox(OpBuilder &builder, Location loc,
                                     Value blockIndex, Value stream,
                                     Value counter, Value seed) {
  Type shape = blockIndex.getType();
  auto [counterLow, counterHigh] = halves(builder, loc, counter);
  auto [key0, key1] = halves(builder, loc, seed);
  Type i32 = likeShape(builder.getI32Type(), shape);
  std::array<Value, 4> words = {
      arith::TruncIOp::create(builder, loc, i32, blockIndex),
      broadcastLike(builder, loc, stream, shape),
      broadcastLike(builder, loc, counterLow, shape),
      broadcastLike(builder, loc, counterHigh, shape)};
  Value factor0 = constantI32(builder, loc, 0xD2511F53u, shape);
  Value factor1 = constantI32(builder, loc, 0xCD9E8D57u, shape);
  Value step0 = constantI32(builder, loc, 0x9E3779B9u, builder.getI32Type());
  Value step1 = constantI32(builder, loc, 0xBB67AE85u, builder.getI32Type());
  auto exclusiveOr = [&](Value a, Value b) -> Value {
    return arith::XOrIOp::create(builder, loc, a, b);
  };
  for (int round = 0; round < 10; ++round) {
    auto product0 =
        arith::MulUIExtendedOp::create(builder, loc, words[0], factor0);
    auto product1 =
        arith::MulUIExtendedOp::create(builder, loc, words[2], factor1);
    words = {exclusiveOr(exclusiveOr(product1.getHigh(), words[1]),
                         broadcastLike(builder, loc, key0, shape)),
             product1.getLow(),
             exclusiveOr(exclusiveOr(product0.getHigh(), words[3]),
                         broadcastLike(builder, loc, key1, shape)),
             product0.getLow()};
    key0 = arith::AddIOp::create(builder, loc, key0, step0);
    key1 = arith::AddIOp::create(builder, loc, key1, step1);
  }
  return words;
}

std::array<Value, 4> tg::buildPhilox(OpBuilder &builder, Location loc,
                                     Value blockIndex, uint32_t stream,
                                     Value counter, Value seed) {
  Value streamValue = constantI32(builder, loc, stream, builder.getI32Type());
  return buildPhilox(builder, loc, blockIndex, streamValue, counter, seed);
}

/// Returns builders for f32 or f64 arithmetic in the shape of `word`.
static FloatOps opsFor(OpBuilder &builder, Location loc, Type element,
                       Value word) {
  return FloatOps(builder, loc, likeShape(element, word.getType()));
}

/// Returns low + 2^32·high as i64.
static Value joinWords(OpBuilder &builder, Location loc, const FloatOps &ops,
                       Value low, Value high) {
  Type type = ops.getBitsType();
  Value lower = arith::ExtUIOp::create(builder, loc, type, low);
  Value upper = arith::ExtUIOp::create(builder, loc, type, high);
  return arith::OrIOp::create(builder, loc, lower, ops.shiftLeft(upper, 32));
}

Value tg::buildUniformF32(OpBuilder &builder, Location loc, Value word) {
  FloatOps ops = opsFor(builder, loc, builder.getF32Type(), word);
  Value number = arith::SIToFPOp::create(builder, loc, ops.getType(),
                                         ops.shiftRight(word, 8));
  return ops.mul(number, ops.constant(0x1p-24));
}

Value tg::buildUniformF64(OpBuilder &builder, Location loc, Value low,
                          Value high) {
  FloatOps ops = opsFor(builder, loc, builder.getF64Type(), low);
  Value word = joinWords(builder, loc, ops, low, high);
  Value number = arith::SIToFPOp::create(builder, loc, ops.getType(),
                                         ops.shiftRight(word, 11));
  return ops.mul(number, ops.constant(0x1p-53));
}

/// Returns a normal sample from the leading bits of `word`, which has the width
/// of the element type. All steps up to 2v - 1 are exact.
static Value normalOf(const FloatOps &ops, Value word, bool truncated) {
  bool isF32 = ops.isF32();
  // The leading bits become the significand of a number in [1, 2). This number
  // is 1.5 + (v - 1/2) minus half a unit in the last place.
  Value bits = ops.orBits(ops.shiftRight(word, isF32 ? 9 : 12),
                          isF32 ? 0x3f800000 : 0x3ff0000000000000);
  Value centered = ops.sub(ops.fromBits(bits), ops.constant(1.5));
  Value y = ops.add(ops.add(centered, centered),
                    ops.constant(isF32 ? 0x1p-23 : 0x1p-52));
  if (truncated)
    y = ops.mul(y, ops.constant(0x1.e8b4307d3627ap-1)); // erf(sqrt(2))
  return ops.mul(expandErfInv(ops, y), ops.constant(0x1.6a09e667f3bcdp+0));
}

Value tg::buildNormalF32(OpBuilder &builder, Location loc, Value word,
                         bool truncated) {
  FloatOps ops = opsFor(builder, loc, builder.getF32Type(), word);
  return normalOf(ops, word, truncated);
}

Value tg::buildNormalF64(OpBuilder &builder, Location loc, Value low,
                         Value high, bool truncated) {
  FloatOps ops = opsFor(builder, loc, builder.getF64Type(), low);
  return normalOf(ops, joinWords(builder, loc, ops, low, high), truncated);
}
