// Builders for floating-point arithmetic on scalars and on vectors of any
// width.
#include "compiler/codegen/kernel/math/FloatOps.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tg;

Type tg::likeShape(Type element, Type shape) {
  if (auto vector = dyn_cast<VectorType>(shape))
    return vector.clone(element);
  return element;
}

/// Returns the attribute that has `value` in every lane of `type`.
static TypedAttr splat(TypedAttr value, Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return DenseElementsAttr::get(vector, Attribute(value));
  return value;
}

FloatOps::FloatOps(OpBuilder &builder, Location loc, Type type)
    : builder(builder), loc(loc), type(type) {
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  bitsType = likeShape(builder.getIntegerType(width), type);
}

bool FloatOps::supports(Type type) {
  Type element = type;
  if (auto vector = dyn_cast<VectorType>(type))
    element = vector.getElementType();
  return element.isF32() || element.isF64();
}

FloatOps FloatOps::withElement(Type element) const {
  return FloatOps(builder, loc, likeShape(element, type));
}

int FloatOps::mantissaBits() const {
  return getElementTypeOrSelf(type).isF32() ? 23 : 52;
}

int FloatOps::bias() const { return isF32() ? 127 : 1023; }

Value FloatOps::constant(double value) const {
  auto attribute = builder.getFloatAttr(getElementTypeOrSelf(type), value);
  return arith::ConstantOp::create(builder, loc, splat(attribute, type));
}

Value FloatOps::integer(int64_t value) const {
  unsigned width = isF32() ? 32 : 64;
  auto attribute = builder.getIntegerAttr(
      getElementTypeOrSelf(bitsType), APInt(64, uint64_t(value)).trunc(width));
  return arith::ConstantOp::create(builder, loc, splat(attribute, bitsType));
}

Value FloatOps::add(Value a, Value b) const {
  return arith::AddFOp::create(builder, loc, a, b);
}

Value FloatOps::sub(Value a, Value b) const {
  return arith::SubFOp::create(builder, loc, a, b);
}

Value FloatOps::mul(Value a, Value b) const {
  return arith::MulFOp::create(builder, loc, a, b);
}

Value FloatOps::div(Value a, Value b) const {
  return arith::DivFOp::create(builder, loc, a, b);
}

Value FloatOps::fma(Value a, Value b, Value c) const {
  return LLVM::FMulAddOp::create(builder, loc, type, a, b, c);
}

Value FloatOps::abs(Value a) const {
  return math::AbsFOp::create(builder, loc, a);
}

Value FloatOps::sqrt(Value a) const {
  return math::SqrtOp::create(builder, loc, a);
}

Value FloatOps::floor(Value a) const {
  return math::FloorOp::create(builder, loc, a);
}

Value FloatOps::copySign(Value magnitude, Value sign) const {
  return math::CopySignOp::create(builder, loc, magnitude, sign);
}

/// Combines pairs of neighbouring terms to low + high·power, which halves the
/// number of terms.
static SmallVector<Value> joinPairs(const FloatOps &ops, ArrayRef<Value> terms,
                                    Value power) {
  SmallVector<Value> joined;
  for (size_t k = 0; k + 1 < terms.size(); k += 2)
    joined.push_back(ops.fma(terms[k + 1], power, terms[k]));
  if (terms.size() % 2 != 0)
    joined.push_back(terms.back());
  return joined;
}

Value FloatOps::polynomial(Value x, ArrayRef<double> coefficients) const {
  SmallVector<Value> terms;
  for (double coefficient : coefficients)
    terms.push_back(constant(coefficient));
  bool isLong = terms.size() > 9;
  Value power = x;
  terms = joinPairs(*this, terms, power);
  if (terms.size() > 1)
    power = mul(power, power);
  while (!isLong && terms.size() > 1) {
    terms = joinPairs(*this, terms, power);
    if (terms.size() > 1)
      power = mul(power, power);
  }
  Value sum = terms.back();
  for (Value term : llvm::drop_begin(llvm::reverse(terms)))
    sum = fma(sum, power, term);
  return sum;
}

Value FloatOps::atMost(Value a, double bound) const {
  // This order of operands matches the min instruction of x86, NaN included.
  Value limit = constant(bound);
  return select(compare(arith::CmpFPredicate::OLT, limit, a), limit, a);
}

Value FloatOps::atLeast(Value a, double bound) const {
  Value limit = constant(bound);
  return select(compare(arith::CmpFPredicate::OGT, limit, a), limit, a);
}

Value FloatOps::upperHalf(Value a) const {
  int dropped = isF32() ? 12 : 27;
  return fromBits(andBits(toBits(a), -(int64_t(1) << dropped)));
}

Value FloatOps::compare(arith::CmpFPredicate predicate, Value a,
                        Value b) const {
  return arith::CmpFOp::create(builder, loc, predicate, a, b);
}

Value FloatOps::select(Value condition, Value a, Value b) const {
  return arith::SelectOp::create(builder, loc, condition, a, b);
}

Value FloatOps::either(Value a, Value b) const {
  return arith::OrIOp::create(builder, loc, a, b);
}

Value FloatOps::both(Value a, Value b) const {
  return arith::AndIOp::create(builder, loc, a, b);
}

Value FloatOps::toBits(Value a) const {
  return arith::BitcastOp::create(builder, loc, bitsType, a);
}

Value FloatOps::fromBits(Value bits) const {
  return arith::BitcastOp::create(builder, loc, type, bits);
}

Value FloatOps::shiftLeft(Value bits, int count) const {
  return arith::ShLIOp::create(builder, loc, bits, integer(count));
}

Value FloatOps::shiftRight(Value bits, int count) const {
  return arith::ShRUIOp::create(builder, loc, bits, integer(count));
}

Value FloatOps::addBits(Value a, Value b) const {
  return arith::AddIOp::create(builder, loc, a, b);
}

Value FloatOps::subBits(Value a, Value b) const {
  return arith::SubIOp::create(builder, loc, a, b);
}

Value FloatOps::andBits(Value a, int64_t mask) const {
  return arith::AndIOp::create(builder, loc, a, integer(mask));
}

Value FloatOps::orBits(Value a, int64_t mask) const {
  return arith::OrIOp::create(builder, loc, a, integer(mask));
}

Value FloatOps::compareBits(arith::CmpIPredicate predicate, Value a,
                            Value b) const {
  return arith::CmpIOp::create(builder, loc, predicate, a, b);
}

Value FloatOps::anyLane(Value flags) const {
  if (!isa<VectorType>(flags.getType()))
    return flags;
  return vector::ReductionOp::create(builder, loc, vector::CombiningKind::OR,
                                     flags);
}
