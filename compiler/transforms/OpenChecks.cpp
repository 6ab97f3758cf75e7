//===- OpenChecks.cpp - what is checked while extents have names ----------===//
#include "compiler/transforms/OpenChecks.h"
#include "dialects/tg/ShapeOps.h"

using namespace mlir;
using namespace tg;

/// Every symbol of a function over those of the same function with numbers in
/// place of names.
static SmallVector<AffineExpr>
replacementsOf(ArrayRef<std::string> names,
               const llvm::StringMap<int64_t> &numbers,
               ArrayRef<std::string> boundNames, MLIRContext *context) {
  return llvm::map_to_vector(names, [&](StringRef name) -> AffineExpr {
    if (auto number = numbers.find(name); number != numbers.end())
      return getAffineConstantExpr(number->second, context);
    return getAffineSymbolExpr(
        std::distance(boundNames.begin(), llvm::find(boundNames, name)),
        context);
  });
}

/// Gives an op operands whose extents are checked to be a number, where they
/// are one of its extents. False where it has none.
bool OpenChecks::ensure(const ExtentCheck &check, AffineExpr extent,
                        int64_t number) {
  bool isEnsured = false;
  OpBuilder builder(check.op);
  for (OpOperand &operand : check.op->getOpOperands()) {
    Value value = operand.get();
    if (!open.getAnalysis().hasExtents(value))
      continue;
    auto type = cast<RankedTensorType>(value.getType());
    SmallVector<int64_t> shape(type.getShape());
    bool hasExtent = false;
    for (auto [axis, size] : llvm::enumerate(shape)) {
      if (!ShapedType::isDynamic(size))
        continue;
      bool isIt = open.getAnalysis().extentsOf(value)[axis] == extent;
      size = isIt ? number : -1;
      hasExtent |= isIt;
    }
    if (!hasExtent)
      continue;
    operand.set(
        EnsureShapeOp::create(builder, check.op->getLoc(), value, shape));
    isEnsured = true;
  }
  return isEnsured;
}

FailureOr<bool> OpenChecks::keep(const llvm::StringMap<int64_t> &numbers,
                                 const FunctionSymbols &bound) {
  bool isChanged = false;
  llvm::DenseSet<std::pair<AffineExpr, AffineExpr>> kept;
  for (const ExtentCheck &check : bound.getChecks())
    if (check.relation == ExtentRelation::equal)
      kept.insert({check.found, check.expected});
  // The numbers that a run finds come after the names: no binding changes them.
  for (const ExtentCheck &check : llvm::concat<const ExtentCheck>(
           open.getChecks(), open.getUnknownChecks())) {
    SmallVector<AffineExpr> replacements = replacementsOf(
        open.getNames(), numbers, bound.getNames(), check.found.getContext());
    AffineExpr found = check.found.replaceSymbols(replacements),
               expected = check.expected.replaceSymbols(replacements);
    std::optional<int64_t> number = staticExtent(found),
                           other = staticExtent(expected);
    // Extents that differ are refused by the op itself, save where one is 1.
    if (check.relation != ExtentRelation::equal || found == expected ||
        (number != 1 && other != 1) || kept.contains({found, expected}))
      continue;
    if (number && other)
      return check.op->emitOpError()
             << "expected " << check.what << " (" << *number << ") to equal "
             << *other << " [" << check.label << "]";
    isChanged |= number ? ensure(check, check.expected, *number)
                        : ensure(check, check.found, *other);
  }
  return isChanged;
}
