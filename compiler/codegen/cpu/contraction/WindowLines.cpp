//===- WindowLines.cpp - an lhs of windows, copied without borders --------===//
#include "compiler/codegen/cpu/contraction/WindowLines.h"
#include "compiler/codegen/cpu/contraction/PanelPacking.h"

using namespace mlir;
using namespace tg;

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// The axis along which lines lie below each other; null for one axis.
static const LineAxis *verticalOf(const WindowNest &nest) {
  return nest.axes.size() < 2 ? nullptr : &nest.axes[nest.axes.size() - 2];
}

/// The axes that planes count.
static ArrayRef<LineAxis> planeAxesOf(const WindowNest &nest) {
  return ArrayRef(nest.axes).drop_back(std::min<size_t>(2, nest.axes.size()));
}

/// Elements of a line of the copy, without channels.
static int64_t widthOf(const ContractionPlan &plan) {
  const WindowNest &nest = *plan.nest;
  const LineAxis &axis = nest.axes.back();
  if (nest.reducesPositions)
    return axis.reach(*nest.stepsOf(nest.nest.size() - 1));
  const WindowSpace &space = *plan.windowSpace;
  bool isFlat = space.firstRow == 0;
  return axis.reach(isFlat ? *staticExtent(space.extents.back())
                           : plan.shape.tileRows);
}

/// Lines that so many neighbouring lines of positions meet, which may lie in
/// several images of `height` lines.
static int64_t countLines(const LineAxis *vertical, int64_t lines,
                          std::optional<int64_t> height) {
  if (!vertical)
    return lines;
  int64_t images = lines;
  if (height && *height > 0)
    images = std::min(lines, (lines + *height - 2) / *height + 1);
  int64_t border = (vertical->taps - 1) * vertical->tapStep + 1;
  return (lines - 1) * vertical->positionStep + border +
         (images - 1) * std::max<int64_t>(0, border - vertical->positionStep);
}

/// Lines of a plane of the copy.
static int64_t linesOf(const ContractionPlan &plan) {
  const WindowNest &nest = *plan.nest;
  const LineAxis *vertical = verticalOf(nest);
  if (nest.reducesPositions) {
    int64_t images = *nest.stepsOf(0);
    return vertical ? images * vertical->reach(*nest.stepsOf(1)) : images;
  }
  if (plan.windowSpace->firstRow > 0)
    return vertical ? vertical->reach(1) : 1;
  // Of the residue that has the fewest positions a tile meets the most lines.
  auto fewest = [&](unsigned fromLast) {
    ArrayRef<AffineExpr> extents = plan.contraction.result.extents;
    size_t axis = extents.size() - 2 - fromLast;
    int64_t divisor = axis > 0 ? nest.axes[axis - 1].window.divisor : 1;
    return staticExtent(extents[axis].floorDiv(divisor));
  };
  int64_t width = std::max<int64_t>(1, *fewest(0));
  int64_t lines = (plan.shape.tileRows + width - 2) / width + 1;
  return countLines(vertical, lines, fewest(1));
}

static int64_t planesOf(const WindowNest &nest) {
  int64_t planes = 1;
  for (const LineAxis &axis : planeAxesOf(nest))
    planes *= axis.taps;
  return planes;
}

int64_t WindowLines::lineElements(const ContractionPlan &plan) {
  return planesOf(*plan.nest) * linesOf(plan) * widthOf(plan) *
         plan.nest->channels;
}

int64_t WindowLines::rowElements(const ContractionPlan &plan) {
  bool hasResidues = plan.windowSpace->residues > 1;
  return plan.shape.tileRows * (hasResidues ? 2 : 1);
}

//===----------------------------------------------------------------------===//
// Strides
//===----------------------------------------------------------------------===//

WindowLines::WindowLines(const ContractionPlan &plan,
                         const ContractionTile &tile, Value lines, Value rows)
    : plan(plan), tile(tile), nest(*plan.nest), window(*tile.window),
      memory{lines, plan.type}, offsets{rows, plan.frame.builder.getI64Type()},
      width(widthOf(plan)), pitch(width * nest.channels),
      planeSize(linesOf(plan) * pitch), imageLines(plan.ops.constant(1)) {
  IntegerOps ops = plan.ops;
  if (const LineAxis *vertical = verticalOf(nest)) {
    const WindowTile::Axis &axis = window.axes[window.axes.size() - 2];
    Value last = ops.sub(axis.positions, ops.constant(1));
    imageLines =
        ops.max(ops.constant(1),
                ops.add(ops.mul(last, ops.constant(vertical->positionStep)),
                        ops.constant(vertical->reach(1))));
  }
}

/// Lines of the copy from one position of the images, or of an axis before the
/// last two, to the next.
Value WindowLines::linesBetween(unsigned axis) const {
  Value lines = imageLines;
  for (size_t later = axis; later + 2 < nest.axes.size(); ++later)
    lines = plan.ops.mul(lines, window.axes[later].positions);
  return lines;
}

/// Elements of the copy from one tap of axis `number` to the next.
int64_t WindowLines::tapStrideOf(unsigned number) const {
  size_t behind = nest.axes.size() - 1 - number;
  const LineAxis &axis = nest.axes[number];
  if (behind == 0)
    return axis.tapStep * nest.channels;
  if (behind == 1)
    return axis.tapStep * pitch;
  int64_t stride = planeSize;
  for (const LineAxis &later : planeAxesOf(nest).drop_front(number + 1))
    stride *= later.taps;
  return stride;
}

Value WindowLines::positionStrideOf(unsigned number) const {
  IntegerOps ops = plan.ops;
  size_t behind = nest.axes.size() - 1 - number;
  const LineAxis &axis = nest.axes[number];
  if (behind == 0)
    return ops.constant(axis.positionStep * nest.channels);
  if (behind == 1)
    return ops.constant(axis.positionStep * pitch);
  return ops.mul(linesBetween(number + 1), ops.constant(pitch));
}

Value WindowLines::strideOf(unsigned dimension) const {
  IntegerOps ops = plan.ops;
  if (dimension == nest.windows.channel)
    return ops.constant(1);
  if (dimension == nest.windows.outer)
    return ops.mul(linesBetween(0), ops.constant(pitch));
  for (auto [number, axis] : llvm::enumerate(nest.axes)) {
    if (axis.window.tap == dimension)
      return ops.constant(tapStrideOf(number));
    if (axis.window.position == dimension)
      return positionStrideOf(number);
  }
  llvm_unreachable("no dimension of the lhs");
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// The line of the copy of all images at which positions begin: those of the
/// images and of all axes but the last.
Value WindowLines::lineOf(ArrayRef<Value> positions) const {
  IntegerOps ops = plan.ops;
  Value line = ops.mul(positions[0], linesBetween(0));
  for (auto [number, position] : llvm::enumerate(positions.drop_front())) {
    bool isVertical = number + 2 == nest.axes.size();
    Value step = isVertical ? ops.constant(nest.axes[number].positionStep)
                            : linesBetween(number + 1);
    line = ops.add(line, ops.mul(position, step));
  }
  return line;
}

/// What a worker looks up for each of its rows, and where the row of the result
/// is.
void WindowLines::writeRows(Value origin) const {
  IntegerOps ops = plan.ops;
  KernelFrame &frame = plan.frame;
  unsigned first = plan.windowSpace->firstRow, count = window.rowExtents.size();
  SmallVector<Value> strides,
      digits = splitIndex(ops, tile.firstRow, window.rowExtents);
  for (unsigned number = 0; number < count; ++number)
    strides.push_back(strideOf(first + number));
  auto write = [&](Value row, ValueRange index) {
    Value offset = ops.sub(ops.constant(0), origin);
    for (auto [digit, stride] : llvm::zip_equal(index, strides))
      offset = ops.add(offset, ops.mul(digit, stride));
    storeElements(frame.builder, frame.loc, offsets, row, offset, {});
    if (plan.windowSpace->residues > 1)
      storeElements(frame.builder, frame.loc, offsets,
                    ops.add(row, ops.constant(plan.shape.tileRows)),
                    resultRowAt(index), {});
    return next(index);
  };
  (void)buildFor(frame.builder, frame.loc, ops.constant(0), tile.rows, 1,
                 digits, write);
}

/// The index behind one of the rows' dimensions.
SmallVector<Value> WindowLines::next(ValueRange index) const {
  IntegerOps ops = plan.ops;
  OpBuilder &builder = plan.frame.builder;
  SmallVector<Value> following(index);
  Value carry = ops.constant(1);
  for (size_t place = index.size(); place-- > 0;) {
    Value moved = ops.add(index[place], carry);
    Value wraps =
        ops.compare(arith::CmpIPredicate::sge, moved, window.rowExtents[place]);
    following[place] = arith::SelectOp::create(builder, plan.frame.loc, wraps,
                                               ops.constant(0), moved);
    carry = arith::ExtUIOp::create(builder, plan.frame.loc,
                                   builder.getI64Type(), wraps);
  }
  return following;
}

/// The row of the result at an index of one residue.
Value WindowLines::resultRowAt(ValueRange index) const {
  IntegerOps ops = plan.ops;
  SmallVector<Value> all(window.leading);
  llvm::append_range(all, index);
  Value row = all[0];
  for (auto [number, axis] : llvm::enumerate(window.axes)) {
    int64_t divisor = nest.axes[number].window.divisor;
    Value position =
        ops.add(ops.mul(all[number + 1], ops.constant(divisor)), axis.residue);
    Value extent =
        plan.frame.extent(plan.contraction.result.extents[number + 1]);
    row = ops.add(ops.mul(row, extent), position);
  }
  return row;
}

Value WindowLines::resultRow(Value row) const {
  IntegerOps ops = plan.ops;
  if (plan.windowSpace->residues > 1)
    return loadElements(plan.frame.builder, plan.frame.loc, offsets,
                        ops.add(row, ops.constant(plan.shape.tileRows)), {});
  return ops.add(ops.mul(tile.matrix, tile.rowCount),
                 ops.add(tile.firstRow, row));
}

LeftRows WindowLines::rows(Value row, unsigned count,
                           const KBlock &block) const {
  IntegerOps ops = plan.ops;
  OpBuilder &builder = plan.frame.builder;
  LeftRows rows{
      {memory, ops.constant(0), {}, strideOf(nest.nest.back().innermost())},
      {}};
  Value start = ops.constant(0);
  if (!nest.reducesPositions)
    for (auto [dimension, range] : llvm::zip(nest.nest, block.ranges))
      start =
          ops.add(start, ops.mul(range.begin, strideOf(dimension.innermost())));
  for (unsigned number = 0; number < count; ++number)
    rows.starts.push_back(
        ops.add(start, loadElements(builder, plan.frame.loc, offsets,
                                    ops.add(row, ops.constant(number)), {})));
  return rows;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

void WindowLines::prepare() const {
  IntegerOps ops = plan.ops;
  if (nest.reducesPositions)
    return writeRows(ops.constant(0));
  Part part = partOfTile();
  bool isFlat = plan.windowSpace->firstRow == 0;
  writeRows(
      isFlat ? ops.mul(part.begin, ops.constant(pitch))
             : ops.mul(part.position, positionStrideOf(nest.axes.size() - 1)));
  copy(part);
}

WindowLines::Part WindowLines::partOfTile() const {
  IntegerOps ops = plan.ops;
  const LineAxis *vertical = verticalOf(nest);
  Value one = ops.constant(1);
  Value border = ops.mul(ops.min(one, tile.rows),
                         ops.constant(vertical ? vertical->reach(1) : 1));
  if (plan.windowSpace->firstRow > 0) {
    Value begin = lineOf(window.leading);
    return {begin, ops.add(begin, border), tile.firstRow, columnsOf(tile.rows)};
  }
  auto lineOfRow = [&](Value row) {
    SmallVector<Value> digits = splitIndex(ops, row, window.rowExtents);
    return lineOf(ArrayRef(digits).drop_back());
  };
  Value begin = lineOfRow(tile.firstRow);
  Value last =
      ops.add(tile.firstRow, ops.max(ops.constant(0), ops.sub(tile.rows, one)));
  return {begin, ops.add(lineOfRow(last), border), ops.constant(0),
          ops.constant(width)};
}

/// The elements of a line that so many positions reach.
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
  if (const LineAxis *vertical = verticalOf(nest)) {
    auto [firstLine, lines] = block.ranges[last - 1];
    Value step = ops.constant(vertical->positionStep);
    begin = ops.add(begin, ops.mul(firstLine, step));
    count = ops.add(count, ops.add(ops.mul(ops.sub(lines, one), step),
                                   ops.constant(vertical->reach(1))));
    isThere = ops.min(isThere, lines);
  } else {
    count = images;
  }
  return {begin, ops.add(begin, ops.mul(count, isThere)), firstColumn,
          columnsOf(columns)};
}

void WindowLines::copyBlock(const KBlock &block) const {
  if (nest.reducesPositions)
    copy(partOfBlock(block));
}

/// Which elements of a line of the copy the lhs has: from the first one's index
/// in the lhs on, in [begin, end).
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

/// The planes of all taps of the axes before the last two, those of `taps`
/// first.
void WindowLines::copyPlanes(const Part &part, const Columns &columns,
                             ArrayRef<Value> taps) const {
  KernelFrame &frame = plan.frame;
  IntegerOps ops = plan.ops;
  ArrayRef<LineAxis> planes = planeAxesOf(nest);
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
    Value target =
        ops.add(plane, ops.mul(ops.sub(line, part.begin), ops.constant(pitch)));
    copyLine(part, columns, target, line, taps);
  });
}

/// Where a line of the copy comes from: which line of the lhs, and whether it
/// has it.
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
    // As unsigned numbers, negative indices are large.
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
  if (verticalOf(nest))
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

/// Elements [begin, end) of a line, of which element 0 would be element `first`
/// of the lhs, without channels.
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
