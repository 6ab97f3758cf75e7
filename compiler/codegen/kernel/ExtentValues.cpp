//===- ExtentValues.cpp - extents as values -------------------------------===//
#include "compiler/codegen/kernel/ExtentValues.h"

using namespace mlir;
using namespace tg;

Value ExtentValues::get(AffineExpr expression) {
  if (Value value = known.lookup(expression))
    return value;
  Value value = compute(expression);
  known[expression] = value;
  return value;
}

Value ExtentValues::compute(AffineExpr expression) {
  IntegerOps ops = integers();
  if (auto constant = dyn_cast<AffineConstantExpr>(expression))
    return ops.constant(constant.getValue());
  if (auto name = dyn_cast<AffineSymbolExpr>(expression))
    return symbol(name.getPosition());
  auto binary = cast<AffineBinaryOpExpr>(expression);
  Value lhs = get(binary.getLHS());
  Value rhs = get(binary.getRHS());
  Value zero = ops.constant(0);
  switch (expression.getKind()) {
  case AffineExprKind::Add:
    return ops.add(lhs, rhs);
  case AffineExprKind::Mul:
    return ops.mul(lhs, rhs);
  case AffineExprKind::Mod:
    return ops.sub(lhs, ops.mul(ops.floorDiv(lhs, rhs), rhs));
  case AffineExprKind::CeilDiv:
    return ops.sub(zero, ops.floorDiv(ops.sub(zero, lhs), rhs));
  default:
    return ops.floorDiv(lhs, rhs);
  }
}
