//===- LeftOperand.cpp - rows of a contraction, copied or in place --------===//
#include "compiler/codegen/cpu/contraction/LeftOperand.h"
#include "compiler/codegen/cpu/contraction/PanelPacking.h"

using namespace mlir;
using namespace tg;

LeftAccess LeftOperand::chooseAccess(const ContractionPlan &plan) {
  const ContractionTensor &lhs = plan.contraction.lhs;
  if (lhs.axisOf(plan.space.getReducedDimension()) <
      lhs.axisOf(plan.space.getRowDimension()))
    return LeftAccess::panels;
  std::optional<int64_t> columns = staticExtent(plan.n);
  bool meetsOnce = columns && *columns <= plan.shape.groupColumns();
  return meetsOnce ? LeftAccess::inPlace : LeftAccess::rows;
}

int64_t LeftOperand::scratchElements(const ContractionPlan &plan) {
  return chooseAccess(plan) == LeftAccess::inPlace ? 0 : plan.shape.packedRow();
}

int64_t LeftOperand::rowUnit(const ContractionPlan &plan) {
  return chooseAccess(plan) == LeftAccess::panels ? plan.shape.lhsPanelRows()
                                                  : plan.shape.rows;
}

LeftOperand::LeftOperand(const ContractionPlan &plan,
                         const ContractionTile &tile, Value scratch)
    : plan(plan), tile(tile), access(chooseAccess(plan)),
      matrix(matrixOf(plan, tile, plan.contraction.lhs,
                      plan.space.getRowDimension(),
                      plan.space.getReducedDimension())),
      copies{scratch, plan.type} {}

void LeftOperand::copy(const KBlock &block) const {
  if (access == LeftAccess::rows)
    copyRows(block);
  if (access == LeftAccess::panels)
    copyPanels(block);
}

void LeftOperand::copyRows(const KBlock &block) const {
  IntegerOps ops = plan.ops;
  KernelFrame &frame = plan.frame;
  Value first = ops.add(matrix.base, block.begin);
  buildFor(frame.builder, frame.loc, ops.constant(0), tile.fullRows, 1,
           [&](Value row) {
             Value from = ops.add(
                 ops.mul(ops.add(tile.firstRow, row), matrix.row), first);
             Value to = ops.mul(row, ops.constant(plan.shape.packedRow()));
             copyRow(frame, matrix.elements, from, copies, to, block.k.size,
                     plan.shape.lanes);
           });
}

void LeftOperand::copyPanels(const KBlock &block) const {
  IntegerOps ops = plan.ops;
  KernelFrame &frame = plan.frame;
  OpBuilder &builder = frame.builder;
  const ContractionShape &shape = plan.shape;
  Value width = ops.constant(shape.lhsPanelRows());
  auto copyPanel = [&](Value row) {
    Value count = ops.min(width, ops.sub(tile.fullRows, row));
    Value first = ops.add(matrix.base, ops.add(tile.firstRow, row));
    buildFor(
        builder, frame.loc, ops.constant(0), block.k.size, 1, [&](Value at) {
          Value from =
              ops.add(ops.mul(ops.add(block.begin, at), matrix.column), first);
          Value to = ops.add(ops.mul(row, ops.constant(shape.kBlock)),
                             ops.mul(at, width));
          copyRow(frame, matrix.elements, from, copies, to, count, shape.lanes);
        });
  };
  buildFor(builder, frame.loc, ops.constant(0), tile.fullRows,
           shape.lhsPanelRows(), copyPanel);
}

Matrix LeftOperand::rows(Value row, const KBlock &block) const {
  IntegerOps ops = plan.ops;
  const ContractionShape &shape = plan.shape;
  if (access == LeftAccess::inPlace)
    return remainingRows(row, block);
  if (access == LeftAccess::rows)
    return {copies, ops.mul(row, ops.constant(shape.packedRow())),
            ops.constant(shape.packedRow()), ops.constant(1)};
  Value width = ops.constant(shape.lhsPanelRows());
  Value first = ops.roundDown(row, shape.lhsPanelRows());
  Value base =
      ops.add(ops.mul(first, ops.constant(shape.kBlock)), ops.sub(row, first));
  return {copies, base, ops.constant(1), width};
}

Matrix LeftOperand::remainingRows(Value row, const KBlock &block) const {
  IntegerOps ops = plan.ops;
  Matrix rows = matrix;
  rows.base =
      ops.add(rows.base, ops.add(ops.mul(ops.add(tile.firstRow, row), rows.row),
                                 ops.mul(block.begin, rows.column)));
  return rows;
}
