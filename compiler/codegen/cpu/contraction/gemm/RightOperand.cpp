//===- RightOperand.cpp - panels of columns of a contraction --------------===//
#include "compiler/codegen/cpu/contraction/gemm/RightOperand.h"
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/contraction/gemm/PanelPacking.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tg;
using namespace tg::tuning;

int64_t RightOperand::scratchElements(const ContractionPlan &plan) {
  if (plan.packed || isPanel(plan))
    return 0;
  const ContractionShape &shape = plan.shape;
  return shape.bands > 1 ? *staticExtent(plan.k) * shape.tileColumns
                         : shape.kBlock * shape.panelColumns;
}

bool RightOperand::isPanel(const ContractionPlan &plan) {
  if (plan.packed || plan.nest)
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
  if (!plan.packed)
    return {scratch, plan.type};
  return plan.frame.argument(
      cast<BlockArgument>(tgx::UnpackOp(plan.packed).getInput()));
}

RightOperand::RightOperand(const ContractionPlan &plan,
                           const ContractionTile &tile, Value scratch)
    : plan(plan), tile(tile), memory(panelMemory(plan, scratch)) {}

Matrix RightOperand::packedPanel(Value column, Value row) const {
  IntegerOps ops = plan.ops;
  Value width = ops.constant(plan.shape.panelColumns);
  Value number = ops.div(ops.add(tile.firstColumn, column), width);
  Value first = ops.add(ops.mul(number, tile.kExtent), row);
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
  if (plan.packed)
    return true;
  if (plan.shape.bands > 1)
    return false;
  if (plan.nest)
    return plan.nest->reducesPositions;
  return !isTransposed(plan.space.getReducedDimension());
}

/// Returns the operand's columns from `column` of the tile and step `begin` on.
Matrix RightOperand::sourceOf(Value column, Value begin) const {
  if (plan.packed)
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
  Value first = ops.mul(ops.add(tile.firstColumn, column), matrix.column);
  matrix.base =
      ops.add(ops.add(matrix.base, first), ops.mul(begin, matrix.row));
  return matrix;
}

/// Returns the copy of a panel in a tile of several bands. The copies follow
/// each other, each with all K steps.
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

/// Copies `size` steps from `begin` on of the panel at `column` of the tile.
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
      matrix.row,
      matrix.column,
      ops.min(ops.constant(width), ops.sub(tile.columnCount, from))};
  Elements place{addressOf(frame.builder, frame.loc, memory, target.base),
                 memory.elementType};
  packPanel(frame, source, place, size, width, plan.shape.lanes,
            isTransposed(plan.space.getReducedDimension()));
}

/// Returns the stride of the operand along a dimension. The unit is an element
/// or, if the operand is packed ahead, a row of its panels, which hold the
/// other axes in order.
Value RightOperand::strideOf(unsigned dimension) const {
  const ContractionTensor &rhs = plan.contraction.rhs;
  AffineExpr stride = rhs.strideOf(dimension);
  if (plan.packed && !isTransposed(dimension))
    stride = stride.floorDiv(plan.n);
  return plan.frame.extent(stride);
}

/// Returns the offset of the first step of a dimension of the nest in the rhs,
/// and the distance to the next step. Taps may be visited in descending order
/// and in steps of more than one (WindowTile::Axis).
KRange RightOperand::walk(unsigned number) const {
  IntegerOps ops = plan.ops;
  const WindowNest &nest = *plan.nest;
  unsigned dimension = nest.nest[number].innermost();
  Value stride = strideOf(dimension);
  for (auto [axis, values] : llvm::zip_equal(nest.axes, tile.window->axes)) {
    if (axis.window.tap != dimension || !axis.reversed)
      continue;
    Value step = ops.constant(values.tapStride);
    Value last = ops.add(values.firstTap,
                         ops.mul(ops.sub(values.taps, ops.constant(1)), step));
    return {ops.mul(last, stride),
            ops.mul(ops.sub(ops.constant(0), step), stride)};
  }
  return {ops.constant(0), stride};
}

/// Returns the offset of the first step of a block of a nest.
Value RightOperand::firstOf(const KBlock &block) const {
  IntegerOps ops = plan.ops;
  Value first = ops.constant(0);
  for (auto [number, range] : llvm::enumerate(block.ranges)) {
    auto [begin, distance] = walk(number);
    first = ops.add(first, ops.add(begin, ops.mul(range.begin, distance)));
  }
  return first;
}

/// Returns the lowest row of the packed panels that a block reads, since taps
/// may descend.
Value RightOperand::lowestOf(const KBlock &block) const {
  if (!plan.nest)
    return block.begin;
  IntegerOps ops = plan.ops;
  Value row = firstOf(block), zero = ops.constant(0);
  for (unsigned number = plan.nest->cut; number < block.ranges.size();
       ++number) {
    Value last = ops.sub(block.ranges[number].size, ops.constant(1));
    row = ops.add(row, ops.min(zero, ops.mul(last, walk(number).size)));
  }
  return row;
}

/// Returns the lowest row that the next block reads, if it continues along the
/// dimension that is divided.
Value RightOperand::nextOf(const KBlock &block) const {
  if (!plan.packed || !plan.nest)
    return block.next;
  IntegerOps ops = plan.ops;
  unsigned cut = plan.nest->cut;
  Value passed = ops.mul(block.ranges[cut].size, walk(cut).size);
  return ops.add(lowestOf(block), passed);
}

void RightOperand::setRows(KExtent &k) const {
  if (!plan.packed)
    return;
  for (auto [number, level] : llvm::enumerate(k.levels))
    level.rows = walk(plan.nest->cut + number).size;
}

/// Copies the columns of a block of a nest, one dimension after the other.
void RightOperand::copyWindows(Value column, const KBlock &block) const {
  IntegerOps ops = plan.ops;
  const ContractionTensor &rhs = plan.contraction.rhs;
  Value stride = strideOf(plan.space.getColumnDimension());
  Value from = ops.add(tile.firstColumn, column);
  PanelSource source{plan.frame.argument(cast<BlockArgument>(rhs.value)),
                     firstOf(block),
                     ops.mul(from, stride),
                     walk(block.ranges.size() - 1).size,
                     stride,
                     ops.min(ops.constant(plan.shape.panelColumns),
                             ops.sub(tile.columnCount, from))};
  copyRange(block, source, ops.constant(0), plan.nest->cut);
}

/// Copies all steps of the dimensions from `number` on, for one step of the
/// dimensions before it, to the panel from element `target` on.
void RightOperand::copyRange(const KBlock &block, const PanelSource &source,
                             Value target, unsigned number) const {
  IntegerOps ops = plan.ops;
  KernelFrame &frame = plan.frame;
  int64_t width = plan.shape.panelColumns;
  if (number + 1 == block.ranges.size()) {
    Elements part{addressOf(frame.builder, frame.loc, memory, target),
                  memory.elementType};
    unsigned innermost = plan.nest->nest[number].innermost();
    // There are no steps if a dimension outside of the block is empty.
    packPanel(frame, source, part, block.k.size, width, plan.shape.lanes,
              isTransposed(innermost));
    return;
  }
  Value steps = ops.constant(1);
  for (const KRange &range : ArrayRef(block.ranges).drop_front(number + 1))
    steps = ops.mul(steps, range.size);
  Value distance = walk(number).size;
  buildFor(frame.builder, frame.loc, ops.constant(0), block.ranges[number].size,
           1, [&](Value at) {
             PanelSource inner = source;
             inner.first = ops.add(inner.first, ops.mul(at, distance));
             Value passed = ops.mul(ops.mul(at, steps), ops.constant(width));
             copyRange(block, inner, ops.add(target, passed), number + 1);
           });
}

/// The next panel is the panel to the right or, after the last panel, the first
/// panel of the tile in the next K-block.
Panel RightOperand::panel(Value column, const KBlock &block) const {
  Panel panel;
  if (plan.packed && plan.nest)
    panel.matrix = packedPanel(column, firstOf(block));
  else if (plan.packed || isPanel(plan))
    panel.matrix = sourceOf(column, block.begin);
  else if (plan.shape.bands > 1)
    panel.matrix = bandPanel(column, block.begin);
  else
    panel.matrix = copyPanel(column, block);
  if (!canPrefetch())
    return panel;
  IntegerOps ops = plan.ops;
  const ContractionShape &shape = plan.shape;
  Value one = ops.constant(1), width = ops.constant(shape.panelColumns);
  Value isInner =
      ops.min(one, ops.div(ops.sub(ops.sub(tile.columns, column), one), width));
  Value begin = plan.packed ? lowestOf(block) : block.begin;
  panel.next = sourceOf(ops.constant(0), nextOf(block));
  Value right = sourceOf(ops.add(column, width), begin).base;
  Value left = panel.next.base;
  panel.next.base = ops.add(left, ops.mul(isInner, ops.sub(right, left)));
  Value groups = ops.max(one, ops.div(tile.fullRows, ops.constant(shape.rows)));
  Value tiles =
      ops.mul(groups, ops.constant(shape.panelColumns / shape.groupColumns()));
  auto keep = [&](Value number) {
    return keepInRegister(plan.frame.builder, plan.frame.loc, number);
  };
  panel.slice = keep(ops.div(ops.mul(block.k.total(ops), width), tiles));
  panel.sliceStep = keep(ops.ceilDiv(width, tiles));
  return panel;
}

Value RightOperand::sliceOf(const Panel &panel, Value row, Value column) const {
  if (!panel.next.base)
    return {};
  IntegerOps ops = plan.ops;
  const ContractionShape &shape = plan.shape;
  Value groups = ops.div(tile.fullRows, ops.constant(shape.rows));
  Value number = ops.add(
      ops.div(row, ops.constant(shape.rows)),
      ops.mul(ops.div(column, ops.constant(shape.groupColumns())), groups));
  return ops.mul(number, panel.slice);
}

void RightOperand::prefetch(const Panel &panel, Value slice, Value k) const {
  OpBuilder &builder = plan.frame.builder;
  IntegerOps ops = plan.ops;
  int64_t width = plan.shape.panelColumns;
  for (int64_t step = 0; step < kRoundSteps;
       step += kRoundSteps / kRoundPrefetches) {
    Value reached = ops.add(k, ops.constant(step));
    Value number = ops.add(slice, ops.mul(reached, panel.sliceStep));
    // The rows of a packed panel are contiguous.
    Value row = plan.packed ? ops.constant(0) : ops.roundDown(number, width);
    Value shift = ops.mul(ops.div(row, ops.constant(width)), panel.next.row);
    Value at = ops.add(ops.add(panel.next.base, shift), ops.sub(number, row));
    prefetchElement(builder, plan.frame.loc, panel.next.elements, at);
  }
}
