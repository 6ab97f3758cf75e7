//===- OpenChecks.cpp - checks of extents before binding ------------------===//
#include "compiler/transforms/shapes/OpenChecks.h"
#include "dialects/tg/ops/movement/ShapeOps.h"

using namespace mlir;
using namespace tg;

/// Maps each symbol that the function has before binding to the number given
/// for it, or to the symbol of the same name after binding.
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

/// Returns the constant value that a checked extent has after binding, or none
/// if it stays dynamic. Also consults the types, because another equality may
/// have made them static.
std::optional<int64_t> OpenChecks::numberOf(const ExtentCheck &check,
                                            AffineExpr extent,
                                            AffineExpr replaced) const {
  if (std::optional<int64_t> number = staticExtent(replaced))
    return number;
  const ExtentAnalysis &analysis = open.getAnalysis();
  for (Value value : check.op->getOperands()) {
    if (!analysis.hasExtents(value))
      continue;
    auto shape = cast<RankedTensorType>(value.getType()).getShape();
    for (auto [known, size] : llvm::zip_equal(analysis.extentsOf(value), shape))
      if (known == extent && !ShapedType::isDynamic(size))
        return size;
  }
  return std::nullopt;
}

/// Replaces operands of an op that have `extent` by operands whose extents are
/// checked to be `number`. Returns false if there are none.
bool OpenChecks::ensure(const ExtentCheck &check, AffineExpr extent,
                        int64_t number) {
  bool isEnsured = false;
  OpBuilder builder(check.op);
  ExtentAnalysis &analysis = open.getAnalysis();
  for (OpOperand &operand : check.op->getOpOperands()) {
    Value value = operand.get();
    if (!analysis.hasExtents(value))
      continue;
    auto type = cast<RankedTensorType>(value.getType());
    SmallVector<int64_t> shape(type.getShape());
    bool hasExtent = false;
    for (auto [axis, size] : llvm::enumerate(shape)) {
      if (!ShapedType::isDynamic(size))
        continue;
      bool isMatch = analysis.extentsOf(value)[axis] == extent;
      size = isMatch ? number : -1;
      hasExtent |= isMatch;
    }
    if (!hasExtent)
      continue;
    Value ensured =
        EnsureShapeOp::create(builder, check.op->getLoc(), value, shape);
    // Another check of this op may be about another axis.
    analysis.setExtents(ensured,
                        SmallVector<AffineExpr>(analysis.extentsOf(value)));
    operand.set(ensured);
    isEnsured = true;
  }
  return isEnsured;
}

FailureOr<bool> OpenChecks::restore(const llvm::StringMap<int64_t> &numbers,
                                    const FunctionSymbols &bound) {
  bool isChanged = false;
  // The remaining checks of each op. The same check of another op does not
  // count, because that op may be trimmed.
  llvm::DenseSet<std::tuple<Operation *, AffineExpr, AffineExpr>> remaining;
  for (const ExtentCheck &check : bound.getAnalysis().getChecks())
    if (check.relation == ExtentRelation::equal)
      remaining.insert({check.op, check.found, check.expected});
  // The symbols of data-dependent sizes have positions after the symbols with
  // names, so replaceSymbols() leaves them unchanged. Checks of results are
  // only in open.getChecks(), not in the checks of the analysis.
  for (const ExtentCheck &check : llvm::concat<const ExtentCheck>(
           open.getAnalysis().getChecks(), open.getChecks())) {
    SmallVector<AffineExpr> replacements = replacementsOf(
        open.getNames(), numbers, bound.getNames(), check.found.getContext());
    AffineExpr found = check.found.replaceSymbols(replacements);
    AffineExpr expected = check.expected.replaceSymbols(replacements);
    std::optional<int64_t> number = numberOf(check, check.found, found);
    std::optional<int64_t> other = numberOf(check, check.expected, expected);
    // The op itself reports static extents that differ, except that it would
    // broadcast an extent of 1.
    if (check.relation != ExtentRelation::equal || found == expected ||
        number == other || (number != 1 && other != 1) ||
        remaining.contains({check.op, found, expected}))
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
