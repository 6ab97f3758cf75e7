//===- IterationSpace.cpp - the dimensions that loops run over ------------===//
#include "compiler/codegen/cpu/IterationSpace.h"

using namespace mlir;
using namespace tg;

/// Whether a value aligned at the last dimension varies along `axis` of a
/// space of the given rank: elementwise ops stretch static extents of 1 only.
static bool varies(const KernelFrame &frame, Value value, unsigned axis,
                   unsigned rank) {
  ArrayRef<AffineExpr> extents = frame.extentsOf(value);
  unsigned shift = rank - extents.size();
  return axis >= shift && staticExtent(extents[axis - shift]) != 1;
}

IterationSpace::IterationSpace(KernelFrame &frame,
                               ArrayRef<AffineExpr> extents,
                               std::optional<ArrayRef<Value>> values,
                               ArrayRef<unsigned> cut)
    : frame(frame), rank(extents.size()) {
  for (unsigned axis = 0; axis < rank; ++axis) {
    if (staticExtent(extents[axis]) == 1)
      continue;
    bool joins = values && !groups.empty() && !llvm::is_contained(cut, axis) &&
                 llvm::all_of(*values, [&](Value value) {
                   return varies(frame, value, axis, rank) ==
                          varies(frame, value, groups.back().last, rank);
                 });
    if (!joins) {
      groups.push_back({axis, axis, extents[axis]});
      continue;
    }
    groups.back().last = axis;
    groups.back().extent = groups.back().extent * extents[axis];
  }
}

AffineExpr IterationSpace::getProduct(unsigned first, unsigned last) const {
  AffineExpr product =
      getAffineConstantExpr(1, frame.builder.getContext());
  for (unsigned group = first; group < last; ++group)
    product = product * groups[group].extent;
  return product;
}

Position IterationSpace::position(ArrayRef<Value> indices, unsigned laneGroup,
                                  unsigned lanes) const {
  Position position;
  Value zero = frame.integers().constant(0);
  position.index.assign(rank, zero);
  position.laneStep.assign(rank, 0);
  for (auto [group, index] : llvm::zip_equal(groups, indices))
    position.index[group.last] = index;
  if (lanes > 1)
    position.laneStep[groups[laneGroup].last] = 1;
  return position;
}

SmallVector<Value> IterationSpace::split(Value number, unsigned first,
                                         unsigned last) const {
  IntegerOps ops = frame.integers();
  SmallVector<Value> indices(last - first);
  for (unsigned group = last; group-- > first;) {
    Value extent = frame.extent(groups[group].extent);
    bool isFirst = group == first;
    indices[group - first] = isFirst ? number : ops.rem(number, extent);
    if (!isFirst)
      number = ops.div(number, extent);
  }
  return indices;
}
