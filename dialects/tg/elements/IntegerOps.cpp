//===- IntegerOps.cpp - i64 arithmetic, folded where constant -------------===//
#include "dialects/tg/elements/IntegerOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace tg;

std::optional<int64_t> tg::constantNumber(Value value) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.getSExtValue();
  return std::nullopt;
}

/// Returns the known divisor of the induction variable of a loop, and 1 for
/// other arguments.
static int64_t divisorOfArgument(BlockArgument argument, unsigned depth) {
  auto loop = dyn_cast<LoopLikeOpInterface>(argument.getOwner()->getParentOp());
  if (!loop || loop.getSingleInductionVar() != argument)
    return 1;
  auto divisorOf = [&](std::optional<OpFoldResult> bound) {
    auto value = bound ? dyn_cast<Value>(*bound) : Value();
    return value ? knownDivisor(value, depth - 1) : 1;
  };
  return std::gcd(divisorOf(loop.getSingleLowerBound()),
                  divisorOf(loop.getSingleStep()));
}

int64_t tg::knownDivisor(Value value, unsigned depth) {
  if (std::optional<int64_t> number = constantNumber(value))
    return *number == INT64_MIN ? 1 : std::abs(*number);
  if (depth == 0)
    return 1;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return divisorOfArgument(argument, depth);
  Operation *op = value.getDefiningOp();
  bool isProduct = isa<arith::MulIOp>(op);
  if (!isProduct &&
      !isa<arith::AddIOp, arith::SubIOp, arith::MinSIOp, arith::MaxSIOp>(op))
    return 1;
  int64_t lhs = knownDivisor(op->getOperand(0), depth - 1);
  int64_t rhs = knownDivisor(op->getOperand(1), depth - 1);
  int64_t product;
  if (!isProduct)
    return std::gcd(lhs, rhs);
  return llvm::MulOverflow(lhs, rhs, product) ? 1 : product;
}

Value IntegerOps::constant(int64_t number) const {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getI64IntegerAttr(number));
}

/// Returns the number that an i64 extends without overflow, or the i64 itself.
static Value withoutExtension(Value value) {
  auto extension = value.getDefiningOp<arith::ExtSIOp>();
  auto sum = extension ? extension.getIn().getDefiningOp<arith::AddIOp>()
                       : arith::AddIOp();
  // Only index arithmetic has the flag. Additions of data wrap.
  bool isExact = sum && bitEnumContainsAll(sum.getOverflowFlags(),
                                           arith::IntegerOverflowFlags::nsw);
  return isExact ? sum.getResult() : value;
}

std::optional<ConstantSum> tg::splitConstant(Value value) {
  auto sum = withoutExtension(value).getDefiningOp<arith::AddIOp>();
  std::optional<int64_t> number =
      sum ? constantNumber(sum.getRhs()) : std::nullopt;
  return number ? std::optional(ConstantSum{sum.getLhs(), *number})
                : std::nullopt;
}

std::optional<ConstantSum> IntegerOps::split(Value value) const {
  // An i64 sum may be of numbers that 32 bits cannot represent.
  bool mayBeLarge = value.getDefiningOp<arith::AddIOp>();
  if (width == IndexWidth::narrow && mayBeLarge)
    return std::nullopt;
  return splitConstant(value);
}

Value IntegerOps::atWidth(Value number) const {
  if (width == IndexWidth::wide)
    return number;
  return builder.createOrFold<arith::TruncIOp>(loc, builder.getI32Type(),
                                               number);
}

Value IntegerOps::extend(Value number) const {
  if (number.getType().isInteger(64))
    return number;
  return builder.createOrFold<arith::ExtSIOp>(loc, builder.getI64Type(),
                                              number);
}

template <typename Op> Value IntegerOps::build(Value lhs, Value rhs) const {
  lhs = atWidth(lhs);
  rhs = atWidth(rhs);
  if constexpr (llvm::is_one_of<Op, arith::AddIOp, arith::SubIOp,
                                arith::MulIOp>::value)
    if (width == IndexWidth::narrow)
      return extend(builder.createOrFold<Op>(loc, lhs, rhs,
                                             arith::IntegerOverflowFlags::nsw));
  return extend(builder.createOrFold<Op>(loc, lhs, rhs));
}

/// Return the sum and the product modulo 2^64.
static int64_t addWrapped(int64_t lhs, int64_t rhs) {
  return int64_t(uint64_t(lhs) + uint64_t(rhs));
}
static int64_t multiplyWrapped(int64_t lhs, int64_t rhs) {
  return int64_t(uint64_t(lhs) * uint64_t(rhs));
}

Value IntegerOps::add(Value lhs, Value rhs) const {
  if (constantNumber(lhs))
    std::swap(lhs, rhs);
  std::optional<int64_t> number = constantNumber(rhs);
  if (number == 0)
    return lhs;
  if (std::optional<ConstantSum> sum = split(lhs)) {
    Value variable = extend(sum->variable);
    return number ? add(variable, constant(addWrapped(sum->constant, *number)))
                  : add(add(variable, rhs), constant(sum->constant));
  }
  if (std::optional<ConstantSum> sum = split(rhs))
    return add(add(lhs, extend(sum->variable)), constant(sum->constant));
  return build<arith::AddIOp>(lhs, rhs);
}

Value IntegerOps::sub(Value lhs, Value rhs) const {
  return build<arith::SubIOp>(lhs, rhs);
}

Value IntegerOps::mul(Value lhs, Value rhs) const {
  if (constantNumber(lhs))
    std::swap(lhs, rhs);
  std::optional<int64_t> number = constantNumber(rhs);
  if (number == 1)
    return lhs;
  std::optional<ConstantSum> sum = split(lhs);
  if (number && sum)
    return add(mul(extend(sum->variable), rhs),
               constant(multiplyWrapped(sum->constant, *number)));
  return build<arith::MulIOp>(lhs, rhs);
}

Value IntegerOps::min(Value lhs, Value rhs) const {
  return build<arith::MinSIOp>(lhs, rhs);
}

Value IntegerOps::max(Value lhs, Value rhs) const {
  return build<arith::MaxSIOp>(lhs, rhs);
}

Value IntegerOps::div(Value lhs, Value rhs) const {
  return build<arith::DivUIOp>(lhs, rhs);
}

Value IntegerOps::rem(Value lhs, Value rhs) const {
  if (constantNumber(rhs) == 1)
    return constant(0);
  return build<arith::RemUIOp>(lhs, rhs);
}

Value IntegerOps::ceilDiv(Value lhs, Value rhs) const {
  return div(add(lhs, sub(rhs, constant(1))), rhs);
}

Value IntegerOps::floorDiv(Value lhs, Value rhs) const {
  Value zero = constant(0);
  Value one = constant(1);
  Value isZero = compare(arith::CmpIPredicate::eq, rhs, zero);
  Value divisor = builder.createOrFold<arith::SelectOp>(loc, isZero, one, rhs);
  Value quotient = build<arith::DivSIOp>(lhs, divisor);
  Value remainder = sub(lhs, mul(quotient, divisor));
  Value isExact = compare(arith::CmpIPredicate::eq, remainder, zero);
  // The quotient was rounded up when remainder and divisor differ in sign.
  Value signs = builder.createOrFold<arith::XOrIOp>(loc, remainder, divisor);
  Value wasRoundedUp = compare(arith::CmpIPredicate::slt, signs, zero);
  Value lower = builder.createOrFold<arith::SelectOp>(
      loc, wasRoundedUp, sub(quotient, one), quotient);
  return builder.createOrFold<arith::SelectOp>(loc, isExact, quotient, lower);
}

Value IntegerOps::roundDown(Value number, int64_t step) const {
  Value width = constant(step);
  return mul(div(number, width), width);
}

Value IntegerOps::compare(arith::CmpIPredicate predicate, Value lhs,
                          Value rhs) const {
  return builder.createOrFold<arith::CmpIOp>(loc, predicate, atWidth(lhs),
                                             atWidth(rhs));
}
