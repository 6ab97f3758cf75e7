//===- KernelNumber.cpp - numbers of kernels that calls may pass ----------===//
#include "compiler/transforms/fusion/KernelNumber.h"
#include "compiler/transforms/shapes/SizeEntries.h"
#include "dialects/tg/ops/movement/ConstantOps.h"

using namespace mlir;
using namespace tg;

/// Returns true if the result types stay the same when a symbol replaces the
/// number.
static bool keepsResultTypes(Operation *op, StringAttr name, unsigned entry) {
  auto sized = cast<DynamicSizesOpInterface>(op);
  // A -1 before the entry may mean something else, such as the end of a slice.
  if (positionOf(sized, name, entry) > sized.getDynamicSizes().size())
    return false;
  OpBuilder builder(op->getContext());
  auto size = tgx::SizeOp::create(
      builder, op->getLoc(), RankedTensorType::get({}, builder.getI64Type()),
      AffineMapAttr::get(AffineMap::get(0, 1, builder.getAffineSymbolExpr(0))));
  Operation *copy = op->clone();
  fillEntry(cast<DynamicSizesOpInterface>(copy), name, entry, size.getResult());
  SmallVector<Type> types;
  ScopedDiagnosticHandler quiet(op->getContext(),
                                [](Diagnostic &) { return success(); });
  auto inferable = dyn_cast<InferTypeOpInterface>(copy);
  bool isSame = inferable &&
                succeeded(inferable.inferReturnTypes(
                    copy->getContext(), copy->getLoc(), copy->getOperands(),
                    copy->getRawDictionaryAttrs(), copy->getPropertiesStorage(),
                    copy->getRegions(), types)) &&
                TypeRange(types) == TypeRange(op->getResultTypes());
  copy->erase();
  size->erase();
  return isSame;
}

//===----------------------------------------------------------------------===//
// KernelNumber
//===----------------------------------------------------------------------===//

/// Returns true if the op is a scalar constant whose value does not simplify
/// code.
static bool isPlainScalar(Operation &op) {
  auto constant = dyn_cast<ConstantOp>(op);
  auto elements =
      constant ? dyn_cast<DenseFPElementsAttr>(constant.getValue()) : nullptr;
  if (!elements || elements.getType().getRank() != 0)
    return false;
  APFloat value = elements.getSplatValue<APFloat>();
  return value.isFiniteNonZero() && value.getExactLog2Abs() == INT_MIN;
}

std::vector<KernelNumber> KernelNumber::findAll(tgx::KernelOp kernel) {
  std::vector<KernelNumber> result;
  for (Operation &op : kernel.getBlock()) {
    if (isPlainScalar(op))
      result.push_back(KernelNumber(&op, nullptr, 0));
    auto sized = dyn_cast<DynamicSizesOpInterface>(op);
    if (!sized)
      continue;
    for (StringRef name : sized.getSizeAttributes()) {
      auto attribute = StringAttr::get(op.getContext(), name);
      for (auto [entry, value] : llvm::enumerate(entriesOf(&op, name)))
        if (value > 0 && keepsResultTypes(&op, attribute, entry))
          result.push_back(KernelNumber(&op, attribute, entry));
    }
  }
  return result;
}

Attribute KernelNumber::get() const {
  if (isConstant())
    return cast<ConstantOp>(op).getValue();
  return Builder(op->getContext())
      .getI64IntegerAttr(entriesOf(op, attribute)[entry]);
}

void KernelNumber::set(Attribute value) const {
  if (isConstant())
    cast<ConstantOp>(op).setValueAttr(cast<ElementsAttr>(value));
  else
    setEntry(op, attribute, entry, cast<IntegerAttr>(value).getInt());
}

void KernelNumber::replaceBySymbol(unsigned symbol,
                                   unsigned symbolCount) const {
  OpBuilder builder(op->getBlock(), op->getBlock()->begin());
  auto value = tgx::SizeOp::create(
      builder, op->getLoc(), RankedTensorType::get({}, builder.getI64Type()),
      AffineMapAttr::get(
          AffineMap::get(0, symbolCount, builder.getAffineSymbolExpr(symbol))));
  fillEntry(cast<DynamicSizesOpInterface>(op), attribute, entry,
            value.getResult());
}

void KernelNumber::replaceBy(BlockArgument argument) const {
  op->getResult(0).replaceAllUsesWith(argument);
  op->erase();
}
