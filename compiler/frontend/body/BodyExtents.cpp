//===- BodyExtents.cpp - names of extents that are not known --------------===//
#include "compiler/frontend/body/BodyImpl.h"

using namespace mlir;
using namespace tg;
using namespace tg::dsl;

/// The most extents of inputs and of arguments of regions that have a name, and
/// the symbol of the first one beyond: numbers that nothing is known about lie
/// between.
static constexpr unsigned kTrackedExtents = 256, kFirstBeyond = 1u << 20;

void Body::Impl::trackExtents() {
  // Numbers that nothing is known about come behind those with a name.
  Block none;
  (void)extents.run(none, kTrackedExtents);
}

/// Equal names are equal numbers; each extent without a name is its own.
AffineExpr Body::Impl::symbolOf(const Extent &extent) {
  auto found = llvm::find(extentNames, extent.name);
  if (extent.name.empty() || found == extentNames.end()) {
    if (extentNames.size() == kTrackedExtents)
      return getAffineSymbolExpr(kFirstBeyond + extentsBeyond++, &context);
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

/// Follows the extents of an op's results by their types alone: no rule is
/// asked about an op that is not verified. An alias has those of its value.
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

/// Follows the extents of the results of an op, which was verified. Where its
/// rule fails for the numbers that inputs have, they are those of the types.
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
