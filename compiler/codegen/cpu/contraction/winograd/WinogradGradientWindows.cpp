//===- WinogradGradientWindows.cpp - windows of filter gradients ----------===//
#include "compiler/codegen/cpu/contraction/winograd/WinogradGradientWindows.h"
#include "compiler/codegen/cpu/contraction/gemm/ResultReduction.h"
#include "compiler/codegen/cpu/elementwise/VectorLoop.h"

using namespace mlir;
using namespace tg;
using namespace tg::winograd;

/// Returns the first element of block `number` and the size of the block, if
/// `all` elements are divided into blocks of `size`.
static std::pair<Value, Value> partOf(IntegerOps ops, Value number,
                                      int64_t size, int64_t all) {
  Value first = ops.mul(number, ops.constant(size));
  if (all % size == 0)
    return {first, ops.constant(size)};
  return {first,
          ops.min(ops.constant(size), ops.sub(ops.constant(all), first))};
}

GradientBlock::GradientBlock(const WinogradGradientPlan &plan) {
  IntegerOps ops = plan.frame.integers();
  Value blocks = ops.constant(plan.blocks());
  Value alongColumns = ops.constant(plan.columnBlocks);
  slice = ops.div(plan.frame.tile, blocks);
  Value block = ops.rem(plan.frame.tile, blocks);
  std::tie(firstChannel, channelCount) = partOf(
      ops, ops.div(block, alongColumns), plan.blockChannels, plan.channels);
  std::tie(firstColumn, columnCount) = partOf(
      ops, ops.rem(block, alongColumns), plan.shape.panelColumns, plan.columns);
}

GradientWindows::GradientWindows(const WinogradGradientPlan &plan,
                                 const GradientBlock &block,
                                 const WinogradGradientPlan::Scratch &scratch,
                                 const Elements &parts)
    : plan(plan), block(block), frame(plan.frame), builder(frame.builder),
      loc(frame.loc), ops(frame.builder, frame.loc), sums(scratch.sums),
      parts(parts), sliceCount(frame.extent(plan.getSlices())),
      elements(frame) {
  int64_t rowSize = plan.shape.panelColumns;
  group = {scratch.group, ops.constant(0), plan.blockChannels * rowSize,
           rowSize};
  if (plan.hasOneBlock())
    group = {scratch.group, ops.constant(0), rowSize, /*rowSize=*/0};
  total = group;
  total.memory = scratch.total;
  if (!parts.pointer)
    return;
  Value row =
      ops.add(ops.mul(block.slice, ops.constant(kTaps * kTaps * plan.channels)),
              block.firstChannel);
  group = {parts,
           ops.add(ops.mul(row, ops.constant(plan.columns)), block.firstColumn),
           plan.channels * plan.columns, plan.columns};
}

Value GradientWindows::buildZero(const Lanes &lanes) const {
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(plan.type));
  return splatTo(builder, loc, zero, lanes.count);
}

void GradientWindows::add(Value channel, Value isFirst) const {
  Value row = ops.mul(channel, ops.constant(plan.shape.panelColumns));
  Value first = ops.add(group.first, offsetOf(group, channel));
  auto transform = [&](Value column, const Lanes &lanes) {
    SmallVector<Value> products;
    Value source = ops.add(row, column);
    for (int64_t number = 0; number < plan.tile.products(); ++number)
      products.push_back(loadElements(
          builder, loc, sums,
          ops.add(source, ops.constant(number * plan.sumSize())), lanes));
    for (auto [tap, value] :
         llvm::enumerate(plan.tile.transformWindow(builder, loc, products))) {
      Value at = ops.add(first, ops.constant(int64_t(tap) * group.tapSize));
      addTo(group.memory, ops.add(at, column), value, isFirst, lanes);
    }
  };
  forEachColumnVector(transform);
}

/// Adds elements to the elements in memory or, if `isFirst` is true or null, to
/// zeros.
void GradientWindows::addTo(const Elements &memory, Value offset, Value value,
                            Value isFirst, const Lanes &lanes) const {
  Value start = buildZero(lanes);
  if (isFirst)
    start = arith::SelectOp::create(
        builder, loc, isFirst, start,
        loadElements(builder, loc, memory, offset, lanes));
  Value sum = arith::AddFOp::create(builder, loc, start, value);
  storeElements(builder, loc, memory, offset, sum, lanes);
}

void GradientWindows::addGroup(Value isFirst) const {
  Value zero = ops.constant(0);
  Value rows = ops.constant(kTaps * kTaps * plan.blockChannels);
  buildFor(builder, loc, zero, rows, 1, [&](Value row) {
    Value first = ops.mul(row, ops.constant(group.rowSize));
    forEachColumnVector([&](Value column, const Lanes &lanes) {
      Value at = ops.add(first, column);
      addTo(total.memory, at,
            loadElements(builder, loc, group.memory, at, lanes), isFirst,
            lanes);
    });
  });
}

void GradientWindows::store(Value channel) {
  const Windows &windows = plan.hasGroups() ? total : group;
  Value begin = ops.sub(ops.add(windows.first, offsetOf(windows, channel)),
                        block.firstColumn);
  buildFor(builder, loc, ops.constant(0), ops.constant(kTaps * kTaps), 1,
           [&](Value tap) {
             Value first =
                 ops.add(begin, ops.mul(tap, ops.constant(windows.tapSize)));
             elements.provide(
                 plan.contraction.result.value,
                 [&, first](const Position &position, unsigned lanes) {
                   return loadElements(builder, loc, windows.memory,
                                       ops.add(first, position.index.back()),
                                       {lanes, {}});
                 });
             Value row = ops.add(ops.mul(tap, ops.constant(plan.channels)),
                                 ops.add(block.firstChannel, channel));
             storeRow(row, block.firstColumn,
                      ops.add(block.firstColumn, block.columnCount));
           });
}

/// Stores the outputs of columns [begin, end) of a row of the result, seen as a
/// matrix.
void GradientWindows::storeRow(Value row, Value begin, Value end) {
  unsigned lanes = chooseLanes(frame.kernel, frame.target);
  auto numbers =
      llvm::to_vector(llvm::seq<unsigned>(frame.kernel.getOutputs().size()));
  elements.setBarrier(builder.getInsertionBlock());
  auto step = [&](Value at, unsigned count, unsigned) {
    Position position = plan.space.position({}, row, at, count);
    storeOutputs(elements, numbers, count, [&](Value) { return position; });
    return success();
  };
  (void)emitVectorLoop(elements, begin, end, lanes, /*unroll=*/1, step,
                       std::gcd(plan.columns, plan.shape.panelColumns));
}

/// Adds the windows of the slices [begin, end) in order, at an offset in the
/// windows of each slice.
Value GradientWindows::addSlices(Value begin, Value end, Value offset,
                                 const Lanes &lanes) const {
  int64_t size = kTaps * kTaps * plan.channels * plan.columns;
  return buildFor(
      builder, loc, begin, end, 1, buildZero(lanes),
      [&](Value number, ValueRange carried) -> SmallVector<Value> {
        Value at = ops.add(ops.mul(number, ops.constant(size)), offset);
        Value windows = loadElements(builder, loc, parts, at, lanes);
        return {arith::AddFOp::create(builder, loc, carried[0], windows)};
      })[0];
}

/// Adds the windows of all slices: those of each group, and then those of the
/// groups.
Value GradientWindows::addAllSlices(Value offset, const Lanes &lanes) const {
  Value zero = ops.constant(0);
  if (!plan.hasGroups() || *plan.sliceTiles != *plan.sumTiles)
    return addSlices(zero, sliceCount, offset, lanes);
  Value size = ops.constant(*plan.groupBlocks);
  return buildFor(
      builder, loc, zero, sliceCount, *plan.groupBlocks, buildZero(lanes),
      [&](Value begin, ValueRange carried) -> SmallVector<Value> {
        Value end = ops.min(sliceCount, ops.add(begin, size));
        return {arith::AddFOp::create(builder, loc, carried[0],
                                      addSlices(begin, end, offset, lanes))};
      })[0];
}

void GradientWindows::finalize() {
  Value columns = ops.constant(plan.columns);
  int64_t rows = kTaps * kTaps * plan.channels;
  buildFor(
      builder, loc, ops.constant(0), ops.constant(rows), 1, [&](Value row) {
        Value first = ops.mul(row, columns);
        elements.provide(plan.contraction.result.value,
                         [&, first](const Position &position, unsigned lanes) {
                           return addAllSlices(
                               ops.add(first, position.index.back()),
                               {lanes, lanes > 1 ? elements.mask : Value()});
                         });
        storeRow(row, ops.constant(0), columns);
      });
}
