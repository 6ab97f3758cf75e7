//===- WindowCopy.cpp - copies of a windowed lhs --------------------------===//
#include "compiler/codegen/cpu/contraction/gemm/PanelPacking.h"
#include "compiler/codegen/cpu/contraction/gemm/WindowLines.h"

using namespace mlir;
using namespace tg;

void WindowLines::prepare() const {
  IntegerOps ops = plan.ops;
  if (nest.reducesPositions)
    return writeOffsets(ops.constant(0));
  LineRange range = rangeOfTile();
  bool spansLines = plan.windowSpace->firstRow == 0;
  writeOffsets(spansLines ? ops.mul(range.begin, ops.constant(rowStride))
                          : ops.mul(range.position,
                                    positionStrideOf(nest.axes.size() - 1)));
  copy(range);
}

WindowLines::LineRange WindowLines::rangeOfTile() const {
  IntegerOps ops = plan.ops;
  const LineAxis *vertical = nest.vertical();
  Value one = ops.constant(1);
  Value windowLines = ops.mul(ops.min(one, tile.rows),
                              ops.constant(vertical ? vertical->reach(1) : 1));
  if (plan.windowSpace->firstRow > 0) {
    Value begin = lineOf(window.leading);
    return {begin, begin, ops.add(begin, windowLines), tile.firstRow,
            columnsOf(tile.rows)};
  }
  auto lineOfRow = [&](Value row) {
    SmallVector<Value> digits = splitIndex(ops, row, window.rowExtents);
    return lineOf(ArrayRef(digits).drop_back());
  };
  Value begin = lineOfRow(tile.firstRow);
  Value last =
      ops.add(tile.firstRow, ops.max(ops.constant(0), ops.sub(tile.rows, one)));
  return {begin, begin, ops.add(lineOfRow(last), windowLines), ops.constant(0),
          ops.constant(width)};
}

/// Returns the number of elements of a line, counted without channels, that
/// `positions` neighbouring positions read.
Value WindowLines::columnsOf(Value positions) const {
  IntegerOps ops = plan.ops;
  const LineAxis &axis = nest.axes.back();
  Value zero = ops.constant(0);
  Value last = ops.sub(positions, ops.constant(1));
  Value reach = ops.add(ops.mul(last, ops.constant(axis.positionStep)),
                        ops.constant(axis.reach(1)));
  return ops.mul(ops.max(zero, reach),
                 ops.min(ops.constant(1), ops.max(zero, positions)));
}

WindowLines::LineRange WindowLines::rangeOfBlock(const KBlock &block) const {
  IntegerOps ops = plan.ops;
  size_t last = nest.nest.size() - 1;
  auto [firstImage, images] = block.ranges.front();
  auto [firstColumn, columns] = block.ranges.back();
  Value one = ops.constant(1);
  Value begin = ops.mul(firstImage, imageLines);
  Value count = ops.mul(ops.sub(images, one), imageLines);
  Value isNonEmpty = ops.min(one, images);
  if (const LineAxis *vertical = nest.vertical()) {
    auto [firstLine, lines] = block.ranges[last - 1];
    Value step = ops.constant(vertical->positionStep);
    begin = ops.add(begin, ops.mul(firstLine, step));
    count = ops.add(count, ops.add(ops.mul(ops.sub(lines, one), step),
                                   ops.constant(vertical->reach(1))));
    isNonEmpty = ops.min(isNonEmpty, lines);
  } else {
    count = images;
  }
  return {begin, begin, ops.add(begin, ops.mul(count, isNonEmpty)), firstColumn,
          columnsOf(columns)};
}

/// Restricts the lines of a block of K to those that the tile reads. In a
/// filter gradient, each row of the tile is a tap of the filter. Leaves out the
/// lines that none of the tile's vertical taps reads.
WindowLines::LineRange WindowLines::restrictToTile(LineRange range) const {
  IntegerOps ops = plan.ops;
  const LineAxis *vertical = nest.vertical();
  if (!vertical || !nest.planeAxes().empty())
    return range;
  auto tapOf = [&](Value row) {
    return splitIndex(ops, row, window.rowExtents).front();
  };
  Value one = ops.constant(1);
  Value step = ops.constant(vertical->tapStep);
  Value last = ops.sub(ops.add(tile.firstRow, ops.max(one, tile.rows)), one);
  Value tapsAfter = ops.sub(ops.constant(vertical->taps - 1), tapOf(last));
  range.begin = ops.add(range.begin, ops.mul(tapOf(tile.firstRow), step));
  range.end = ops.sub(range.end, ops.mul(tapsAfter, step));
  return range;
}

void WindowLines::copyBlock(const KBlock &block) const {
  if (nest.reducesPositions)
    copy(restrictToTile(rangeOfBlock(block)));
}

/// Returns the range of the elements of a copied line that lie inside the lhs.
WindowLines::Columns WindowLines::columnsInside(const LineRange &range) const {
  IntegerOps ops = plan.ops;
  const LineAxis &axis = nest.axes.back();
  const WindowTile::Axis &values = window.axes.back();
  Value step = ops.constant(axis.sourceStep);
  Value zero = ops.constant(0);
  Value shift = ops.mul(range.position, ops.constant(axis.positionStep));
  Value first = ops.add(ops.mul(shift, step), values.offset);
  auto columnOf = [&](Value index) {
    Value sourceDistance =
        ops.add(ops.sub(index, first), ops.constant(axis.sourceStep - 1));
    return ops.min(range.columns,
                   ops.max(zero, ops.floorDiv(sourceDistance, step)));
  };
  Value begin = columnOf(zero);
  return {first, begin, ops.max(begin, columnOf(values.extent))};
}

void WindowLines::copy(const LineRange &range) const {
  copyPlanes(range, columnsInside(range), {});
}

/// Copies the planes of all taps of the axes before the last two. `taps` holds
/// the taps of the axes whose loops are already open.
void WindowLines::copyPlanes(const LineRange &range, const Columns &columns,
                             ArrayRef<Value> taps) const {
  KernelFrame &frame = plan.frame;
  IntegerOps ops = plan.ops;
  ArrayRef<LineAxis> planes = nest.planeAxes();
  if (taps.size() < planes.size()) {
    buildFor(frame.builder, frame.loc, ops.constant(0),
             ops.constant(planes[taps.size()].taps), 1, [&](Value tap) {
               SmallVector<Value> openTaps(taps);
               openTaps.push_back(tap);
               copyPlanes(range, columns, openTaps);
             });
    return;
  }
  Value plane = ops.constant(0);
  for (auto [axis, tap] : llvm::enumerate(taps))
    plane = ops.add(plane, ops.mul(tap, ops.constant(tapStrideOf(axis))));
  buildFor(frame.builder, frame.loc, range.begin, range.end, 1,
           [&](Value line) {
             Value lineOffset = ops.sub(line, range.origin);
             Value target =
                 ops.add(plane, ops.mul(lineOffset, ops.constant(rowStride)));
             copyLine(range, columns, target, line, taps);
           });
}

/// Returns the source of a copied line: its index among the lines of the lhs,
/// and an i1 that is true if the lhs contains the line, or null if it always
/// does.
std::pair<Value, Value> WindowLines::sourceOf(Value line,
                                              ArrayRef<Value> taps) const {
  IntegerOps ops = plan.ops;
  OpBuilder &builder = plan.frame.builder;
  Value isInside, image = ops.div(line, imageLines);
  SmallVector<Value> extents = {ops.constant(0)};
  for (size_t axis = 0; axis < taps.size(); ++axis)
    extents.push_back(window.axes[axis].positions);
  SmallVector<Value> positions = splitIndex(ops, image, extents);
  Value source = positions[0];
  auto addAxis = [&](unsigned axis, Value coordinate) {
    const WindowTile::Axis &windowAxis = window.axes[axis];
    Value sourceIndex =
        ops.add(ops.mul(coordinate, ops.constant(nest.axes[axis].sourceStep)),
                windowAxis.offset);
    // The unsigned comparison also rejects negative indices.
    Value isInExtent =
        ops.compare(arith::CmpIPredicate::ult, sourceIndex, windowAxis.extent);
    isInside = isInside ? builder.createOrFold<arith::AndIOp>(
                              plan.frame.loc, isInside, isInExtent)
                        : isInExtent;
    source = ops.add(ops.mul(source, windowAxis.extent), sourceIndex);
  };
  for (auto [axis, tap] : llvm::enumerate(taps)) {
    const LineAxis &windowAxis = nest.axes[axis];
    addAxis(axis, ops.add(ops.mul(positions[axis + 1],
                                  ops.constant(windowAxis.positionStep)),
                          ops.mul(tap, ops.constant(windowAxis.tapStep))));
  }
  if (nest.vertical())
    addAxis(nest.axes.size() - 2, ops.rem(line, imageLines));
  return {source, isInside};
}

void WindowLines::copyLine(const LineRange &range, const Columns &columns,
                           Value target, Value line,
                           ArrayRef<Value> taps) const {
  KernelFrame &frame = plan.frame;
  IntegerOps ops = plan.ops;
  Value channels = ops.constant(nest.channels);
  auto [source, isInside] = sourceOf(line, taps);
  Value zero = ops.constant(0);
  Value begin = columns.begin;
  Value end = columns.end;
  if (isInside) {
    begin = frame.builder.createOrFold<arith::SelectOp>(frame.loc, isInside,
                                                        begin, zero);
    end = frame.builder.createOrFold<arith::SelectOp>(frame.loc, isInside, end,
                                                      zero);
  }
  auto fill = [&](Value from, Value to) {
    fillRow(frame, memory, ops.add(target, ops.mul(from, channels)),
            ops.mul(ops.sub(to, from), channels), plan.shape.lanes);
  };
  fill(zero, begin);
  copyInside(ops.add(ops.mul(source, window.axes.back().extent), columns.first),
             target, begin, end);
  fill(end, range.columns);
}

/// Copies the elements [begin, end) of a line. Element 0 of the line
/// corresponds to element `first` of the lhs, counted without channels.
void WindowLines::copyInside(Value first, Value target, Value begin,
                             Value end) const {
  KernelFrame &frame = plan.frame;
  IntegerOps ops = plan.ops;
  Value channels = ops.constant(nest.channels);
  Elements source =
      frame.argument(cast<BlockArgument>(plan.contraction.lhs.value));
  auto copy = [&](Value column, Value count) {
    Value step = ops.constant(nest.axes.back().sourceStep);
    Value from = ops.mul(ops.add(first, ops.mul(column, step)), channels);
    copyRow(frame, source, from, memory,
            ops.add(target, ops.mul(column, channels)),
            ops.mul(count, channels), plan.shape.lanes);
  };
  if (nest.axes.back().sourceStep == 1)
    return copy(begin, ops.sub(end, begin));
  buildFor(frame.builder, frame.loc, begin, end, 1,
           [&](Value column) { copy(column, ops.constant(1)); });
}
