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

AffineExpr WindowSpace::countMatrices() const {
  return productOf(ArrayRef(extents).take_front(firstRow),
                   extents.front().getContext()) *
         phases;
}

//===----------------------------------------------------------------------===//
// WindowTile
//===----------------------------------------------------------------------===//

SmallVector<Value> tg::splitIndex(IntegerOps ops, Value index,
                                  ArrayRef<Value> extents) {
  SmallVector<Value> indices(extents.size());
  for (size_t axis = extents.size(); axis-- > 0;) {
    // An empty result has no tile, but its code must not divide by 0.
    Value extent = ops.max(extents[axis], ops.constant(1));
    indices[axis] = axis ? ops.rem(index, extent) : index;
    if (axis)
      index = ops.div(index, extent);
  }
  return indices;
}

/// Returns the first tap that reads an element for the phase, or `none`, which
/// is larger than all taps, if there is no such tap. Tap t reads element
/// (dividend - t * dilation) / divisor if the division is exact.
static Value findFirstTap(IntegerOps ops, OpBuilder &builder, Location loc,
                          Value dividend, int64_t step, int64_t dilation,
                          int64_t divisor, Value none) {
  Value first = none;
  for (int64_t tap = step; tap-- > 0;) {
    Value tapDividend = ops.sub(dividend, ops.constant(tap * dilation));
    Value multiple = ops.mul(ops.floorDiv(tapDividend, ops.constant(divisor)),
                             ops.constant(divisor));
    Value isExact =
        ops.compare(arith::CmpIPredicate::eq, multiple, tapDividend);
    first = builder.createOrFold<arith::SelectOp>(loc, isExact,
                                                  ops.constant(tap), first);
  }
  return first;
}

// On a reversed axis, position x of the result is x' * divisor + phase. Tap
// firstTap + m * tapStride reads element
//   (phase + offset - firstTap * dilation) / divisor + x' - m * tapStep
// of the lhs. Later taps read earlier elements, so a copy begins with the
// element of the last tap.
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
  Value dividend = ops.add(phase, offset);
  Value first = findFirstTap(ops, frame.builder, frame.loc, dividend, step,
                             dilation, divisor, extentOfTaps);
  Value taps =
      ops.ceilDiv(ops.max(ops.constant(0), ops.sub(extentOfTaps, first)),
                  ops.constant(step));
  Value firstElement = ops.floorDiv(
      ops.sub(dividend, ops.mul(first, ops.constant(dilation))), divisorValue);
  Value lastStep =
      ops.mul(ops.sub(taps, ops.constant(1)), ops.constant(line.tapStep));
  Value positions =
      ops.div(ops.sub(ops.add(resultExtent, ops.constant(divisor - 1)), phase),
              divisorValue);
  return {phase, extent, ops.sub(firstElement, lastStep), positions, taps,
          first, step};
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
  Value phase = ops.constant(0);
  Value indexInPhase = matrix;
  if (space.phases > 1) {
    count = ops.max(count, ops.constant(1));
    phase = ops.div(matrix, count);
    indexInPhase = ops.rem(matrix, count);
  }
  SmallVector<Value> phases = splitIndex(ops, phase, divisors);
  for (auto [axis, line] : llvm::enumerate(nest.axes)) {
    Value extent =
        frame.extent(contraction.dimensions[line.window.position].extent);
    axes.push_back(
        makeAxis(frame, line, contraction.lhs, axis + 1, phases[axis], extent));
  }
  leading = splitIndex(ops, indexInPhase, leadingExtents);
  rowExtents.assign(extents.begin() + space.firstRow, extents.end());
  if (nest.reducesPositions) {
    rowCount = frame.extent(space.getRows());
    return;
  }
  rowCount = ops.constant(1);
  // 0 if `leading` lies beyond the positions of the phase, otherwise 1.
  Value hasRows = ops.constant(1);
  for (auto [dimension, index] : llvm::enumerate(leading))
    if (dimension > 0)
      hasRows = ops.min(hasRows,
                        ops.max(ops.constant(0),
                                ops.sub(axes[dimension - 1].positions, index)));
  for (unsigned dimension = space.firstRow; dimension < extents.size();
       ++dimension) {
    if (dimension > 0)
      rowExtents[dimension - space.firstRow] = axes[dimension - 1].positions;
    rowCount = ops.mul(rowCount, rowExtents[dimension - space.firstRow]);
  }
  rowCount = ops.mul(rowCount, hasRows);
}
