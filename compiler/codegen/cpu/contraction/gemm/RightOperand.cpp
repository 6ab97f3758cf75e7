//===- RightOperand.cpp - panels of columns of a contraction --------------===//
#include "compiler/codegen/cpu/contraction/gemm/RightOperand.h"
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/contraction/gemm/PanelPacking.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tg;
using namespace tg::tuning;

int64_t RightOperand::scratchElements(const ContractionPlan &plan) {
  if (plan.unpack || isPanel(plan))
    return 0;
  const ContractionShape &shape = plan.shape;
  return shape.bands > 1 ? *staticExtent(plan.k) * shape.tileColumns
                         : shape.kBlock * shape.panelColumns;
}

bool RightOperand::isPanel(const ContractionPlan &plan) {
  if (plan.unpack || plan.nest)
    return false;
  const ContractionTensor &rhs = plan.contraction.rhs;
  auto strideOf = [&](unsigned dimension) {
    return staticExtent(rhs.strideOf(dimension));
  };
  return staticExtent(plan.n) == plan.shape.panelColumns &&
         strideOf(plan.space.getReducedDimension()) ==
             plan.shape.panelColumns &&
         strideOf(plan.space.getColumnDimension()) == 1;
}

/// Returns the memory of the panels: the packed operand, or scratch memory.
static Elements panelMemory(const ContractionPlan &plan, Value scratch) {
  if (!plan.unpack)
    return {scratch, plan.type};
  return plan.frame.argument(
      cast<BlockArgument>(tgx::UnpackOp(plan.unpack).getInput()));
}

RightOperand::RightOperand(const ContractionPlan &plan,
                           const ContractionTile &tile, Value scratch)
    : plan(plan), tile(tile), memory(panelMemory(plan, scratch)) {}

Matrix RightOperand::packedPanel(Value column, Value row) const {
  IntegerOps ops = plan.ops;
  Value width = ops.constant(plan.shape.panelColumns);
  Value panelIndex = ops.div(ops.add(tile.firstColumn, column), width);
  Value first = ops.add(ops.mul(panelIndex, tile.kExtent), row);
  return {memory, ops.mul(first, width), width, ops.constant(1)};
}

/// Returns true if the operand is contiguous along the reduced dimension rather
/// than along the columns.
bool RightOperand::isTransposed(unsigned reducedDimension) const {
  const ContractionTensor &rhs = plan.contraction.rhs;
  return rhs.axisOf(plan.space.getColumnDimension()) <
         rhs.axisOf(reducedDimension);
}

/// Returns true if the next panel is worth a prefetch: its rows are contiguous
/// rows of memory. The rows of a filter are contiguous as well, but they stay
/// in the caches.
bool RightOperand::canPrefetch() const {
  if (plan.unpack)
    return true;
  if (plan.shape.bands > 1)
    return false;
  if (plan.nest)
    return plan.nest->reducesPositions;
  return !isTransposed(plan.space.getReducedDimension());
}

/// Returns the part of the operand that begins at step `begin` of K and at
/// column `column` of the tile.
Matrix RightOperand::sourceOf(Value column, Value begin) const {
  if (plan.unpack)
    return packedPanel(column, begin);
  IntegerOps ops = plan.ops;
  const ContractionTensor &rhs = plan.contraction.rhs;
  unsigned columns = plan.space.getColumnDimension();
  Matrix matrix;
  if (plan.nest)
    matrix = {
        plan.frame.argument(cast<BlockArgument>(rhs.value)), ops.constant(0),
        plan.frame.extent(rhs.strideOf(plan.nest->nest.back().innermost())),
        plan.frame.extent(rhs.strideOf(columns))};
  else
    matrix =
        matrixOf(plan, tile, rhs, plan.space.getReducedDimension(), columns);
  Value first = ops.mul(ops.add(tile.firstColumn, column), matrix.columnStride);
  matrix.base =
      ops.add(ops.add(matrix.base, first), ops.mul(begin, matrix.rowStride));
  return matrix;
}

/// Returns the copy of a panel from step `begin` of K on, in a tile of several
/// bands. The copies of the panels follow each other, each with all steps.
Matrix RightOperand::bandPanel(Value column, Value begin) const {
  IntegerOps ops = plan.ops;
  Value width = ops.constant(plan.shape.panelColumns);
  return {memory, ops.add(ops.mul(column, tile.kExtent), ops.mul(begin, width)),
          width, ops.constant(1)};
}

void RightOperand::copy() const {
  if (plan.shape.bands == 1 || isPanel(plan))
    return;
  Value zero = plan.ops.constant(0);
  buildFor(plan.frame.builder, plan.frame.loc, zero, tile.columns,
           plan.shape.panelColumns, [&](Value column) {
             copyColumns(column, zero, tile.kExtent, bandPanel(column, zero));
           });
}

Matrix RightOperand::copyPanel(Value column, const KBlock &block) const {
  IntegerOps ops = plan.ops;
  Matrix copied{memory, ops.constant(0), ops.constant(plan.shape.panelColumns),
                ops.constant(1)};
  if (plan.nest)
    copyWindows(column, block);
  else
    copyColumns(column, block.begin, block.k.size, copied);
  return copied;
}

/// Copies a panel to `target`: `size` steps of K from step `begin` on, for the
/// columns from `column` of the tile on.
void RightOperand::copyColumns(Value column, Value begin, Value size,
                               const Matrix &target) const {
  IntegerOps ops = plan.ops;
  KernelFrame &frame = plan.frame;
  Matrix matrix = sourceOf(column, begin);
  int64_t width = plan.shape.panelColumns;
  Value from = ops.add(tile.firstColumn, column);
  PanelSource source{
      matrix.elements,
      matrix.base,
      ops.constant(0),
      matrix.rowStride,
      matrix.columnStride,
      ops.min(ops.constant(width), ops.sub(tile.columnCount, from))};
  Elements destination{addressOf(frame.builder, frame.loc, memory, target.base),
                       memory.elementType};
  packPanel(frame, source, destination, size, width, plan.shape.lanes,
            isTransposed(plan.space.getReducedDimension()));
}

/// Returns the stride of the operand along a dimension. The unit is an element
/// or, if the operand is packed ahead, a row of its panels. The rows of a panel
/// run over all axes but the columns, in the order of the operand.
Value RightOperand::strideOf(unsigned dimension) const {
  const ContractionTensor &rhs = plan.contraction.rhs;
  AffineExpr stride = rhs.strideOf(dimension);
  if (plan.unpack && !isTransposed(dimension))
    stride = stride.floorDiv(plan.n);
  return plan.frame.extent(stride);
}

/// Returns the order in which a block visits the rhs along a dimension of the
/// nest. Taps may be visited in steps of more than one (WindowTile::Axis).
RightOperand::Traversal
RightOperand::traversalOf(unsigned nestDimension) const {
  IntegerOps ops = plan.ops;
  const WindowNest &nest = *plan.nest;
  unsigned dimension = nest.nest[nestDimension].innermost();
  Value stride = strideOf(dimension);
  for (auto [axis, values] : llvm::zip_equal(nest.axes, tile.window->axes)) {
    if (axis.window.tap != dimension || !axis.reversed)
      continue;
    return {ops.mul(values.firstTap, stride),
            ops.mul(ops.constant(values.tapStride), stride)};
  }
  return {ops.constant(0), stride};
}

/// Returns the offset in the rhs of the first step of a block of a nest, in the
/// units of strideOf().
Value RightOperand::firstOffset(const KBlock &block) const {
  IntegerOps ops = plan.ops;
  Value first = ops.constant(0);
  for (auto [nestDimension, range] : llvm::enumerate(block.ranges)) {
    auto [begin, distance] = traversalOf(nestDimension);
    first = ops.add(first, ops.add(begin, ops.mul(range.begin, distance)));
  }
  return first;
}

/// Returns the first row of the packed panels that a block reads.
Value RightOperand::firstRow(const KBlock &block) const {
  return plan.nest ? firstOffset(block) : block.begin;
}

/// Returns the first row that the next block reads. In a nest, assumes that the
/// next block follows this one along the dimension that blocks divide.
Value RightOperand::nextFirstRow(const KBlock &block) const {
  if (!plan.unpack || !plan.nest)
    return block.next;
  IntegerOps ops = plan.ops;
  unsigned splitDimension = plan.nest->splitDimension;
  Value passed = ops.mul(block.ranges[splitDimension].size,
                         traversalOf(splitDimension).distance);
  return ops.add(firstRow(block), passed);
}

void RightOperand::setRows(KExtent &k) const {
  if (!plan.unpack)
    return;
  for (auto [nestDimension, level] : llvm::enumerate(k.levels))
    level.rows =
        traversalOf(plan.nest->splitDimension + nestDimension).distance;
}

/// Copies the panel at `column` of the tile for a block of a nest.
void RightOperand::copyWindows(Value column, const KBlock &block) const {
  IntegerOps ops = plan.ops;
  const ContractionTensor &rhs = plan.contraction.rhs;
  Value stride = strideOf(plan.space.getColumnDimension());
  Value from = ops.add(tile.firstColumn, column);
  PanelSource source{plan.frame.argument(cast<BlockArgument>(rhs.value)),
                     firstOffset(block),
                     ops.mul(from, stride),
                     traversalOf(block.ranges.size() - 1).distance,
                     stride,
                     ops.min(ops.constant(plan.shape.panelColumns),
                             ops.sub(tile.columnCount, from))};
  copyRange(block, source, ops.constant(0), plan.nest->splitDimension);
}

/// Copies a part of a block to the panel, from element `target` on: all steps
/// of the dimensions from `nestDimension` on, for one step of the outer ones.
void RightOperand::copyRange(const KBlock &block, const PanelSource &source,
                             Value target, unsigned nestDimension) const {
  IntegerOps ops = plan.ops;
  KernelFrame &frame = plan.frame;
  int64_t width = plan.shape.panelColumns;
  if (nestDimension + 1 == block.ranges.size()) {
    Elements destination{addressOf(frame.builder, frame.loc, memory, target),
                         memory.elementType};
    unsigned innermost = plan.nest->nest[nestDimension].innermost();
    // The size is 0 if a dimension outside of the block is empty.
    packPanel(frame, source, destination, block.k.size, width, plan.shape.lanes,
              isTransposed(innermost));
    return;
  }
  Value steps = ops.constant(1);
  for (const KRange &range :
       ArrayRef(block.ranges).drop_front(nestDimension + 1))
    steps = ops.mul(steps, range.size);
  Value distance = traversalOf(nestDimension).distance;
  buildFor(frame.builder, frame.loc, ops.constant(0),
           block.ranges[nestDimension].size, 1, [&](Value step) {
             PanelSource inner = source;
             inner.first = ops.add(inner.first, ops.mul(step, distance));
             Value passed = ops.mul(ops.mul(step, steps), ops.constant(width));
             copyRange(block, inner, ops.add(target, passed),
                       nestDimension + 1);
           });
}

/// The next panel is the panel to the right or, after the last panel, the first
/// panel of the tile in the next K-block.
Panel RightOperand::panel(Value column, const KBlock &block) const {
  Panel panel;
  if (plan.unpack && plan.nest)
    panel.matrix = packedPanel(column, firstOffset(block));
  else if (plan.unpack || isPanel(plan))
    panel.matrix = sourceOf(column, block.begin);
  else if (plan.shape.bands > 1)
    panel.matrix = bandPanel(column, block.begin);
  else
    panel.matrix = copyPanel(column, block);
  if (!canPrefetch())
    return panel;
  IntegerOps ops = plan.ops;
  const ContractionShape &shape = plan.shape;
  Value one = ops.constant(1);
  Value width = ops.constant(shape.panelColumns);
  Value isInner =
      ops.min(one, ops.div(ops.sub(ops.sub(tile.columns, column), one), width));
  Value begin = plan.unpack ? firstRow(block) : block.begin;
  panel.next = sourceOf(ops.constant(0), nextFirstRow(block));
  Value rightPanel = sourceOf(ops.add(column, width), begin).base;
  Value nextBlock = panel.next.base;
  panel.next.base =
      ops.add(nextBlock, ops.mul(isInner, ops.sub(rightPanel, nextBlock)));
  Value rowTiles =
      ops.max(one, ops.div(tile.fullRows, ops.constant(shape.rows)));
  Value tileCount = ops.mul(
      rowTiles, ops.constant(shape.panelColumns / shape.registerColumns()));
  auto inRegister = [&](Value value) {
    return keepInRegister(plan.frame.builder, plan.frame.loc, value);
  };
  panel.prefetchPerTile =
      inRegister(ops.div(ops.mul(block.k.total(ops), width), tileCount));
  panel.prefetchPerStep = inRegister(ops.ceilDiv(width, tileCount));
  return panel;
}

Value RightOperand::firstPrefetch(const Panel &panel, Value row,
                                  Value column) const {
  if (!panel.next.base)
    return {};
  IntegerOps ops = plan.ops;
  const ContractionShape &shape = plan.shape;
  Value rowTiles = ops.div(tile.fullRows, ops.constant(shape.rows));
  Value tileIndex =
      ops.add(ops.div(row, ops.constant(shape.rows)),
              ops.mul(ops.div(column, ops.constant(shape.registerColumns())),
                      rowTiles));
  return ops.mul(tileIndex, panel.prefetchPerTile);
}

void RightOperand::prefetch(const Panel &panel, Value offset, Value k) const {
  OpBuilder &builder = plan.frame.builder;
  IntegerOps ops = plan.ops;
  int64_t width = plan.shape.panelColumns;
  for (int64_t step = 0; step < kUnrolledSteps;
       step += kUnrolledSteps / kIterationPrefetches) {
    Value reached = ops.add(k, ops.constant(step));
    Value element = ops.add(offset, ops.mul(reached, panel.prefetchPerStep));
    // The rows of a packed panel follow each other without gaps.
    Value rowBegin =
        plan.unpack ? ops.constant(0) : ops.roundDown(element, width);
    Value shift =
        ops.mul(ops.div(rowBegin, ops.constant(width)), panel.next.rowStride);
    Value elementOffset =
        ops.add(ops.add(panel.next.base, shift), ops.sub(element, rowBegin));
    prefetchElement(builder, plan.frame.loc, panel.next.elements,
                    elementOffset);
  }
}
