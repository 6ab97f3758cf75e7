//===- RowPass.cpp - one phase of a row reduction ------------------------===//
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/elementwise/VectorLoop.h"
#include "compiler/codegen/cpu/reduction/RowReduction.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tg;

//===----------------------------------------------------------------------===//
// One step: some columns of a row
//===----------------------------------------------------------------------===//

Position RowReduction::position(Value column, unsigned width) const {
  SmallVector<Value> indices(space.getNumGroups());
  for (auto [group, index] : llvm::zip_equal(kept, keptIndex))
    indices[group] = index;
  for (auto [group, index] : llvm::zip_equal(outerReduced, segmentIndex))
    indices[group] = index;
  if (inner.empty())
    return space.position(indices, 0, width);
  indices[inner[0]] = column;
  return space.position(indices, inner[0], width);
}

/// Asks for the same place of the next row. The first phase waits for memory
/// and the others compute: so they overlap.
void RowReduction::prefetchNextRow(const Position &place) {
  AffineExpr length = space.getProduct(outerReduced) * space.getProduct(inner);
  std::optional<int64_t> count = staticExtent(length);
  if (phase != 1 || !count || !plan.reducesTrailingAxes())
    return;
  for (BlockArgument argument : frame.kernel.getBlock().getArguments()) {
    Elements memory = frame.argument(argument);
    int64_t bytes = *count * elementBytes(memory.elementType);
    if (frame.extentsOf(argument) != plan.getExtents() ||
        bytes < tuning::kPrefetchedRowBytes || bytes > tuning::kKeptRowBytes)
      continue;
    IntegerOps ops = frame.integers();
    Value next =
        ops.add(elements.offsetOf(argument, place), ops.constant(*count));
    LLVM::Prefetch::create(frame.builder, frame.loc,
                           addressOf(frame.builder, frame.loc, memory, next),
                           /*rw=*/0,
                           /*hint=*/2, /*cache=*/1);
  }
}

/// The operands of the phase's reductions, one list per copy. Stores the
/// phase's outputs and what later phases load again.
SmallVector<Value> RowReduction::step(Value column, unsigned width,
                                      unsigned copies) {
  SmallVector<Value> operands;
  Lanes active{width, width > 1 ? elements.mask : Value()};
  for (unsigned copy = 0; copy < copies; ++copy) {
    IntegerOps ops = frame.integers();
    Value at = ops.add(column, ops.constant(int64_t(copy) * width));
    offsetInRow = ops.add(segmentBegin, at);
    Position place = position(at, width);
    if (width == lanes && !active.mask)
      prefetchNextRow(place);
    for (ReductionOpInterface reduction : plan.getReductions(phase))
      operands.push_back(
          elements.elementOrZero(reduction->getOperand(0), place, width));
    for (unsigned number : plan.getFullOutputs(phase)) {
      Value output = frame.kernel.getOutputs()[number];
      Value value = elements.elementOrZero(output, place, width);
      storeElements(frame.builder, frame.loc, frame.output(number),
                    elements.offsetOf(output, place), value, active,
                    width == lanes && !active.mask &&
                        streaming.streams(number));
    }
    for (Value reused : plan.getReusedValues(phase))
      if (rowBuffers.count(reused))
        storeElements(frame.builder, frame.loc, rowBuffers[reused], offsetInRow,
                      elements.elementOrZero(reused, place, width), active);
  }
  return operands;
}

//===----------------------------------------------------------------------===//
// One phase: a pass over a row
//===----------------------------------------------------------------------===//

/// Independent accumulators hide the latency of additions.
unsigned RowReduction::chooseAccumulators() const {
  if (lanes == 1)
    return 1;
  bool isShort =
      plan.getReductions(phase).size() == 1 && !plan.isExpensivePhase(phase);
  return isShort ? tuning::kCheapAccumulators : tuning::kOtherAccumulators;
}

/// Whole vectors.
SmallVector<Value> RowReduction::passVectors(ValueRange totals) {
  Accumulators sums(frame, plan.getReductions(phase));
  IntegerOps ops = frame.integers();
  unsigned accumulators = chooseAccumulators();
  auto round = [&](unsigned copies) {
    return [this, copies](Value column) { return step(column, lanes, copies); };
  };
  Value count = ops.sub(columnLast, columnFirst);
  Value mainEnd =
      ops.add(columnFirst, ops.roundDown(count, int64_t(lanes) * accumulators));
  SmallVector<Value> sum =
      sums.accumulate(columnFirst, mainEnd, int64_t(lanes) * accumulators,
                      lanes, accumulators, totals, round(accumulators));
  if (accumulators == 1)
    return sum;
  return emitCarryLoop(frame, mainEnd, vectorEnd, lanes, sum,
                       [&](Value column, ValueRange carried) {
                         SmallVector<Value> elements = step(column, lanes, 1);
                         return sums.combine(carried, elements);
                       });
}

/// The last vector, with inactive lanes.
SmallVector<Value> RowReduction::passMasked(ValueRange totals) {
  Accumulators sums(frame, plan.getReductions(phase));
  OpBuilder &builder = frame.builder;
  auto emitStep = [&]() -> SmallVector<Value> {
    elements.mask = remainderMask;
    SmallVector<Value> operands = step(vectorEnd, lanes, /*copies=*/1);
    elements.mask = {};
    return sums.combine(totals, sums.blend(remainderMask, operands));
  };
  Value any = frame.integers().compare(arith::CmpIPredicate::slt, vectorEnd,
                                       columnLast);
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

/// All columns of a segment. `totals` are vectors, and behind them scalars for
/// a remainder that is not masked.
SmallVector<Value> RowReduction::passSegment(ValueRange totals) {
  Accumulators sums(frame, plan.getReductions(phase));
  size_t count = plan.getReductions(phase).size();
  SmallVector<Value> result = passVectors(totals.take_front(count));
  if (lanes == 1)
    return result;
  if (frame.target.masksBytes)
    return passMasked(result);
  llvm::append_range(
      result,
      emitCarryLoop(frame, vectorEnd, columnLast, 1, totals.drop_front(count),
                    [&](Value column, ValueRange carried) {
                      SmallVector<Value> elements =
                          step(column, /*width=*/1, /*copies=*/1);
                      return sums.combine(carried, elements);
                    }));
  return result;
}

/// The results of a phase for a row, or for a part of it.
SmallVector<Value> RowReduction::emitPhase(unsigned next) {
  phase = next;
  Accumulators sums(frame, plan.getReductions(phase));
  bool hasScalars = lanes > 1 && !frame.target.masksBytes;
  SmallVector<Value> totals = sums.neutral(lanes);
  if (hasScalars)
    llvm::append_range(totals, sums.neutral(/*lanes=*/1));
  totals = emitCarryLoop(frame, segmentFirst, segmentLast, 1, totals,
                         [&](Value segment, ValueRange carried) {
                           segmentIndex = space.split(segment, outerReduced);
                           segmentBegin =
                               frame.integers().mul(segment, columns);
                           return passSegment(carried);
                         });
  ValueRange all(totals);
  size_t count = plan.getReductions(phase).size();
  SmallVector<Value> results = sums.foldLanes(all.take_front(count));
  if (hasScalars)
    results = sums.combine(results, all.drop_front(count));
  return results;
}

/// Gives what the phase has reduced and kept to what comes after it.
void RowReduction::provideResults(ValueRange results) {
  for (auto [reduction, result] :
       llvm::zip_equal(plan.getReductions(phase), results))
    elements.provide(reduction->getResult(0),
                     [&, value = result](const Position &, unsigned width) {
                       return splatTo(frame.builder, frame.loc, value, width);
                     });
  for (Value reused : plan.getReusedValues(phase))
    if (rowBuffers.count(reused))
      elements.provide(reused, [&, reused](const Position &, unsigned width) {
        return loadElements(frame.builder, frame.loc, rowBuffers[reused],
                            offsetInRow,
                            {width, width > 1 ? elements.mask : Value()});
      });
}
