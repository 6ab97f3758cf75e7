//===- LeftOperand.cpp - rows of a contraction, copied or in place --------===//
#include "compiler/codegen/cpu/contraction/gemm/LeftOperand.h"
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/contraction/gemm/PanelPacking.h"
#include "compiler/codegen/cpu/elementwise/VectorLoop.h"
#include <numeric>

using namespace mlir;
using namespace tg;

/// Returns true if the rows of a tile stay in L2 without a copy. Rows map to
/// the same cache sets if their distance has a large common divisor with the
/// size of a cache way.
static bool stayInCache(const ContractionPlan &plan) {
  AffineExpr stride =
      plan.contraction.lhs.strideOf(plan.space.getRowDimension());
  std::optional<int64_t> elements = staticExtent(stride);
  if (!elements)
    return false;
  int64_t distance = *elements * elementBytes(plan.type);
  int64_t startSets =
      tuning::kL2WayBytes /
      std::gcd(std::max<int64_t>(1, distance), tuning::kL2WayBytes);
  return plan.shape.tileRows <= startSets * tuning::kL2Ways;
}

LeftAccess LeftOperand::chooseAccess(const ContractionPlan &plan) {
  const ContractionTensor &lhs = plan.contraction.lhs;
  if (plan.nest)
    return LeftAccess::lines;
  if (!isa<BlockArgument>(lhs.value))
    return LeftAccess::computed;
  if (lhs.axisOf(plan.space.getReducedDimension()) <
      lhs.axisOf(plan.space.getRowDimension()))
    return LeftAccess::panels;
  std::optional<int64_t> columns = staticExtent(plan.n);
  bool isReadOnce = columns && *columns <= plan.shape.registerColumns();
  return isReadOnce || stayInCache(plan) ? LeftAccess::inPlace
                                         : LeftAccess::rows;
}

int64_t LeftOperand::scratchElements(const ContractionPlan &plan) {
  LeftAccess access = chooseAccess(plan);
  bool needsNoCopy =
      access == LeftAccess::inPlace || access == LeftAccess::lines;
  return needsNoCopy ? 0 : plan.shape.copiedRowStride();
}

AffineExpr LeftOperand::commonScratchElements(const ContractionPlan &plan) {
  return chooseAccess(plan) == LeftAccess::computed
             ? plan.k
             : getAffineConstantExpr(0, plan.k.getContext());
}

int64_t LeftOperand::rowUnit(const ContractionPlan &plan) {
  return chooseAccess(plan) == LeftAccess::panels ? plan.shape.lhsPanelRows()
                                                  : plan.shape.rows;
}

LeftOperand::LeftOperand(const ContractionPlan &plan,
                         const ContractionTile &tile, Value scratch,
                         const WindowLines *lines)
    : plan(plan), tile(tile), lines(lines), access(chooseAccess(plan)),
      copies{scratch, plan.type}, elements(plan.frame) {
  if (access != LeftAccess::computed && access != LeftAccess::lines)
    matrix =
        matrixOf(plan, tile, plan.contraction.lhs, plan.space.getRowDimension(),
                 plan.space.getReducedDimension());
}

void LeftOperand::copy(const KBlock &block) {
  if (access == LeftAccess::rows)
    copyRows(block);
  if (access == LeftAccess::panels)
    copyPanels(block);
  if (access == LeftAccess::computed)
    computeRows(block);
  if (access == LeftAccess::lines)
    lines->copyBlock(block);
  findNext(block);
}

KExtent LeftOperand::extentOf(const KBlock &block) const {
  KExtent k = block.k;
  for (auto [index, level] : llvm::enumerate(k.levels)) {
    const WindowNest &nest = *plan.nest;
    level.stride =
        lines->strideOf(nest.nest[nest.splitDimension + index].innermost());
  }
  return k;
}

void LeftOperand::copyRows(const KBlock &block) const {
  IntegerOps ops = plan.ops;
  KernelFrame &frame = plan.frame;
  Value first = ops.add(matrix.base, block.begin);
  buildFor(frame.builder, frame.loc, ops.constant(0), tile.fullRows, 1,
           [&](Value row) {
             Value from = ops.add(
                 ops.mul(ops.add(tile.firstRow, row), matrix.rowStride), first);
             Value to =
                 ops.mul(row, ops.constant(plan.shape.copiedRowStride()));
             copyRow(frame, matrix.elements, from, copies, to, block.k.size,
                     plan.shape.lanes);
           });
}

void LeftOperand::computeRows(const KBlock &block) {
  IntegerOps ops = plan.ops;
  KernelFrame &frame = plan.frame;
  Value lhs = plan.contraction.lhs.value;
  unsigned lanes = chooseLanes(frame.kernel, frame.target);
  Value end = ops.add(block.begin, block.k.size);
  auto computeRow = [&](Value row) {
    Value first = ops.sub(
        ops.mul(row, ops.constant(plan.shape.copiedRowStride())), block.begin);
    Value resultRow = ops.add(tile.firstRow, row);
    auto computeVector = [&](Value k, unsigned count, unsigned) {
      // The rows of the lhs are the rows of the result.
      Position position =
          plan.space.position(tile.matrixIndex, resultRow, k, count);
      storeElements(frame.builder, frame.loc, copies, ops.add(first, k),
                    elements.elementOrZero(lhs, position, count),
                    {count, count > 1 ? elements.mask : Value()});
      return success();
    };
    (void)emitVectorLoop(elements, block.begin, end, lanes, /*unroll=*/1,
                         computeVector);
  };
  buildFor(frame.builder, frame.loc, ops.constant(0), tile.rows, 1, computeRow);
}

/// Copies all rows, one K step after the other, so that memory is read in
/// order.
void LeftOperand::copyPanels(const KBlock &block) const {
  IntegerOps ops = plan.ops;
  KernelFrame &frame = plan.frame;
  const ContractionShape &shape = plan.shape;
  int64_t width = shape.lhsPanelRows();
  Value first = ops.add(matrix.base, tile.firstRow);
  Value fullRows = ops.roundDown(tile.rows, width);
  auto copyStep = [&](Value k) {
    Value step =
        ops.add(ops.mul(ops.add(block.begin, k), matrix.columnStride), first);
    auto offsetOf = [&](Value row) {
      return ops.add(ops.mul(row, ops.constant(shape.kBlock)),
                     ops.mul(k, ops.constant(width)));
    };
    auto copyPanelRow = [&](Value row) {
      for (int64_t shift = 0; shift < width; shift += shape.lanes)
        copyElements(frame, matrix.elements,
                     ops.add(ops.add(step, row), ops.constant(shift)), copies,
                     ops.add(offsetOf(row), ops.constant(shift)), shape.lanes);
    };
    buildFor(frame.builder, frame.loc, ops.constant(0), fullRows, width,
             copyPanelRow);
    copyRow(frame, matrix.elements, ops.add(step, fullRows), copies,
            offsetOf(fullRows), ops.sub(tile.rows, fullRows), shape.lanes);
  };
  buildFor(frame.builder, frame.loc, ops.constant(0), block.k.size, 1,
           copyStep);
}

/// Finds the elements that the next K-block copies: runs of contiguous memory,
/// which are K steps of a transposed operand, otherwise rows.
void LeftOperand::findNext(const KBlock &block) {
  bool isTransposed = access == LeftAccess::panels;
  next = {};
  if (constantNumber(block.isLast) ||
      (!isTransposed && access != LeftAccess::rows))
    return;
  IntegerOps ops = plan.ops;
  const ContractionShape &shape = plan.shape;
  Value one = ops.constant(1);
  Value zero = ops.constant(0);
  Value remaining = ops.max(zero, ops.sub(tile.kExtent, block.next));
  Value steps = ops.min(ops.constant(shape.kBlock), remaining);
  next.runs = isTransposed ? steps : tile.fullRows;
  next.size = isTransposed ? tile.rows : steps;
  next.distance = isTransposed ? matrix.columnStride : matrix.rowStride;
  next.base =
      ops.add(matrix.base, ops.add(ops.mul(tile.firstRow, matrix.rowStride),
                                   ops.mul(block.next, matrix.columnStride)));
  Value columnTiles =
      ops.ceilDiv(tile.columns, ops.constant(shape.registerColumns()));
  Value tiles =
      ops.mul(ops.div(tile.fullRows, ops.constant(shape.rows)), columnTiles);
  next.runsPerTile =
      keepInRegister(plan.frame.builder, plan.frame.loc,
                     ops.ceilDiv(next.runs, ops.max(one, tiles)));
}

void LeftOperand::prefetch(Value row, Value column, Value part,
                           int64_t parts) const {
  if (!next.base)
    return;
  IntegerOps ops = plan.ops;
  KernelFrame &frame = plan.frame;
  const ContractionShape &shape = plan.shape;
  Value rowTiles = ops.div(tile.fullRows, ops.constant(shape.rows));
  Value tileIndex =
      ops.add(ops.div(row, ops.constant(shape.rows)),
              ops.mul(ops.div(column, ops.constant(shape.registerColumns())),
                      rowTiles));
  auto beginOf = [&](Value part) {
    Value passed =
        ops.div(ops.mul(next.runsPerTile, part), ops.constant(parts));
    return ops.min(next.runs,
                   ops.add(ops.mul(tileIndex, next.runsPerTile), passed));
  };
  int64_t line = tuning::kCacheLineBytes / elementBytes(plan.type);
  auto prefetchRun = [&](Value run) {
    Value from = ops.add(next.base, ops.mul(run, next.distance));
    buildFor(frame.builder, frame.loc, ops.constant(0), next.size, line,
             [&](Value element) {
               prefetchElement(frame.builder, frame.loc, matrix.elements,
                               ops.add(from, element));
             });
  };
  buildFor(frame.builder, frame.loc, beginOf(part),
           beginOf(ops.add(part, ops.constant(1))), 1, prefetchRun);
}

LeftRows LeftOperand::rows(Value row, const KBlock &block) const {
  IntegerOps ops = plan.ops;
  const ContractionShape &shape = plan.shape;
  if (access == LeftAccess::inPlace || access == LeftAccess::lines)
    // Without copies, full register tiles read the same rows as smaller ones.
    return remainingRows(row, shape.rows, block);
  if (access == LeftAccess::rows || access == LeftAccess::computed)
    return {{copies, ops.mul(row, ops.constant(shape.copiedRowStride())),
             ops.constant(shape.copiedRowStride()), ops.constant(1)}};
  Value width = ops.constant(shape.lhsPanelRows());
  Value first = ops.roundDown(row, shape.lhsPanelRows());
  Value base =
      ops.add(ops.mul(first, ops.constant(shape.kBlock)), ops.sub(row, first));
  return {{copies, base, ops.constant(1), width}};
}

LeftRows LeftOperand::remainingRows(Value row, unsigned count,
                                    const KBlock &block) const {
  if (access == LeftAccess::lines)
    return lines->rows(row, count, block);
  if (access == LeftAccess::computed || access == LeftAccess::panels)
    return this->rows(row, block);
  IntegerOps ops = plan.ops;
  Matrix rows = matrix;
  rows.base = ops.add(
      rows.base, ops.add(ops.mul(ops.add(tile.firstRow, row), rows.rowStride),
                         ops.mul(block.begin, rows.columnStride)));
  return {rows};
}
