//===- Verification.cpp - common code of verifiers ------------------------===//
#include "dialects/tgx/verification/Verification.h"

using namespace mlir;
using namespace tgx;

/// Returns true if an expression divides by a constant that is not above 0.
static bool hasBadDivisor(AffineExpr expression) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expression);
  if (!binary)
    return false;
  auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  bool divides = binary.getKind() != AffineExprKind::Add &&
                 binary.getKind() != AffineExprKind::Mul;
  return (divides && divisor && divisor.getValue() <= 0) ||
         hasBadDivisor(binary.getLHS()) || hasBadDivisor(binary.getRHS());
}

LogicalResult tgx::verifyNumbers(Operation *op, AffineMap map,
                                 const Twine &what, StringRef label) {
  if (map.getNumDims() == 0 && llvm::none_of(map.getResults(), hasBadDivisor))
    return success();
  return op->emitOpError() << "expected " << what
                           << " to be numbers over symbols, found "
                           << AffineMapAttr::get(map) << " [" << label << "]";
}

LogicalResult tgx::verifyNumber(Operation *op, AffineMap map, const Twine &what,
                                StringRef label) {
  if (map.getNumResults() == 1)
    return verifyNumbers(op, map, what, label);
  return op->emitOpError() << "expected " << what << " to be one number, found "
                           << AffineMapAttr::get(map) << " [" << label << "]";
}

LogicalResult tgx::verifySymbols(Operation *op, int64_t symbolCount,
                                 StringRef label) {
  for (NamedAttribute attribute : op->getAttrs()) {
    auto map = dyn_cast<AffineMapAttr>(attribute.getValue());
    if (map && map.getValue().getNumSymbols() != symbolCount)
      return op->emitOpError()
             << "expected '" << attribute.getName().strref() << "' to be over "
             << symbolCount << " symbols, found " << map << " [" << label
             << "]";
  }
  return success();
}

LogicalResult tgx::verifyExtents(Operation *op, AffineMap extents,
                                 RankedTensorType type, int64_t symbolCount,
                                 const Twine &what, StringRef label) {
  bool fits = extents.getNumDims() == 0 &&
              extents.getNumSymbols() == symbolCount &&
              extents.getNumResults() == type.getRank() &&
              llvm::none_of(extents.getResults(), hasBadDivisor);
  for (auto [extent, known] :
       llvm::zip(extents.getResults(), type.getShape())) {
    std::optional<int64_t> number = tg::staticExtent(extent);
    fits &= ShapedType::isDynamic(known) ? number.value_or(0) >= 0
                                         : number == known;
  }
  if (fits)
    return success();
  return op->emitOpError() << "expected extents of " << what << " that fit "
                           << type << " and " << symbolCount
                           << " symbols, found " << AffineMapAttr::get(extents)
                           << " [" << label << "]";
}

/// Returns true if a kernel that expects a value of type `expected` accepts one
/// of type `found`. The expected type may be dynamic where the found type is
/// static.
static bool fits(Type found, Type expected) {
  auto foundTensor = dyn_cast<RankedTensorType>(found);
  auto expectedTensor = dyn_cast<RankedTensorType>(expected);
  if (!foundTensor || !expectedTensor ||
      foundTensor.getElementType() != expectedTensor.getElementType() ||
      foundTensor.getRank() != expectedTensor.getRank())
    return found == expected;
  return llvm::all_of(
      llvm::zip_equal(foundTensor.getShape(), expectedTensor.getShape()),
      [](auto extents) {
        auto [foundExtent, expectedExtent] = extents;
        return expectedExtent == foundExtent ||
               ShapedType::isDynamic(expectedExtent);
      });
}

/// Compares the types of values with the types that a kernel expects.
static LogicalResult verifyTypes(Operation *user, TypeRange found,
                                 TypeRange expected, StringRef what) {
  if (found.size() != expected.size())
    return user->emitOpError() << "expected " << expected.size() << " " << what
                               << "s, found " << found.size() << " [C2]";
  for (auto [index, foundType, expectedType] : llvm::enumerate(found, expected))
    if (!fits(foundType, expectedType))
      return user->emitOpError()
             << "expected " << what << " " << index << " to be " << expectedType
             << ", found " << foundType << " [C2]";
  return success();
}

KernelOp tgx::verifyKernelUse(Operation *user, FlatSymbolRefAttr name,
                              TypeRange inputs, TypeRange outputs,
                              AffineMap extents,
                              SymbolTableCollection &symbols) {
  auto kernel = symbols.lookupNearestSymbolFrom<KernelOp>(user, name);
  if (!kernel) {
    user->emitOpError() << "expected " << name << " to name a kernel [C1]";
    return {};
  }
  if (failed(verifyTypes(user, inputs, kernel.getBlock().getArgumentTypes(),
                         "input")) ||
      failed(verifyTypes(user, outputs, kernel.getOutputs().getTypes(),
                         "output")) ||
      failed(verifyNumbers(user, extents, "extents", "C3")))
    return {};
  if (kernel.getSymbolCount() == extents.getNumResults())
    return kernel;
  user->emitOpError() << "expected extents for " << kernel.getSymbolCount()
                      << " symbols of " << name << ", found "
                      << AffineMapAttr::get(extents) << " [C3]";
  return {};
}
