//===- DataDependentSymbols.cpp - symbols of data-dependent sizes ---------===//
#include "compiler/transforms/shapes/DataDependentSymbols.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tg;

void tg::forEachSymbol(AffineExpr number, function_ref<void(unsigned)> visit) {
  number.walk([&](AffineExpr part) {
    if (auto symbol = dyn_cast<AffineSymbolExpr>(part))
      visit(symbol.getPosition());
  });
}

DataDependentSymbols::DataDependentSymbols(Block &block,
                                           const ExtentAnalysis &extents)
    : extents(extents) {
  for (auto measure : block.getOps<tgx::MeasureOp>())
    measures[measure.getSymbol()] = measure;
}

SmallVector<Operation *>
DataDependentSymbols::measuresFor(Operation *op) const {
  if (measures.empty())
    return {};
  llvm::SetVector<Operation *> needed;
  auto visitNumber = [&](AffineExpr number) {
    forEachSymbol(number, [&](unsigned symbol) {
      if (Operation *measure = measures.lookup(symbol);
          measure && measure != op)
        needed.insert(measure);
    });
  };
  auto visitValue = [&](Value value) {
    if (extents.hasExtents(value))
      llvm::for_each(extents.extentsOf(value), visitNumber);
  };
  op->walk([&](Operation *inner) {
    llvm::for_each(inner->getOperands(), visitValue);
    llvm::for_each(inner->getResults(), visitValue);
    // AffineMap attributes (buffer sizes, checks, extents passed to calls) also
    // refer to symbols.
    for (NamedAttribute attribute : inner->getAttrs())
      if (auto map = dyn_cast<AffineMapAttr>(attribute.getValue()))
        llvm::for_each(map.getValue().getResults(), visitNumber);
  });
  return needed.takeVector();
}
