//===- RowPass.cpp - one phase of a row reduction -------------------------===//
#include "compiler/codegen/cpu/reduction/RowPass.h"
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/elementwise/VectorLoop.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tg;

//===----------------------------------------------------------------------===//
// RowState
//===----------------------------------------------------------------------===//

/// Returns the indices of the outputs that have the kernel's full space.
static SmallVector<unsigned> fullOutputs(const ReductionPlan &plan) {
  SmallVector<unsigned> outputs;
  for (unsigned phase = 0; phase < plan.getNumPhases(); ++phase)
    llvm::append_range(outputs, plan.getFullOutputs(phase));
  return outputs;
}

/// Returns the extent of the last dimension of the full space, 1 for rank 0.
static AffineExpr rowElements(const ReductionPlan &plan, MLIRContext *context) {
  if (plan.getExtents().empty())
    return getAffineConstantExpr(1, context);
  return plan.getExtents().back();
}

RowState::RowState(KernelFrame &frame, const ReductionPlan &plan)
    : frame(frame), plan(plan), elements(frame), space(plan.makeSpace(frame)),
      order(plan.getOrder()), lanes(order.getLanes()), lineTiles(frame, plan),
      nonTemporal(
          frame,
          plan.reducesTrailingAxes() ? chooseLanes(frame.kernel, frame.target)
                                     : 1,
          fullOutputs(plan), rowElements(plan, frame.kernel.getContext()),
          /*canTest=*/true) {
  plan.divideGroups(space, parallel, outer, line);
  if (line.empty())
    lanes = 1;
  ArrayRef<int64_t> blocks = order.getBlocks();
  if (blocks.empty())
    return;
  vectorBlocks = blockSizes(order.getStepElements(), blocks.take_front());
  numberBlocks = blockSizes(vectorBlocks[0], blocks.drop_front());
}

Position RowState::position(ArrayRef<Value> lineIndex, unsigned width) const {
  return space.position(
      {{parallel, parallelIndex}, {outer, outerIndex}, {line, lineIndex}},
      line.empty() ? 0 : line.back(), width);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// Returns the number of vectors of a step. A pass without sums has no order.
unsigned RowPass::chooseCopies() const {
  if (row.line.empty())
    return 1;
  return reductions.empty() ? tuning::kStoredRowVectors
                            : row.order.getAccumulators();
}

/// Returns the number of elements of a line after its last whole step, if it is
/// known.
std::optional<int64_t> RowPass::countRest() const {
  AffineExpr extent = row.lineExtent();
  if (std::optional<int64_t> count = staticExtent(extent))
    return *count % stepElements();
  if (extent.getLargestKnownDivisor() % stepElements() == 0)
    return 0;
  return std::nullopt;
}

/// Prefetches, in the second phase only, the same position of the next row. The
/// first phase is bound by memory and the second one by arithmetic, so that the
/// second phase has bandwidth left for the data of the next first phase.
void RowPass::prefetchNextRow(const Position &position) {
  std::optional<int64_t> count = staticExtent(row.rowExtent());
  if (phase != 1 || !count || !row.plan.reducesTrailingAxes())
    return;
  for (BlockArgument argument : frame.kernel.getBlock().getArguments()) {
    Elements memory = frame.argument(argument);
    int64_t bytes = *count * elementBytes(memory.elementType);
    if (frame.kernel.rowsOf(argument) ||
        frame.extentsOf(argument) != row.plan.getExtents() ||
        bytes < tuning::kPrefetchedRowBytes || bytes > tuning::kSavedRowBytes)
      continue;
    IntegerOps ops = frame.integers();
    Value next = ops.add(row.elements.offsetOf(argument, position),
                         ops.constant(*count));
    prefetchElement(frame.builder, frame.loc, memory, next);
  }
}

/// Returns the operands of the phase's reductions at a position. Stores the
/// phase's outputs, and the values that later phases load again.
SmallVector<Value> RowPass::emitElements(const Position &position,
                                         unsigned width) {
  SmallVector<Value> operands;
  Lanes active{width, width > 1 ? row.elements.mask : Value()};
  for (ReductionOpInterface reduction : reductions)
    operands.push_back(
        row.elements.elementOrZero(reduction->getOperand(0), position, width));
  bool isWhole = width == row.lanes && !active.mask && !row.isDivided();
  for (unsigned index : row.plan.getFullOutputs(phase)) {
    Value output = frame.kernel.getOutputs()[index];
    Value value = row.elements.elementOrZero(output, position, width);
    storeElements(frame.builder, frame.loc, frame.output(index),
                  row.elements.offsetOf(output, position), value, active,
                  isWhole ? row.nonTemporal.alignmentOf(index) : 0);
  }
  for (Value reused : row.plan.getReusedValues(phase))
    if (row.rowBuffers.count(reused))
      storeElements(
          frame.builder, frame.loc, row.rowBuffers[reused], row.offsetInRow,
          row.elements.elementOrZero(reused, position, width), active);
  return operands;
}

/// Returns the operands of a vector of a line.
SmallVector<Value> RowPass::emitVector(const Range &range, Value column) {
  IntegerOps ops = frame.integers();
  SmallVector<Value> operands;
  if (!range.buffered) {
    row.offsetInRow = ops.add(row.lineOffset, column);
    Position position =
        row.position(ArrayRef(column).take_front(row.line.size()), row.lanes);
    if (!row.elements.mask)
      prefetchNextRow(position);
    return emitElements(position, row.lanes);
  }
  for (auto [index, reduction] : llvm::enumerate(reductions)) {
    Elements memory{row.lineBuffers[index],
                    getElementTypeOrSelf(reduction->getOperand(0))};
    operands.push_back(loadElements(
        frame.builder, frame.loc, memory, ops.sub(column, range.buffered),
        {row.lanes, row.lanes > 1 ? row.elements.mask : Value()}));
  }
  return operands;
}

/// Returns the operands of the active lanes of a vector, and neutral elements
/// in the other lanes.
SmallVector<Value> RowPass::emitMasked(const Range &range, Value column,
                                       Value mask) {
  row.elements.mask = mask;
  SmallVector<Value> operands = emitVector(range, column);
  row.elements.mask = {};
  return sums.blend(mask, operands);
}

//===----------------------------------------------------------------------===//
// Lines and rows
//===----------------------------------------------------------------------===//

int64_t RowPass::bufferedElements(const RowState &row) {
  int64_t step = row.order.getStepElements();
  int64_t size = tuning::kBufferedElements / step * step;
  if (std::optional<int64_t> count = staticExtent(row.lineExtent()))
    size = std::min<int64_t>(size, llvm::alignTo(*count, step));
  return std::max(size, step);
}

/// Emits elements [begin, end) of a divided line, in vectors along its last
/// group. If `buffers`, writes the operands of the reductions to memory.
void RowPass::emitDivided(Value begin, Value end, bool buffers) {
  IntegerOps ops = frame.integers();
  ArrayRef<unsigned> groups = row.line;
  Value columns = frame.extent(row.space.getExtent(groups.back()));
  Value divisor = ops.max(columns, ops.constant(1));
  auto emitColumns = [&](Value segment) {
    SmallVector<Value> index = row.space.split(segment, groups.drop_back());
    Value base = ops.mul(segment, columns);
    index.push_back({});
    auto step = [&](Value column, unsigned width, unsigned) {
      index.back() = column;
      Value element = ops.add(base, column);
      row.offsetInRow = ops.add(row.lineOffset, element);
      SmallVector<Value> operands =
          emitElements(row.position(index, width), width);
      if (buffers)
        for (auto [memory, reduction, operand] :
             llvm::zip(row.lineBuffers, reductions, operands))
          storeElements(
              frame.builder, frame.loc,
              {memory, getElementTypeOrSelf(reduction->getOperand(0))},
              ops.sub(element, begin), operand,
              {width, width > 1 ? row.elements.mask : Value()});
      return success();
    };
    Value first = ops.max(ops.constant(0), ops.sub(begin, base));
    Value last = ops.min(columns, ops.sub(end, base));
    (void)emitVectorLoop(row.elements, first, last,
                         chooseLanes(frame.kernel, frame.target),
                         /*unroll=*/1, step);
  };
  buildFor(frame.builder, frame.loc, ops.div(begin, divisor),
           ops.ceilDiv(end, divisor), 1, emitColumns);
}

/// Emits the elements of a line, or of the part of it that the tile reduces,
/// and returns one number for each reduction.
SmallVector<Value> RowPass::emitLine() {
  auto emitVectors = [&](Value first, Value last) {
    return sums.foldLanes(sums.nest(
        first, last, row.vectorBlocks, row.lanes,
        [&](Value begin, Value end) { return emitBlock(begin, end); }));
  };
  return sums.nest(row.elementBegin, row.elementEnd, row.numberBlocks,
                   /*lanes=*/1, emitVectors);
}

void RowPass::enterLine(Value line) {
  IntegerOps ops = frame.integers();
  row.outerIndex = row.space.split(line, row.outer);
  row.lineOffset = ops.mul(line, frame.extent(row.lineExtent()));
}

/// Emits a pass without reductions.
void RowPass::emitStores() {
  Value lines = frame.extent(row.space.getProduct(row.outer));
  emitCarryLoop(frame, frame.integers().constant(0), lines, 1, {},
                [&](Value line, ValueRange) -> SmallVector<Value> {
                  enterLine(line);
                  if (!row.isDivided())
                    return emitBlock(row.elementBegin, row.elementEnd);
                  emitDivided(row.elementBegin, row.elementEnd,
                              /*buffers=*/false);
                  return {};
                });
}

/// Emits the phase for a row, or for a part of a row, and returns its results.
SmallVector<Value> RowPass::emit() {
  if (reductions.empty()) {
    emitStores();
    return {};
  }
  if (row.outer.empty()) {
    enterLine(frame.integers().constant(0));
    return emitLine();
  }
  auto emitLines = [&](Value first, Value last) {
    return row.lineTiles.chain(sums, first, last, /*lanes=*/1, [&](Value line) {
      enterLine(line);
      return emitLine();
    });
  };
  return sums.nest(row.stepBegin, row.stepEnd,
                   blockSizes(1, row.order.getLines()), /*lanes=*/1, emitLines);
}

void RowPass::provide(ValueRange results) {
  for (auto [reduction, result] :
       llvm::zip_equal(row.plan.getReductions(phase), results))
    row.elements.provide(
        reduction->getResult(0),
        [&row = row, value = result](const Position &, unsigned width) {
          return splatTo(row.frame.builder, row.frame.loc, value, width);
        });
  for (Value reused : row.plan.getReusedValues(phase))
    if (row.rowBuffers.count(reused))
      row.elements.provide(reused, [&row = row, reused](const Position &,
                                                        unsigned width) {
        return loadElements(row.frame.builder, row.frame.loc,
                            row.rowBuffers[reused], row.offsetInRow,
                            {width, width > 1 ? row.elements.mask : Value()});
      });
}
