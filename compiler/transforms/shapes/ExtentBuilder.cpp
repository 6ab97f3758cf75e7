//===- ExtentBuilder.cpp - extents as ops ---------------------------------===//
#include "compiler/transforms/shapes/ExtentBuilder.h"
#include "dialects/tg/Builders.h"
#include "dialects/tg/ops/elementwise/BinaryOps.h"
#include "dialects/tg/ops/elementwise/QuotientOps.h"

using namespace mlir;
using namespace tg;

Value ExtentBuilder::find(OpBuilder &builder, Location loc, ValueRange values,
                          AffineExpr extent) const {
  for (Value value : values)
    if (analysis.hasExtents(value))
      for (auto [axis, known] : llvm::enumerate(analysis.extentsOf(value)))
        if (known == extent)
          return buildDim(builder, loc, value, axis);
  return {};
}

/// Returns true if a number consists of extents without differences. Rounding
/// down and truncating division then agree.
static bool isNeverNegative(AffineExpr number) {
  if (auto constant = dyn_cast<AffineConstantExpr>(number))
    return constant.getValue() >= 0;
  auto binary = dyn_cast<AffineBinaryOpExpr>(number);
  return !binary ||
         (isNeverNegative(binary.getLHS()) && isNeverNegative(binary.getRHS()));
}

bool ExtentBuilder::canCompute(AffineExpr extent) const {
  if (isa<AffineConstantExpr>(extent))
    return true;
  if (auto binary = dyn_cast<AffineBinaryOpExpr>(extent)) {
    bool isDivision = binary.getKind() == AffineExprKind::FloorDiv ||
                      binary.getKind() == AffineExprKind::Mod;
    bool isSum = binary.getKind() == AffineExprKind::Add ||
                 binary.getKind() == AffineExprKind::Mul;
    isDivision &= staticExtent(binary.getRHS()).value_or(0) > 0 &&
                  isNeverNegative(binary.getLHS());
    return (isSum || isDivision) && canCompute(binary.getLHS()) &&
           canCompute(binary.getRHS());
  }
  for (Value argument : arguments)
    if (analysis.hasExtents(argument) &&
        llvm::is_contained(analysis.extentsOf(argument), extent))
      return true;
  return false;
}

Value ExtentBuilder::compute(OpBuilder &builder, Location loc,
                             AffineExpr extent) const {
  if (auto constant = dyn_cast<AffineConstantExpr>(extent))
    return buildScalarConstant(builder, loc, builder.getI64Type(),
                               double(constant.getValue()));
  auto binary = dyn_cast<AffineBinaryOpExpr>(extent);
  if (!binary)
    return find(builder, loc, arguments, extent);
  Value lhs = compute(builder, loc, binary.getLHS());
  Value rhs = compute(builder, loc, binary.getRHS());
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return AddOp::create(builder, loc, lhs, rhs);
  case AffineExprKind::Mul:
    return MulOp::create(builder, loc, lhs, rhs);
  case AffineExprKind::FloorDiv:
    return DivOp::create(builder, loc, lhs, rhs);
  case AffineExprKind::Mod: {
    // Shape inference does not follow a remainder op, only the ops of its
    // definition.
    Value quotient = DivOp::create(builder, loc, lhs, rhs);
    Value whole = MulOp::create(builder, loc, quotient, rhs);
    return SubOp::create(builder, loc, lhs, whole);
  }
  default:
    llvm_unreachable("canCompute accepts no other kind");
  }
}

Value ExtentBuilder::build(OpBuilder &builder, Location loc,
                           AffineExpr extent) const {
  // Arguments are tried first, because they can be used everywhere.
  if (Value found = find(builder, loc, arguments, extent))
    return found;
  if (Value found = find(builder, loc, available, extent))
    return found;
  return canCompute(extent) ? compute(builder, loc, extent) : Value();
}
