//===- WindowCopy.cpp - copies of a windowed lhs --------------------------===//
#include "compiler/codegen/cpu/contraction/gemm/PanelPacking.h"
#include "compiler/codegen/cpu/contraction/gemm/WindowLines.h"

using namespace mlir;
using namespace tg;

void WindowLines::prepare() const {
  IntegerOps ops = plan.ops;
  if (nest.reducesPositions)
    return writeRows(ops.constant(0));
  Part part = partOfTile();
  bool isFlat = plan.windowSpace->firstRow == 0;
  writeRows(
      isFlat ? ops.mul(part.begin, ops.constant(rowStride))
             : ops.mul(part.position, positionStrideOf(nest.axes.size() - 1)));
  copy(part);
}

WindowLines::Part WindowLines::partOfTile() const {
  IntegerOps ops = plan.ops;
  const LineAxis *vertical = nest.vertical();
  Value one = ops.constant(1);
  Value border = ops.mul(ops.min(one, tile.rows),
                         ops.constant(vertical ? vertical->reach(1) : 1));
  if (plan.windowSpace->firstRow > 0) {
    Value begin = lineOf(window.leading);
    return {begin, begin, ops.add(begin, border), tile.firstRow,
            columnsOf(tile.rows)};
  }
  auto lineOfRow = [&](Value row) {
    SmallVector<Value> digits = splitIndex(ops, row, window.rowExtents);
    return lineOf(ArrayRef(digits).drop_back());
  };
  Value begin = lineOfRow(tile.firstRow);
  Value last =
      ops.add(tile.firstRow, ops.max(ops.constant(0), ops.sub(tile.rows, one)));
  return {begin, begin, ops.add(lineOfRow(last), border), ops.constant(0),
          ops.constant(width)};
}

/// Returns the number of elements of a line that `positions` neighbouring
/// positions read.
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

WindowLines::Part WindowLines::partOfBlock(const KBlock &block) const {
  IntegerOps ops = plan.ops;
  size_t last = nest.nest.size() - 1;
  auto [firstImage, images] = block.ranges.front();
  auto [firstColumn, columns] = block.ranges.back();
  Value one = ops.constant(1);
  Value begin = ops.mul(firstImage, imageLines);
  Value count = ops.mul(ops.sub(images, one), imageLines);
  Value isThere = ops.min(one, images);
  if (const LineAxis *vertical = nest.vertical()) {
    auto [firstLine, lines] = block.ranges[last - 1];
    Value step = ops.constant(vertical->positionStep);
    begin = ops.add(begin, ops.mul(firstLine, step));
    count = ops.add(count, ops.add(ops.mul(ops.sub(lines, one), step),
                                   ops.constant(vertical->reach(1))));
    isThere = ops.min(isThere, lines);
  } else {
    count = images;
  }
  return {begin, begin, ops.add(begin, ops.mul(count, isThere)), firstColumn,
          columnsOf(columns)};
}

/// Restricts a part to the lines that the tile reads. The rows of the tile are
/// taps of the filter here, each with one vertical tap. Lines that no vertical
/// tap of the tile reads are left out.
WindowLines::Part WindowLines::partOfRows(Part part) const {
  IntegerOps ops = plan.ops;
  const LineAxis *vertical = nest.vertical();
  if (!vertical || !nest.planeAxes().empty())
    return part;
  auto tapOf = [&](Value row) {
    return splitIndex(ops, row, window.rowExtents).front();
  };
  Value one = ops.constant(1), step = ops.constant(vertical->tapStep);
  Value last = ops.sub(ops.add(tile.firstRow, ops.max(one, tile.rows)), one);
  Value behind = ops.sub(ops.constant(vertical->taps - 1), tapOf(last));
  part.begin = ops.add(part.begin, ops.mul(tapOf(tile.firstRow), step));
  part.end = ops.sub(part.end, ops.mul(behind, step));
  return part;
}

void WindowLines::copyBlock(const KBlock &block) const {
  if (nest.reducesPositions)
    copy(partOfRows(partOfBlock(block)));
}

/// Returns the range of the elements of a copied line that lie inside the lhs.
WindowLines::Columns WindowLines::columnsInside(const Part &part) const {
  IntegerOps ops = plan.ops;
  const LineAxis &axis = nest.axes.back();
  const WindowTile::Axis &values = window.axes.back();
  Value step = ops.constant(axis.sourceStep), zero = ops.constant(0);
  Value shift = ops.mul(part.position, ops.constant(axis.positionStep));
  Value first = ops.add(ops.mul(shift, step), values.offset);
  auto reaches = [&](Value index) {
    Value distance =
        ops.add(ops.sub(index, first), ops.constant(axis.sourceStep - 1));
    return ops.min(part.columns, ops.max(zero, ops.floorDiv(distance, step)));
  };
  Value begin = reaches(zero);
  return {first, begin, ops.max(begin, reaches(values.extent))};
}

void WindowLines::copy(const Part &part) const {
  copyPlanes(part, columnsInside(part), {});
}

/// Copies the planes of all taps of the axes before the last two. `taps` holds
/// the taps of the axes whose loops are already open.
void WindowLines::copyPlanes(const Part &part, const Columns &columns,
                             ArrayRef<Value> taps) const {
  KernelFrame &frame = plan.frame;
  IntegerOps ops = plan.ops;
  ArrayRef<LineAxis> planes = nest.planeAxes();
  if (taps.size() < planes.size()) {
    buildFor(frame.builder, frame.loc, ops.constant(0),
             ops.constant(planes[taps.size()].taps), 1, [&](Value tap) {
               SmallVector<Value> more(taps);
               more.push_back(tap);
               copyPlanes(part, columns, more);
             });
    return;
  }
  Value plane = ops.constant(0);
  for (auto [number, tap] : llvm::enumerate(taps))
    plane = ops.add(plane, ops.mul(tap, ops.constant(tapStrideOf(number))));
  buildFor(frame.builder, frame.loc, part.begin, part.end, 1, [&](Value line) {
    Value passed = ops.sub(line, part.origin);
    Value target = ops.add(plane, ops.mul(passed, ops.constant(rowStride)));
    copyLine(part, columns, target, line, taps);
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
  for (size_t number = 0; number < taps.size(); ++number)
    extents.push_back(window.axes[number].positions);
  SmallVector<Value> positions = splitIndex(ops, image, extents);
  Value source = positions[0];
  auto add = [&](unsigned number, Value coordinate) {
    const WindowTile::Axis &axis = window.axes[number];
    Value at =
        ops.add(ops.mul(coordinate, ops.constant(nest.axes[number].sourceStep)),
                axis.offset);
    // Compared as unsigned numbers, negative indices are large.
    Value holds = ops.compare(arith::CmpIPredicate::ult, at, axis.extent);
    isInside = isInside ? builder.createOrFold<arith::AndIOp>(plan.frame.loc,
                                                              isInside, holds)
                        : holds;
    source = ops.add(ops.mul(source, axis.extent), at);
  };
  for (auto [number, tap] : llvm::enumerate(taps)) {
    const LineAxis &axis = nest.axes[number];
    add(number,
        ops.add(ops.mul(positions[number + 1], ops.constant(axis.positionStep)),
                ops.mul(tap, ops.constant(axis.tapStep))));
  }
  if (nest.vertical())
    add(nest.axes.size() - 2, ops.rem(line, imageLines));
  return {source, isInside};
}

void WindowLines::copyLine(const Part &part, const Columns &columns,
                           Value target, Value line,
                           ArrayRef<Value> taps) const {
  KernelFrame &frame = plan.frame;
  IntegerOps ops = plan.ops;
  Value channels = ops.constant(nest.channels);
  auto [source, isInside] = sourceOf(line, taps);
  Value zero = ops.constant(0), begin = columns.begin, end = columns.end;
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
  fill(end, part.columns);
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
  auto copy = [&](Value at, Value count) {
    Value step = ops.constant(nest.axes.back().sourceStep);
    Value from = ops.mul(ops.add(first, ops.mul(at, step)), channels);
    copyRow(frame, source, from, memory, ops.add(target, ops.mul(at, channels)),
            ops.mul(count, channels), plan.shape.lanes);
  };
  if (nest.axes.back().sourceStep == 1)
    return copy(begin, ops.sub(end, begin));
  buildFor(frame.builder, frame.loc, begin, end, 1,
           [&](Value at) { copy(at, ops.constant(1)); });
}
