//===- WindowTile.cpp - the positions of a tile of a convolution ----------===//
#include "compiler/codegen/cpu/contraction/window/WindowTile.h"
#include "compiler/codegen/cpu/Tuning.h"
#include <numeric>

using namespace mlir;
using namespace tg;

//===----------------------------------------------------------------------===//
// WindowSpace
//===----------------------------------------------------------------------===//

WindowSpace::WindowSpace(const Contraction &contraction, const WindowNest &nest)
    : extents(ArrayRef(contraction.result.extents).drop_back()), firstRow(0),
      phases(1) {
  if (nest.reducesPositions)
    return;
  phases = nest.countPhases();
  for (auto [extent, axis] :
       llvm::zip_equal(MutableArrayRef(extents).drop_front(), nest.axes))
    extent = axis.positions(extent);
  std::optional<int64_t> line = staticExtent(extents.back());
  if (!line || *line >= tuning::kMaxTileRows)
    firstRow = extents.size() - 1;
}

AffineExpr WindowSpace::getRows() const {
  return productOf(ArrayRef(extents).drop_front(firstRow),
                   extents.front().getContext());
}

AffineExpr WindowSpace::getMatrices() const {
  return productOf(ArrayRef(extents).take_front(firstRow),
                   extents.front().getContext()) *
         phases;
}

//===----------------------------------------------------------------------===//
// WindowTile
//===----------------------------------------------------------------------===//

SmallVector<Value> tg::splitIndex(IntegerOps ops, Value number,
                                  ArrayRef<Value> extents) {
  SmallVector<Value> digits(extents.size());
  for (size_t place = extents.size(); place-- > 0;) {
    // An empty result has no tile, but its code must not divide by 0.
    Value extent = ops.max(extents[place], ops.constant(1));
    digits[place] = place ? ops.rem(number, extent) : number;
    if (place)
      number = ops.div(number, extent);
  }
  return digits;
}

/// Returns the first tap that reads an element for the phase, or `none`, which
/// is larger than all taps, if there is no such tap.
static Value findFirstTap(IntegerOps ops, OpBuilder &builder, Location loc,
                          Value reach, int64_t step, int64_t dilation,
                          int64_t divisor, Value none) {
  Value first = none;
  for (int64_t tap = step; tap-- > 0;) {
    Value moved = ops.sub(reach, ops.constant(tap * dilation));
    Value whole = ops.mul(ops.floorDiv(moved, ops.constant(divisor)),
                          ops.constant(divisor));
    Value meets = ops.compare(arith::CmpIPredicate::eq, whole, moved);
    first = builder.createOrFold<arith::SelectOp>(loc, meets, ops.constant(tap),
                                                  first);
  }
  return first;
}

// Position x of the result is x' * divisor + phase. Tap firstTap + m *
// tapStride reads element
//   (phase + low - firstTap * dilation) / divisor + x' - m * tapStep
// of the lhs, so that the last tap comes first in the copy.
WindowTile::Axis WindowTile::makeAxis(KernelFrame &frame, const LineAxis &line,
                                      const ContractionTensor &lhs,
                                      unsigned axis, Value phase,
                                      Value resultExtent) {
  IntegerOps ops = frame.integers();
  const WindowAxis &window = line.window;
  Value offset = window.offset ? frame.extent(window.offset) : ops.constant(0);
  Value extent = frame.extent(lhs.extents[axis]);
  if (!line.reversed)
    return {
        phase,           extent, offset, resultExtent, ops.constant(line.taps),
        ops.constant(0),
        /*tapStride=*/1};
  int64_t dilation = -window.dilation, divisor = window.divisor;
  int64_t step = divisor / std::gcd(divisor, dilation);
  Value divisorValue = ops.constant(divisor);
  Value extentOfTaps = ops.constant(line.tapExtent);
  Value reach = ops.add(phase, offset);
  Value first = findFirstTap(ops, frame.builder, frame.loc, reach, step,
                             dilation, divisor, extentOfTaps);
  Value taps =
      ops.ceilDiv(ops.max(ops.constant(0), ops.sub(extentOfTaps, first)),
                  ops.constant(step));
  Value base = ops.floorDiv(
      ops.sub(reach, ops.mul(first, ops.constant(dilation))), divisorValue);
  Value lastStep =
      ops.mul(ops.sub(taps, ops.constant(1)), ops.constant(line.tapStep));
  Value positions =
      ops.div(ops.sub(ops.add(resultExtent, ops.constant(divisor - 1)), phase),
              divisorValue);
  return {phase, extent, ops.sub(base, lastStep), positions, taps, first, step};
}

WindowTile::WindowTile(KernelFrame &frame, const Contraction &contraction,
                       const WindowNest &nest, const WindowSpace &space,
                       Value matrix) {
  IntegerOps ops = frame.integers();
  SmallVector<Value> extents, divisors;
  for (AffineExpr extent : space.extents)
    extents.push_back(frame.extent(extent));
  for (const LineAxis &axis : nest.axes)
    divisors.push_back(ops.constant(axis.window.divisor));
  auto leadingExtents = ArrayRef(extents).take_front(space.firstRow);
  Value count = ops.constant(1);
  for (Value extent : leadingExtents)
    count = ops.mul(count, extent);
  Value phase = ops.constant(0), place = matrix;
  if (space.phases > 1) {
    count = ops.max(count, ops.constant(1));
    phase = ops.div(matrix, count);
    place = ops.rem(matrix, count);
  }
  SmallVector<Value> phases = splitIndex(ops, phase, divisors);
  for (auto [number, line] : llvm::enumerate(nest.axes)) {
    Value extent =
        frame.extent(contraction.dimensions[line.window.position].extent);
    axes.push_back(makeAxis(frame, line, contraction.lhs, number + 1,
                            phases[number], extent));
  }
  leading = splitIndex(ops, place, leadingExtents);
  rowExtents.assign(extents.begin() + space.firstRow, extents.end());
  if (nest.reducesPositions) {
    rowCount = frame.extent(space.getRows());
    return;
  }
  rowCount = ops.constant(1);
  Value isThere = ops.constant(1);
  for (auto [number, index] : llvm::enumerate(leading))
    if (number > 0)
      isThere =
          ops.min(isThere, ops.max(ops.constant(0),
                                   ops.sub(axes[number - 1].positions, index)));
  for (unsigned number = space.firstRow; number < extents.size(); ++number) {
    if (number > 0)
      rowExtents[number - space.firstRow] = axes[number - 1].positions;
    rowCount = ops.mul(rowCount, rowExtents[number - space.firstRow]);
  }
  rowCount = ops.mul(rowCount, isThere);
}
