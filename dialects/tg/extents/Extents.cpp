//===- Extents.cpp - symbolic extents of tensors --------------------------===//
#include "dialects/tg/extents/Extents.h"

using namespace mlir;
using namespace tg;

std::optional<int64_t> tg::staticExtent(AffineExpr extent) {
  if (auto constant = dyn_cast<AffineConstantExpr>(extent))
    return constant.getValue();
  return std::nullopt;
}

AffineExpr tg::productOf(ArrayRef<AffineExpr> extents, MLIRContext *context) {
  AffineExpr product = getAffineConstantExpr(1, context);
  for (AffineExpr extent : extents)
    product = product * extent;
  return product;
}

unsigned tg::countParts(AffineExpr expression, unsigned most) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expression);
  if (!binary || most <= 1)
    return 1;
  unsigned parts = 1 + countParts(binary.getLHS(), most - 1);
  return parts < most ? parts + countParts(binary.getRHS(), most - parts)
                      : parts;
}

AffineExpr tg::simplifyExtent(AffineExpr expression) {
  unsigned symbols = 0;
  expression.walk([&](AffineExpr part) {
    if (auto symbol = dyn_cast<AffineSymbolExpr>(part))
      symbols = std::max(symbols, symbol.getPosition() + 1);
  });
  return simplifyAffineExpr(expression, /*numDims=*/0, symbols);
}

AffineExpr tg::joinParts(AffineExpr extent, unsigned parts) {
  bool isJoined = extent.getKind() == AffineExprKind::Add;
  bool hasRemainder = false;
  if (isJoined)
    extent.walk([&](AffineExpr part) {
      hasRemainder |= part.getKind() == AffineExprKind::Mod;
    });
  if (!hasRemainder)
    return extent;
  AffineExpr simplified = simplifyExtent(extent);
  return countParts(simplified, parts) < parts ? simplified : extent;
}

bool tg::holds(ExtentRelation relation, int64_t found, int64_t expected) {
  switch (relation) {
  case ExtentRelation::equal:
    return found == expected;
  case ExtentRelation::atMost:
    return found <= expected;
  case ExtentRelation::atLeast:
    return found >= expected;
  }
  llvm_unreachable("all relations are above");
}

StringRef tg::boundPhrase(ExtentRelation relation) {
  switch (relation) {
  case ExtentRelation::equal:
    return "";
  case ExtentRelation::atMost:
    return "at most ";
  case ExtentRelation::atLeast:
    return "at least ";
  }
  llvm_unreachable("all relations are above");
}

std::string tg::printExtent(AffineExpr extent) {
  std::optional<int64_t> number = staticExtent(extent);
  return number ? std::to_string(*number) : "?";
}

RankedTensorType TensorExtents::getType() const {
  SmallVector<int64_t> shape;
  for (AffineExpr dim : dims)
    shape.push_back(staticExtent(dim).value_or(ShapedType::kDynamic));
  return RankedTensorType::get(shape, elementType);
}
