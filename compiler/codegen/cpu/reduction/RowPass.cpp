//===- RowPass.cpp - one phase of a row reduction -------------------------===//
#include "compiler/codegen/cpu/reduction/RowPass.h"
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/elementwise/VectorLoop.h"

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
      lanes(chooseLanes(frame.kernel, frame.target)),
      nonTemporal(frame, plan.reducesTrailingAxes() ? lanes : 1,
                  fullOutputs(plan),
                  rowElements(plan, frame.kernel.getContext()),
                  /*canTest=*/true) {
  for (unsigned group = 0; group < space.getNumGroups(); ++group)
    (plan.isReduced(space.getLastAxis(group)) ? outerReduced : parallel)
        .push_back(group);
  if (!outerReduced.empty())
    inner.push_back(outerReduced.pop_back_val());
  // In full outputs, lanes along an axis other than the last one are strided.
  bool isStrided = !plan.reducesTrailingAxes() && !fullOutputs(plan).empty();
  if (inner.empty() || isStrided)
    lanes = 1;
}

Position RowState::position(Value column, unsigned width) const {
  GroupIndices segment{inner, ArrayRef(column).take_front(inner.size())};
  return space.position(
      {{parallel, parallelIndex}, {outerReduced, segmentIndex}, segment},
      inner.empty() ? 0 : inner[0], width);
}

//===----------------------------------------------------------------------===//
// One iteration: some columns of a row
//===----------------------------------------------------------------------===//

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

/// Returns the operands of the phase's reductions, as one list per copy. Stores
/// the phase's outputs, and the values that later phases load again.
SmallVector<Value> RowPass::step(Value column, unsigned width,
                                 unsigned copies) {
  SmallVector<Value> operands;
  Lanes active{width, width > 1 ? row.elements.mask : Value()};
  for (unsigned copy = 0; copy < copies; ++copy) {
    IntegerOps ops = frame.integers();
    Value copyColumn = ops.add(column, ops.constant(int64_t(copy) * width));
    row.offsetInRow = ops.add(row.segmentOffset, copyColumn);
    Position position = row.position(copyColumn, width);
    if (width == row.lanes && !active.mask)
      prefetchNextRow(position);
    for (ReductionOpInterface reduction : row.plan.getReductions(phase))
      operands.push_back(row.elements.elementOrZero(reduction->getOperand(0),
                                                    position, width));
    for (unsigned index : row.plan.getFullOutputs(phase)) {
      Value output = frame.kernel.getOutputs()[index];
      Value value = row.elements.elementOrZero(output, position, width);
      storeElements(frame.builder, frame.loc, frame.output(index),
                    row.elements.offsetOf(output, position), value, active,
                    width == row.lanes && !active.mask
                        ? row.nonTemporal.alignmentOf(index)
                        : 0);
    }
    for (Value reused : row.plan.getReusedValues(phase))
      if (row.rowBuffers.count(reused))
        storeElements(
            frame.builder, frame.loc, row.rowBuffers[reused], row.offsetInRow,
            row.elements.elementOrZero(reused, position, width), active);
  }
  return operands;
}

//===----------------------------------------------------------------------===//
// One phase: a pass over a row
//===----------------------------------------------------------------------===//

/// Returns the number of interleaved accumulators, which hide the latency of
/// additions.
unsigned RowPass::chooseAccumulators() const {
  if (row.lanes == 1)
    return 1;
  bool isShort = row.plan.getReductions(phase).size() == 1 &&
                 !row.plan.isExpensivePhase(phase);
  return isShort ? tuning::kCheapAccumulators : tuning::kOtherAccumulators;
}

/// Emits the whole vectors of a segment.
SmallVector<Value> RowPass::emitVectors(ValueRange totals) {
  IntegerOps ops = frame.integers();
  unsigned accumulators = chooseAccumulators();
  auto iteration = [&](unsigned copies) {
    return [this, copies](Value column) {
      return step(column, row.lanes, copies);
    };
  };
  Value count = ops.sub(row.columnEnd, row.columnBegin);
  Value mainEnd = ops.add(
      row.columnBegin, ops.roundDown(count, int64_t(row.lanes) * accumulators));
  SmallVector<Value> sum = sums.accumulate(
      row.columnBegin, mainEnd, int64_t(row.lanes) * accumulators, row.lanes,
      accumulators, totals, iteration(accumulators));
  if (accumulators == 1)
    return sum;
  return emitCarryLoop(frame, mainEnd, row.vectorEnd, row.lanes, sum,
                       [&](Value column, ValueRange carried) {
                         SmallVector<Value> operands =
                             step(column, row.lanes, 1);
                         return sums.combine(carried, operands);
                       });
}

/// Emits the last vector of a segment, which is masked.
SmallVector<Value> RowPass::emitMasked(ValueRange totals) {
  OpBuilder &builder = frame.builder;
  auto emitStep = [&]() -> SmallVector<Value> {
    row.elements.mask = row.remainderMask;
    SmallVector<Value> operands = step(row.vectorEnd, row.lanes, /*copies=*/1);
    row.elements.mask = {};
    return sums.combine(totals, sums.blend(row.remainderMask, operands));
  };
  Value any = frame.integers().compare(arith::CmpIPredicate::slt, row.vectorEnd,
                                       row.columnEnd);
  if (std::optional<int64_t> constant = constantNumber(any))
    return *constant ? emitStep() : SmallVector<Value>(totals);
  auto branch = scf::IfOp::create(builder, frame.loc, TypeRange(totals), any,
                                  /*withElseRegion=*/!totals.empty());
  OpBuilder::InsertionGuard guard(builder);
  if (totals.empty()) {
    builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    return emitStep();
  }
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, frame.loc, emitStep());
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, frame.loc, totals);
  return llvm::to_vector_of<Value>(branch.getResults());
}

/// Emits all columns of a segment. `totals` has vectors, followed by scalars if
/// the remainder is a scalar loop.
SmallVector<Value> RowPass::emitSegment(ValueRange totals) {
  size_t count = row.plan.getReductions(phase).size();
  SmallVector<Value> result = emitVectors(totals.take_front(count));
  if (row.lanes == 1)
    return result;
  if (frame.target.masksBytes)
    return emitMasked(result);
  llvm::append_range(
      result, emitCarryLoop(frame, row.vectorEnd, row.columnEnd, 1,
                            totals.drop_front(count),
                            [&](Value column, ValueRange carried) {
                              SmallVector<Value> operands =
                                  step(column, /*width=*/1, /*copies=*/1);
                              return sums.combine(carried, operands);
                            }));
  return result;
}

/// Returns true if the remainder is a scalar loop. It has scalar totals, which
/// follow the vector totals.
static bool hasScalarTotals(const RowState &row) {
  return row.lanes > 1 && !row.frame.target.masksBytes;
}

/// Returns the totals of an empty range of segments.
SmallVector<Value> RowPass::neutralTotals() {
  SmallVector<Value> totals = sums.neutral(row.lanes);
  if (hasScalarTotals(row))
    llvm::append_range(totals, sums.neutral(/*lanes=*/1));
  return totals;
}

/// Adds the segments of [first, last) to `totals`, in blocks of
/// tuning::kBlockSegments^level segments. Each segment and each block has
/// totals of its own: a single total of all segments loses a digit for every
/// few hundred of them.
SmallVector<Value> RowPass::emitSegments(Value first, Value last,
                                         unsigned level, ValueRange totals) {
  std::optional<int64_t> count =
      constantNumber(frame.integers().sub(last, first));
  if (level == 0)
    return emitCarryLoop(
        frame, first, last, 1, totals, [&](Value segment, ValueRange carried) {
          row.segmentIndex = row.space.split(segment, row.outerReduced);
          row.segmentOffset = frame.integers().mul(segment, row.columns);
          if (totals.empty() || count == 1)
            return emitSegment(carried);
          return sums.combine(carried, emitSegment(neutralTotals()));
        });
  int64_t block = 1;
  for (unsigned each = 0; each < level; ++each)
    block *= tuning::kBlockSegments;
  if (totals.empty() || (count && *count <= block))
    return emitSegments(first, last, level - 1, totals);
  return buildFor(
      frame.builder, frame.loc, first, last, block, totals,
      [&](Value begin, ValueRange carried) {
        IntegerOps ops = frame.integers();
        Value end = ops.min(last, ops.add(begin, ops.constant(block)));
        return sums.combine(
            carried, emitSegments(begin, end, level - 1, neutralTotals()));
      });
}

/// Emits the phase for a row, or for a part of a row, and returns its results.
SmallVector<Value> RowPass::emit() {
  SmallVector<Value> totals =
      emitSegments(row.segmentBegin, row.segmentEnd, tuning::kSegmentLevels,
                   neutralTotals());
  ValueRange all(totals);
  size_t count = row.plan.getReductions(phase).size();
  SmallVector<Value> results = sums.foldLanes(all.take_front(count));
  if (hasScalarTotals(row))
    results = sums.combine(results, all.drop_front(count));
  return results;
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
