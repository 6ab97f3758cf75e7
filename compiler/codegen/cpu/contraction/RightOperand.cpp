//===- RightOperand.cpp - panels of columns of a contraction --------------===//
#include "compiler/codegen/cpu/contraction/RightOperand.h"
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/contraction/PanelPacking.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tg;
using namespace tg::tuning;

int64_t RightOperand::scratchElements(const ContractionPlan &plan) {
  return plan.packed ? 0 : plan.shape.kBlock * plan.shape.panelColumns;
}

/// The panels: of the operand, or the copy.
static Elements panelMemory(const ContractionPlan &plan, Value scratch) {
  if (!plan.packed)
    return {scratch, plan.type};
  return plan.frame.argument(
      cast<BlockArgument>(tgx::UnpackOp(plan.packed).getInput()));
}

RightOperand::RightOperand(const ContractionPlan &plan,
                           const ContractionTile &tile, Value scratch)
    : plan(plan), tile(tile), memory(panelMemory(plan, scratch)) {}

Matrix RightOperand::packedPanel(Value column, Value begin) const {
  IntegerOps ops = plan.ops;
  Value width = ops.constant(plan.shape.panelColumns);
  Value number = ops.div(ops.add(tile.firstColumn, column), width);
  Value row = ops.add(ops.mul(number, tile.kExtent), begin);
  return {memory, ops.mul(row, width), width, ops.constant(1)};
}

Matrix RightOperand::copyPanel(Value column, const KBlock &block) const {
  IntegerOps ops = plan.ops;
  if (plan.nest) {
    copyWindows(column, block);
    return {memory, ops.constant(0), ops.constant(plan.shape.panelColumns),
            ops.constant(1)};
  }
  const ContractionSpace &space = plan.space;
  const ContractionTensor &rhs = plan.contraction.rhs;
  unsigned reduced = space.getReducedDimension(),
           columns = space.getColumnDimension();
  Matrix matrix = matrixOf(plan, tile, rhs, reduced, columns);
  Value width = ops.constant(plan.shape.panelColumns);
  Value from = ops.add(tile.firstColumn, column);
  PanelSource source{matrix.elements,
                     ops.add(matrix.base, ops.mul(block.begin, matrix.row)),
                     ops.mul(from, matrix.column),
                     matrix.row,
                     matrix.column,
                     ops.min(width, ops.sub(tile.columnCount, from))};
  packPanel(plan.frame, source, memory, block.k.size, plan.shape.panelColumns,
            plan.shape.lanes,
            /*transposed=*/rhs.axisOf(columns) < rhs.axisOf(reduced));
  return {memory, ops.constant(0), width, ops.constant(1)};
}

/// How a dimension of the nest runs through the rhs: where it begins, and how
/// far a step is. Taps may run against the copy of the lhs, and in greater
/// steps (WindowTile::Axis).
KRange RightOperand::walk(unsigned number) const {
  IntegerOps ops = plan.ops;
  const WindowNest &nest = *plan.nest;
  unsigned dimension = nest.nest[number].innermost();
  Value stride = plan.frame.extent(plan.contraction.rhs.strideOf(dimension));
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

/// The columns of a block of a nest, one dimension after the other.
void RightOperand::copyWindows(Value column, const KBlock &block) const {
  IntegerOps ops = plan.ops;
  const ContractionTensor &rhs = plan.contraction.rhs;
  Value stride =
      plan.frame.extent(rhs.strideOf(plan.space.getColumnDimension()));
  Value from = ops.add(tile.firstColumn, column);
  Value first = ops.constant(0), step;
  for (auto [number, range] : llvm::enumerate(block.ranges)) {
    auto [begin, distance] = walk(number);
    step = distance;
    first = ops.add(first, ops.add(begin, ops.mul(range.begin, distance)));
  }
  PanelSource source{plan.frame.argument(cast<BlockArgument>(rhs.value)),
                     first,
                     ops.mul(from, stride),
                     step,
                     stride,
                     ops.min(ops.constant(plan.shape.panelColumns),
                             ops.sub(tile.columnCount, from))};
  copyRange(block, source, ops.constant(0), plan.nest->cut);
}

/// The part of the panel from element `target` on that one step of the
/// dimensions before `number` makes.
void RightOperand::copyRange(const KBlock &block, const PanelSource &source,
                             Value target, unsigned number) const {
  IntegerOps ops = plan.ops;
  KernelFrame &frame = plan.frame;
  const ContractionTensor &rhs = plan.contraction.rhs;
  unsigned columns = plan.space.getColumnDimension();
  int64_t width = plan.shape.panelColumns;
  if (number + 1 == block.ranges.size()) {
    Elements part{addressOf(frame.builder, frame.loc, memory, target),
                  memory.elementType};
    unsigned innermost = plan.nest->nest[number].innermost();
    packPanel(frame, source, part, block.ranges[number].size, width,
              plan.shape.lanes,
              /*transposed=*/rhs.axisOf(columns) < rhs.axisOf(innermost));
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

/// The next panel is that to the right, or that at the tile's left in the next
/// K-block. Divisions stand here, since LLVM leaves them in the loops.
Panel RightOperand::panel(Value column, const KBlock &block) const {
  if (!plan.packed)
    return {copyPanel(column, block), {}, {}, {}};
  IntegerOps ops = plan.ops;
  const ContractionShape &shape = plan.shape;
  Panel panel{packedPanel(column, block.begin), {}, {}, {}};
  Value one = ops.constant(1), width = ops.constant(shape.panelColumns);
  Value isInner =
      ops.min(one, ops.div(ops.sub(ops.sub(tile.columns, column), one), width));
  Value right = packedPanel(ops.add(column, width), block.begin).base;
  Value left = packedPanel(ops.constant(0), block.next).base;
  panel.next = ops.add(left, ops.mul(isInner, ops.sub(right, left)));
  Value groups = ops.max(one, ops.div(tile.fullRows, ops.constant(shape.rows)));
  Value tiles =
      ops.mul(groups, ops.constant(shape.panelColumns / shape.groupColumns()));
  panel.slice = ops.div(ops.mul(block.k.total(ops), width), tiles);
  panel.sliceStep = ops.ceilDiv(width, tiles);
  return panel;
}

Value RightOperand::sliceOf(const Panel &panel, Value row, Value column) const {
  if (!panel.next)
    return {};
  IntegerOps ops = plan.ops;
  const ContractionShape &shape = plan.shape;
  Value groups = ops.div(tile.fullRows, ops.constant(shape.rows));
  Value number = ops.add(
      ops.div(row, ops.constant(shape.rows)),
      ops.mul(ops.div(column, ops.constant(shape.groupColumns())), groups));
  return ops.add(panel.next, ops.mul(number, panel.slice));
}

void RightOperand::prefetch(const Panel &panel, Value slice, Value k) const {
  OpBuilder &builder = plan.frame.builder;
  for (int64_t step = 0; step < kRoundSteps;
       step += kRoundSteps / kRoundPrefetches) {
    Value reached = plan.ops.add(k, plan.ops.constant(step));
    Value at = plan.ops.add(slice, plan.ops.mul(reached, panel.sliceStep));
    Value address = addressOf(builder, plan.frame.loc, memory, at);
    LLVM::Prefetch::create(builder, plan.frame.loc, address, /*rw=*/0,
                           /*hint=*/2, /*cache=*/1);
  }
}
