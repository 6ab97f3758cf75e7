//===- WindowLines.cpp - lines of a windowed lhs, padded with zeros -------===//
#include "compiler/codegen/cpu/contraction/gemm/WindowLines.h"

using namespace mlir;
using namespace tg;

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// Returns the number of elements per channel of a line of the copy.
static int64_t widthOf(const ContractionPlan &plan) {
  const WindowNest &nest = *plan.nest;
  const LineAxis &axis = nest.axes.back();
  if (nest.reducesPositions)
    return axis.reach(*nest.stepsOf(nest.nest.size() - 1));
  const WindowSpace &space = *plan.windowSpace;
  bool spansLines = space.firstRow == 0;
  return axis.reach(spansLines ? *staticExtent(space.extents.back())
                               : plan.shape.tileRows);
}

/// Returns the maximum number of lines of the copy that `lines` neighbouring
/// lines of the result read. The lines of the result may belong to several
/// images, each with `height` lines of positions.
static int64_t countLines(const LineAxis *vertical, int64_t lines,
                          std::optional<int64_t> height) {
  if (!vertical)
    return lines;
  int64_t images = lines;
  if (height && *height > 0)
    images = std::min(lines, (lines + *height - 2) / *height + 1);
  int64_t windowLines = (vertical->taps - 1) * vertical->tapStep + 1;
  return (lines - 1) * vertical->positionStep + windowLines +
         (images - 1) *
             std::max<int64_t>(0, windowLines - vertical->positionStep);
}

/// Returns the number of lines of a plane of the copy.
static int64_t linesOf(const ContractionPlan &plan) {
  const WindowNest &nest = *plan.nest;
  const LineAxis *vertical = nest.vertical();
  if (nest.reducesPositions) {
    int64_t images = *nest.stepsOf(0);
    return vertical ? images * vertical->reach(*nest.stepsOf(1)) : images;
  }
  if (plan.windowSpace->firstRow > 0)
    return vertical ? vertical->reach(1) : 1;
  // A tile reads the most lines in the phase with the fewest positions.
  auto minExtent = [&](unsigned fromLast) {
    ArrayRef<AffineExpr> extents = plan.contraction.result.extents;
    size_t axis = extents.size() - 2 - fromLast;
    int64_t divisor = axis > 0 ? nest.axes[axis - 1].window.divisor : 1;
    return staticExtent(extents[axis].floorDiv(divisor));
  };
  int64_t width = std::max<int64_t>(1, *minExtent(0));
  int64_t lines = (plan.shape.tileRows + width - 2) / width + 1;
  return countLines(vertical, lines, minExtent(1));
}

static int64_t planesOf(const WindowNest &nest) {
  int64_t planes = 1;
  for (const LineAxis &axis : nest.planeAxes())
    planes *= axis.taps;
  return planes;
}

int64_t WindowLines::copiedElements(const ContractionPlan &plan) {
  return planesOf(*plan.nest) * linesOf(plan) * widthOf(plan) *
         plan.nest->channels;
}

int64_t WindowLines::tableElements(const ContractionPlan &plan) {
  bool hasPhases = plan.windowSpace->phases > 1;
  return plan.shape.tileRows * (hasPhases ? 2 : 1);
}

//===----------------------------------------------------------------------===//
// Strides
//===----------------------------------------------------------------------===//

WindowLines::WindowLines(const ContractionPlan &plan,
                         const ContractionTile &tile, Value lines, Value rows)
    : plan(plan), tile(tile), nest(*plan.nest), window(*tile.window),
      memory{lines, plan.type}, offsets{rows, plan.frame.builder.getI64Type()},
      width(widthOf(plan)), rowStride(width * nest.channels),
      planeSize(linesOf(plan) * rowStride), imageLines(plan.ops.constant(1)) {
  IntegerOps ops = plan.ops;
  if (const LineAxis *vertical = nest.vertical()) {
    const WindowTile::Axis &axis = window.axes[window.axes.size() - 2];
    Value last = ops.sub(axis.positions, ops.constant(1));
    imageLines =
        ops.max(ops.constant(1),
                ops.add(ops.mul(last, ops.constant(vertical->positionStep)),
                        ops.constant(vertical->reach(1))));
  }
}

/// Returns the number of lines of the copy from one index of a dimension to the
/// next. Dimension 0 counts images, dimension i + 1 the positions along axis i.
Value WindowLines::lineStrideOf(unsigned dimension) const {
  Value lines = imageLines;
  for (size_t axis = dimension; axis + 2 < nest.axes.size(); ++axis)
    lines = plan.ops.mul(lines, window.axes[axis].positions);
  return lines;
}

/// Returns the number of elements of the copy from one tap of axis `axis` to
/// the next one in the copy.
int64_t WindowLines::tapStrideOf(unsigned axis) const {
  size_t axesAfter = nest.axes.size() - 1 - axis;
  const LineAxis &lineAxis = nest.axes[axis];
  if (axesAfter == 0)
    return lineAxis.tapStep * nest.channels;
  if (axesAfter == 1)
    return lineAxis.tapStep * rowStride;
  int64_t stride = planeSize;
  for (const LineAxis &later : nest.planeAxes().drop_front(axis + 1))
    stride *= later.taps;
  return stride;
}

/// Returns the offset, from the first element of a window, of the elements of
/// its first taps in the order of the op. They are the last ones along reversed
/// axes.
Value WindowLines::firstTap() const {
  IntegerOps ops = plan.ops;
  Value offset = ops.constant(0);
  for (auto [axisIndex, axis] : llvm::enumerate(window.axes)) {
    if (!nest.axes[axisIndex].reversed)
      continue;
    Value last = ops.sub(axis.taps, ops.constant(1));
    offset =
        ops.add(offset, ops.mul(last, ops.constant(tapStrideOf(axisIndex))));
  }
  return offset;
}

Value WindowLines::positionStrideOf(unsigned axis) const {
  IntegerOps ops = plan.ops;
  size_t axesAfter = nest.axes.size() - 1 - axis;
  const LineAxis &lineAxis = nest.axes[axis];
  if (axesAfter == 0)
    return ops.constant(lineAxis.positionStep * nest.channels);
  if (axesAfter == 1)
    return ops.constant(lineAxis.positionStep * rowStride);
  return ops.mul(lineStrideOf(axis + 1), ops.constant(rowStride));
}

Value WindowLines::strideOf(unsigned dimension) const {
  IntegerOps ops = plan.ops;
  if (dimension == nest.windows.channel)
    return ops.constant(1);
  if (dimension == nest.windows.outer)
    return ops.mul(lineStrideOf(0), ops.constant(rowStride));
  for (auto [index, axis] : llvm::enumerate(nest.axes)) {
    if (axis.window.tap == dimension)
      return ops.constant(axis.reversed ? -tapStrideOf(index)
                                        : tapStrideOf(index));
    if (axis.window.position == dimension)
      return positionStrideOf(index);
  }
  llvm_unreachable("no dimension of the lhs");
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Returns the line, counted through all images, at which the windows of a line
/// of positions begin. `positions` holds the image and the positions along all
/// axes but the last.
Value WindowLines::lineOf(ArrayRef<Value> positions) const {
  IntegerOps ops = plan.ops;
  Value line = ops.mul(positions[0], lineStrideOf(0));
  for (auto [axis, position] : llvm::enumerate(positions.drop_front())) {
    bool isVertical = axis + 2 == nest.axes.size();
    Value step = isVertical ? ops.constant(nest.axes[axis].positionStep)
                            : lineStrideOf(axis + 1);
    line = ops.add(line, ops.mul(position, step));
  }
  return line;
}

/// Writes a table with the offset in the copy of each row of the tile. If there
/// are several phases, the table also holds the index in the result of each
/// row.
void WindowLines::writeOffsets(Value origin) const {
  IntegerOps ops = plan.ops;
  KernelFrame &frame = plan.frame;
  unsigned first = plan.windowSpace->firstRow;
  unsigned count = window.rowExtents.size();
  SmallVector<Value> strides,
      firstIndex = splitIndex(ops, tile.firstRow, window.rowExtents);
  for (unsigned dimension = 0; dimension < count; ++dimension)
    strides.push_back(strideOf(first + dimension));
  auto write = [&](Value row, ValueRange index) {
    Value offset = ops.sub(ops.constant(0), origin);
    for (auto [digit, stride] : llvm::zip_equal(index, strides))
      offset = ops.add(offset, ops.mul(digit, stride));
    storeElements(frame.builder, frame.loc, offsets, row, offset, {});
    if (plan.windowSpace->phases > 1)
      storeElements(frame.builder, frame.loc, offsets,
                    ops.add(row, ops.constant(plan.shape.tileRows)),
                    resultRowAt(index), {});
    return nextIndex(index);
  };
  (void)buildFor(frame.builder, frame.loc, ops.constant(0), tile.rows, 1,
                 firstIndex, write);
}

/// Returns the index of the row after the row at `index`, one number for each
/// dimension that counts rows.
SmallVector<Value> WindowLines::nextIndex(ValueRange index) const {
  IntegerOps ops = plan.ops;
  OpBuilder &builder = plan.frame.builder;
  SmallVector<Value> nextIndices(index);
  Value carry = ops.constant(1);
  for (size_t axis = index.size(); axis-- > 0;) {
    Value incremented = ops.add(index[axis], carry);
    Value wraps = ops.compare(arith::CmpIPredicate::sge, incremented,
                              window.rowExtents[axis]);
    nextIndices[axis] = arith::SelectOp::create(builder, plan.frame.loc, wraps,
                                                ops.constant(0), incremented);
    carry = arith::ExtUIOp::create(builder, plan.frame.loc,
                                   builder.getI64Type(), wraps);
  }
  return nextIndices;
}

/// Returns the row of the result for an index that counts only the positions of
/// the tile's phase.
Value WindowLines::resultRowAt(ValueRange index) const {
  IntegerOps ops = plan.ops;
  SmallVector<Value> fullIndex(window.leading);
  llvm::append_range(fullIndex, index);
  Value row = fullIndex[0];
  for (auto [axisIndex, axis] : llvm::enumerate(window.axes)) {
    int64_t divisor = nest.axes[axisIndex].window.divisor;
    Value position = ops.add(
        ops.mul(fullIndex[axisIndex + 1], ops.constant(divisor)), axis.phase);
    Value extent =
        plan.frame.extent(plan.contraction.result.extents[axisIndex + 1]);
    row = ops.add(ops.mul(row, extent), position);
  }
  return row;
}

Value WindowLines::resultRow(Value row) const {
  IntegerOps ops = plan.ops;
  if (plan.windowSpace->phases > 1)
    return loadElements(plan.frame.builder, plan.frame.loc, offsets,
                        ops.add(row, ops.constant(plan.shape.tileRows)), {});
  return ops.add(ops.mul(tile.matrix, tile.rowCount),
                 ops.add(tile.firstRow, row));
}

LeftRows WindowLines::rows(Value row, unsigned count,
                           const KBlock &block) const {
  IntegerOps ops = plan.ops;
  OpBuilder &builder = plan.frame.builder;
  Matrix matrix{.elements = memory,
                .base = ops.constant(0),
                .rowStride = {},
                .columnStride = strideOf(nest.nest.back().innermost())};
  LeftRows rows{matrix};
  Value start = firstTap();
  if (!nest.reducesPositions)
    for (auto [dimension, range] : llvm::zip(nest.nest, block.ranges))
      start =
          ops.add(start, ops.mul(range.begin, strideOf(dimension.innermost())));
  for (unsigned rowIndex = 0; rowIndex < count; ++rowIndex)
    rows.starts.push_back(
        ops.add(start, loadElements(builder, plan.frame.loc, offsets,
                                    ops.add(row, ops.constant(rowIndex)), {})));
  return rows;
}
