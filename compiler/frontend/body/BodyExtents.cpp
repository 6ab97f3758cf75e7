//===- BodyExtents.cpp - names of dynamic extents -------------------------===//
#include "compiler/frontend/body/BodyImpl.h"

using namespace mlir;
using namespace tg;
using namespace tg::dsl;

/// The maximum number of extents of inputs and region arguments that have a
/// symbol of their own, and the first symbol of the others. The symbols in
/// between are for unconstrained numbers.
static constexpr unsigned kTrackedExtents = 256, kFirstUntracked = 1u << 20;

void Body::Impl::trackExtents() {
  // Makes the symbols of unknown numbers follow those of named extents.
  Block empty;
  (void)extents.run(empty, kTrackedExtents);
}

/// Returns the symbol of an extent. Equal names share a symbol; an extent
/// without a name has its own.
AffineExpr Body::Impl::symbolOf(const Extent &extent) {
  auto found = llvm::find(extentNames, extent.name);
  if (extent.name.empty() || found == extentNames.end()) {
    if (extentNames.size() == kTrackedExtents)
      return getAffineSymbolExpr(kFirstUntracked + untrackedExtents++,
                                 &context);
    found = extentNames.insert(extentNames.end(), extent.name);
  }
  return getAffineSymbolExpr(found - extentNames.begin(), &context);
}

void Body::Impl::trackExtents(Value value, const Shape &shape) {
  SmallVector<AffineExpr> known;
  for (const Extent &extent : shape)
    known.push_back(extent.isKnown()
                        ? getAffineConstantExpr(extent.value, &context)
                        : symbolOf(extent));
  extents.setExtents(value, known);
}

/// Sets the extents of an op's results from their types alone, because the op
/// is not verified yet and its shape rule may not run. An alias has the extents
/// of its value.
void Body::Impl::noteInserted(Operation *op) {
  extents.setFromTypes(op);
  if (auto alias = dyn_cast<UnrealizedConversionCastOp>(op))
    copyExtents(alias.getOperand(0), alias.getResult(0));
}

void Body::Impl::copyExtents(Value from, Value to) {
  if (extents.hasExtents(from))
    extents.setExtents(to, SmallVector<AffineExpr>(extents.extentsOf(from)));
}

void Body::Impl::addArgumentLike(Block &block, Value value, Location loc) {
  copyExtents(value, block.addArgument(value.getType(), loc));
}

/// Analyzes the extents of the results of a verified op. If its rule fails for
/// the extents of the operands, the extents of the types are used.
void Body::Impl::trackExtents(Operation *op) {
  if (failed(extents.visit(op)))
    extents.setFromTypes(op);
}

void Body::Impl::nameExtents(Value value, Shape &shape) const {
  if (!extents.hasExtents(value) ||
      extents.extentsOf(value).size() != shape.size())
    return;
  for (auto [extent, number] : llvm::zip_equal(shape, extents.extentsOf(value)))
    if (auto symbol = dyn_cast<AffineSymbolExpr>(number);
        symbol && !extent.isKnown() &&
        symbol.getPosition() < extentNames.size())
      extent.name = extentNames[symbol.getPosition()];
}
