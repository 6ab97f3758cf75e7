//===- CumsumKernel.cpp - prefix sums along an axis -----------------------===//
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/custom/CustomKernel.h"
#include "compiler/codegen/cpu/elementwise/TileGrid.h"
#include "compiler/codegen/cpu/elementwise/VectorLoop.h"
#include "compiler/codegen/kernel/math/FloatOps.h"
#include "dialects/tg/elements/ElementBuilder.h"
#include "dialects/tg/ops/structured/ReductionOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tg;

namespace {

/// Emits prefix sums in steps along the axis, which have as many elements as
/// the order of the sum has lanes. Carried floating-point sums have type f64.
/// If a step has several elements, these are contiguous. They are summed in a
/// register before the carried sum is added: the dependency chain from step to
/// step is a single addition. Otherwise the lanes of a vector are neighbouring
/// elements along the dimensions after the axis.
class CumsumEmitter {
public:
  CumsumEmitter(KernelFrame &frame, CumsumOp op);

  LogicalResult emit();

private:
  TileGrid grid(EntryExtents &entry);
  void emitRow(Value row);
  void addPartialStep(Value begin, Value end, Value carried);
  Value addStep(Value begin, Value carried);
  Value sumWithin(Value values, unsigned width);
  Value shift(Value values, unsigned width, unsigned distance);
  void emitColumns(const TileGrid::Box &box);
  void emitColumnChunk(Value outer, Value begin, Value end);
  void addLanes(Value offset, Value column, unsigned width);

  /// Reads elements of the input, and writes elements of the result, at a
  /// row-major offset.
  Value read(Value offset, unsigned width);
  Value loadArgument(Value offset, unsigned width);
  Value computeElement(Value offset);
  void write(Value offset, Value value, unsigned width);
  Value add(Value lhs, Value rhs);
  /// Converts from the element type to the type of sums, and back.
  Value extend(Value value);
  Value truncate(Value sum);

  KernelFrame &frame;
  CumsumOp op;
  OpBuilder &builder;
  Location loc;
  IntegerOps ops;
  ElementEmitter elements;
  Elements memory;
  /// The types of elements and of sums in registers.
  Type elementType, sumType;
  /// The number of elements of a step, and of lanes along the dimensions after
  /// the axis.
  unsigned stepSize, lanes;
  /// The number of elements before the axis, along it, and after it.
  AffineExpr outerCount, count, innerCount;
  Value extent, inner;
  /// The offset of the last element of the row.
  Value lastOffset;
  /// The carried sums of a chunk of columns.
  Elements sums;
};

} // namespace

CumsumEmitter::CumsumEmitter(KernelFrame &frame, CumsumOp op)
    : frame(frame), op(op), builder(frame.builder), loc(frame.loc),
      ops(frame.integers()), elements(frame),
      memory(resultMemory(frame, op.getResult())),
      stepSize(orderOf(op).getLanes()),
      lanes(chooseLanes(frame.kernel, frame.target)) {
  ArrayRef<AffineExpr> extents = frame.extentsOf(op.getInput());
  int64_t axis = op.getAxis();
  outerCount = productOf(extents.take_front(axis), op->getContext());
  count = extents[axis];
  innerCount = productOf(extents.drop_front(axis + 1), op->getContext());
  extent = frame.extent(count);
  inner = frame.extent(innerCount);
  elementType = getElementTypeOrSelf(op.getInput());
  if (auto integer = dyn_cast<IntegerType>(elementType))
    elementType = builder.getIntegerType(integer.getWidth());
  sumType = isa<FloatType>(elementType) ? builder.getF64Type() : elementType;
}

//===----------------------------------------------------------------------===//
// Elements and sums
//===----------------------------------------------------------------------===//

/// Loads elements of an argument. The offset is passed as the index of the last
/// dimension. It may exceed the extent, because memory is row-major.
Value CumsumEmitter::loadArgument(Value offset, unsigned width) {
  int64_t rank = op.getInput().getType().getRank();
  Position position{SmallVector<Value>(rank, ops.constant(0)),
                    SmallVector<int64_t>(rank, 0)};
  position.index.back() = offset;
  position.laneStep.back() = width > 1;
  return elements.elementOrZero(op.getInput(), position, width);
}

/// Computes an element that is not in memory, for example of iota, from its
/// indices.
Value CumsumEmitter::computeElement(Value offset) {
  ArrayRef<AffineExpr> extents = frame.extentsOf(op.getInput());
  Position position{SmallVector<Value>(extents.size()),
                    SmallVector<int64_t>(extents.size(), 0)};
  for (size_t axis = extents.size(); axis-- > 0;) {
    Value axisExtent = frame.extent(extents[axis]);
    position.index[axis] = axis ? ops.rem(offset, axisExtent) : offset;
    if (axis)
      offset = ops.div(offset, axisExtent);
  }
  return elements.elementOrZero(op.getInput(), position, /*lanes=*/1);
}

Value CumsumEmitter::read(Value offset, unsigned width) {
  if (isa<BlockArgument>(op.getInput()))
    return loadArgument(offset, width);
  SmallVector<Value> values;
  for (unsigned lane = 0; lane < width; ++lane) {
    Value element = ops.add(offset, ops.constant(lane));
    // Along columns, inactive lanes compute elements that nothing uses.
    if (elements.mask && lastOffset)
      element = ops.min(element, lastOffset);
    values.push_back(computeElement(element));
  }
  if (width == 1)
    return values[0];
  auto type = VectorType::get({int64_t(width)}, values[0].getType());
  return vector::FromElementsOp::create(builder, loc, type, values);
}

void CumsumEmitter::write(Value offset, Value value, unsigned width) {
  storeElements(builder, loc, memory, offset, value, {width, elements.mask});
}

Value CumsumEmitter::add(Value lhs, Value rhs) {
  if (isa<FloatType>(sumType))
    return arith::AddFOp::create(builder, loc, lhs, rhs);
  return arith::AddIOp::create(builder, loc, lhs, rhs);
}

Value CumsumEmitter::extend(Value value) {
  if (elementType == sumType)
    return value;
  Type type = likeShape(sumType, value.getType());
  return arith::ExtFOp::create(builder, loc, type, value);
}

Value CumsumEmitter::truncate(Value sum) {
  if (elementType == sumType)
    return sum;
  Type type = likeShape(elementType, sum.getType());
  return arith::TruncFOp::create(builder, loc, type, sum);
}

//===----------------------------------------------------------------------===//
// Along rows
//===----------------------------------------------------------------------===//

/// Moves each lane by `distance` in the direction of summation, and fills the
/// vacated lanes with zeros.
Value CumsumEmitter::shift(Value values, unsigned width, unsigned distance) {
  SmallVector<int64_t> from;
  for (int64_t lane = 0; lane < width; ++lane) {
    int64_t source = op.getReverse() ? lane + distance : lane - distance;
    from.push_back(source >= 0 && source < width ? source : width);
  }
  Value zeros = arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(values.getType()));
  return vector::ShuffleOp::create(builder, loc, values, zeros, from);
}

/// Returns the prefix sums of a vector, computed by shifts of 1, 2, 4, ...
/// lanes.
Value CumsumEmitter::sumWithin(Value values, unsigned width) {
  for (unsigned distance = 1; distance < width; distance *= 2)
    values = add(values, shift(values, width, distance));
  return values;
}

/// Writes the prefix sums of a step from `begin` on, of its active lanes if the
/// emitter has a mask. `carried` is the sum of all elements before them.
/// Returns the sum up to the last of them.
Value CumsumEmitter::addStep(Value begin, Value carried) {
  Value x = read(begin, stepSize);
  if (stepSize == 1) {
    Value next = add(carried, extend(x));
    write(begin, truncate(op.getExclusive() ? carried : next), stepSize);
    return next;
  }
  if (elements.mask) {
    Value zeros = arith::ConstantOp::create(builder, loc,
                                            builder.getZeroAttr(x.getType()));
    x = arith::SelectOp::create(builder, loc, elements.mask, x, zeros);
  }
  Value within = sumWithin(x, stepSize);
  int64_t last = op.getReverse() ? 0 : stepSize - 1;
  Value total = vector::ExtractOp::create(builder, loc, within, last);
  if (op.getExclusive())
    within = shift(within, stepSize, 1);
  Value preceding = splatTo(builder, loc, truncate(carried), stepSize);
  write(begin, add(within, preceding), stepSize);
  return add(carried, extend(total));
}

/// Writes the prefix sums of the last elements [begin, end), fewer than a step
/// has. The missing elements count as zeros.
void CumsumEmitter::addPartialStep(Value begin, Value end, Value carried) {
  elements.mask = buildMask(builder, loc, begin, end, stepSize);
  addStep(begin, carried);
  elements.mask = {};
}

/// Emits the sums of a row: whole steps, then a partial one.
void CumsumEmitter::emitRow(Value row) {
  Value base = ops.mul(row, extent), zero = ops.constant(0);
  Value step = ops.constant(stepSize);
  lastOffset = ops.sub(ops.add(base, extent), ops.constant(1));
  SmallVector<Value> carried = {
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(sumType))};
  Value whole = ops.roundDown(extent, stepSize);
  carried =
      emitCarryLoop(frame, zero, whole, stepSize, carried,
                    [&](Value index, ValueRange sums) -> SmallVector<Value> {
                      Value first = op.getReverse()
                                        ? ops.sub(ops.sub(extent, step), index)
                                        : index;
                      return {addStep(ops.add(base, first), sums[0])};
                    });
  Value rest = ops.sub(extent, whole);
  Value begin = ops.add(base, op.getReverse() ? zero : whole);
  emitCarryLoop(frame, zero, rest, stepSize, {},
                [&](Value, ValueRange) -> SmallVector<Value> {
                  addPartialStep(begin, ops.add(begin, rest), carried[0]);
                  return {};
                });
}

//===----------------------------------------------------------------------===//
// Along columns
//===----------------------------------------------------------------------===//

/// Adds the elements of a row to the sums of their columns.
void CumsumEmitter::addLanes(Value offset, Value column, unsigned width) {
  Lanes active{width, elements.mask};
  Value elementOffset = ops.add(offset, column);
  Value preceding = loadElements(builder, loc, sums, column, active);
  Value next = add(preceding, extend(read(elementOffset, width)));
  storeElements(builder, loc, sums, column, next, active);
  write(elementOffset, truncate(op.getExclusive() ? preceding : next), width);
}

/// Emits the sums of the columns [begin, end), row by row.
void CumsumEmitter::emitColumnChunk(Value outer, Value begin, Value end) {
  Value zero = ops.constant(0);
  Value width = ops.sub(end, begin);
  auto perVector = [&](function_ref<void(Value, unsigned)> step) {
    // The steps cannot fail.
    (void)emitVectorLoop(elements, zero, width, lanes, /*unroll=*/1,
                         [&](Value column, unsigned lanes, unsigned) {
                           step(column, lanes);
                           return success();
                         });
  };
  perVector([&](Value column, unsigned lanes) {
    Type type = lanes == 1 ? sumType : VectorType::get(lanes, sumType);
    Value zeros =
        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
    storeElements(builder, loc, sums, column, zeros, {lanes, elements.mask});
  });
  buildFor(builder, loc, zero, extent, 1, [&](Value index) {
    if (op.getReverse())
      index = ops.sub(ops.sub(extent, ops.constant(1)), index);
    Value row = ops.add(ops.mul(outer, extent), index);
    Value offset = ops.add(ops.mul(row, inner), begin);
    perVector(
        [&](Value column, unsigned lanes) { addLanes(offset, column, lanes); });
  });
}

void CumsumEmitter::emitColumns(const TileGrid::Box &box) {
  sums = {
      frame.takeScratch({getAffineConstantExpr(
          tuning::kTileColumns * elementBytes(sumType), op->getContext())})[0],
      sumType};
  Value step = ops.constant(tuning::kTileColumns);
  buildFor(builder, loc, box.rowBegin, box.rowEnd, 1, [&](Value outer) {
    buildFor(builder, loc, box.columnBegin, box.columnEnd, tuning::kTileColumns,
             [&](Value begin) {
               Value end = ops.min(box.columnEnd, ops.add(begin, step));
               emitColumnChunk(outer, begin, end);
             });
  });
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// Returns the tiles. If the axis is innermost, a tile has whole rows along it.
/// Otherwise a tile has a range of the columns after the axis.
TileGrid CumsumEmitter::grid(EntryExtents &entry) {
  IntegerOps integers = entry.integers();
  Value tileElements = integers.constant(tuning::kLoopTileElements);
  Value length = entry.get(count);
  if (staticExtent(innerCount) == 1)
    return TileGrid(integers, entry.get(outerCount), length, tileElements,
                    /*wholeRows=*/true);
  Value columns = integers.max(
      integers.constant(tuning::kTileColumns),
      integers.div(tileElements, integers.max(length, integers.constant(1))));
  return TileGrid(integers, entry.get(outerCount), entry.get(innerCount),
                  columns);
}

LogicalResult CumsumEmitter::emit() {
  frame.setTiles([&](EntryExtents &entry) { return grid(entry).getCount(); });
  TileGrid::Box box = grid(frame.entry).box(ops, frame.tile);
  if (staticExtent(innerCount) == 1)
    buildFor(builder, loc, box.rowBegin, box.rowEnd, 1,
             [&](Value row) { emitRow(row); });
  else
    emitColumns(box);
  return failure(elements.hasFailed());
}

namespace {
struct CumsumKernel
    : CustomKernelOpInterface::ExternalModel<CumsumKernel, CumsumOp> {
  LogicalResult emitCustomKernel(Operation *op, KernelFrame &frame) const {
    return CumsumEmitter(frame, cast<CumsumOp>(op)).emit();
  }
};
} // namespace

void tg::attachCumsumKernel(MLIRContext *context) {
  CumsumOp::attachInterface<CumsumKernel>(*context);
}
