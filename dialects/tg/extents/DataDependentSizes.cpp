//===- DataDependentSizes.cpp - upper bounds of data-dependent numbers ----===//
#include "dialects/tg/extents/ExtentAnalysis.h"
#include "dialects/tg/extents/ShapeInference.h"

using namespace mlir;
using namespace tg;

const DataDependentSize *ExtentAnalysis::findFound(AffineExpr symbol) const {
  auto known = found.find(symbol);
  return known == found.end() ? nullptr : &known->second;
}

void ExtentAnalysis::setUpperBound(AffineExpr symbol, AffineExpr most) {
  found[symbol] = {symbol, nullptr, {}, most, "", ""};
}

AffineExpr ExtentAnalysis::upperBoundOf(AffineExpr number) const {
  return rangeOf(number).most;
}

/// Returns true if a number over the symbols known at entry is certainly not
/// negative.
static bool isNeverNegative(AffineExpr number) {
  return ShapeInference(number.getContext(), "", std::nullopt)
      .isNeverNegative(number);
}

ExtentAnalysis::Range ExtentAnalysis::rangeOf(AffineExpr number) const {
  if (const DataDependentSize *bounded = findFound(number))
    return {getAffineConstantExpr(0, context), bounded->most};
  auto parts = dyn_cast<AffineBinaryOpExpr>(number);
  if (!parts)
    return isKnownAtEntry(number) ? Range{number, number} : Range{};
  Range lhs = rangeOf(parts.getLHS());
  Range rhs = rangeOf(parts.getRHS());
  auto isItself = [](const Range &range, AffineExpr part) {
    return range.least == part && range.most == part;
  };
  if (isItself(lhs, parts.getLHS()) && isItself(rhs, parts.getRHS()))
    return {number, number};
  if (parts.getKind() == AffineExprKind::Mul)
    return rangeOfProduct(lhs, rhs);
  if (parts.getKind() != AffineExprKind::Add)
    return rangeOfQuotient(parts.getKind(), lhs, rhs);
  auto sum = [](AffineExpr a, AffineExpr b) {
    return a && b ? a + b : AffineExpr();
  };
  return {sum(lhs.least, rhs.least), sum(lhs.most, rhs.most)};
}

/// Computes the range of a product whose factors are not negative, or of which
/// one factor is a constant.
ExtentAnalysis::Range ExtentAnalysis::rangeOfProduct(const Range &lhs,
                                                     const Range &rhs) const {
  auto product = [](AffineExpr a, AffineExpr b) {
    return a && b ? a * b : AffineExpr();
  };
  std::optional<int64_t> factor;
  if (rhs.least && rhs.least == rhs.most)
    factor = staticExtent(rhs.least);
  if (factor && *factor < 0)
    return {product(lhs.most, rhs.least), product(lhs.least, rhs.least)};
  bool isSafe = factor || (rhs.least && ::isNeverNegative(rhs.least));
  if (!factor)
    isSafe &= lhs.least && ::isNeverNegative(lhs.least);
  if (!isSafe)
    return {};
  return {product(lhs.least, rhs.least), product(lhs.most, rhs.most)};
}

/// Computes the range of a quotient or remainder whose divisor is above 0.
ExtentAnalysis::Range ExtentAnalysis::rangeOfQuotient(AffineExprKind kind,
                                                      const Range &lhs,
                                                      const Range &rhs) const {
  AffineExpr zero = getAffineConstantExpr(0, context);
  if (kind == AffineExprKind::Mod)
    return {zero, rhs.most};
  bool isConstant = rhs.least && rhs.least == rhs.most &&
                    staticExtent(rhs.least).value_or(0) > 0;
  if (!isConstant)
    return lhs.least && ::isNeverNegative(lhs.least) ? Range{zero, lhs.most}
                                                     : Range{};
  auto divide = [&](AffineExpr number) {
    if (!number)
      return number;
    return kind == AffineExprKind::FloorDiv ? number.floorDiv(rhs.least)
                                            : number.ceilDiv(rhs.least);
  };
  return {divide(lhs.least), divide(lhs.most)};
}
