//===- ResultReduction.cpp - sums over the rows of a product --------------===//
#include "compiler/codegen/cpu/contraction/ResultReduction.h"
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/elementwise/VectorLoop.h"

using namespace mlir;
using namespace tg;

static AffineExpr countParts(const ContractionPlan &plan) {
  return plan.m.ceilDiv(plan.shape.rowUnit);
}

static ReductionParts makeParts(const ContractionPlan &plan,
                                ArrayRef<ReductionOpInterface> reductions) {
  KernelFrame &frame = plan.frame;
  IntegerOps ops = frame.entry.integers();
  // One at least, so that sums of no rows are made.
  Value count = ops.max(ops.constant(1), frame.extent(countParts(plan)));
  AffineExpr results = countParts(plan) * plan.n;
  return ReductionParts(frame, reductions, count, frame.extent(plan.n), results,
                        results);
}

static Lanes lanesOf(const ElementEmitter &elements, unsigned lanes) {
  return {lanes, lanes > 1 ? elements.mask : Value()};
}

void tg::storeOutputs(ElementEmitter &elements, ArrayRef<unsigned> numbers,
                      unsigned lanes,
                      function_ref<Position(Value output)> placeOf) {
  KernelContext &context = elements.context;
  SmallVector<Value> values, offsets;
  for (unsigned number : numbers) {
    Value output = context.kernel.getOutputs()[number];
    Position place = placeOf(output);
    values.push_back(elements.elementOrZero(output, place, lanes));
    offsets.push_back(elements.offsetOf(output, place));
  }
  for (auto [number, offset, value] : llvm::zip_equal(numbers, offsets, values))
    storeElements(context.builder, context.loc, context.output(number), offset,
                  value, lanesOf(elements, lanes));
}

ResultReduction::ResultReduction(const ContractionPlan &plan,
                                 const ContractionTile &tile)
    : plan(plan), tile(tile), reductions(plan.reductions->getReductions(0)),
      parts(makeParts(plan, reductions)) {}

unsigned ResultReduction::getLanes() const {
  return staticExtent(plan.n) == 1
             ? 1
             : tuning::kRowSumVectors *
                   chooseLanes(plan.frame.kernel, plan.frame.target);
}

void ResultReduction::reducePart(
    ElementEmitter &elements, Value firstRow, Value endRow, Value column,
    unsigned lanes,
    function_ref<void(Value row, const Position &position)> visit) {
  KernelFrame &frame = plan.frame;
  Accumulators sums(frame, reductions);
  SmallVector<Value> totals = sums.accumulate(
      firstRow, endRow, 1, lanes, /*interleaved=*/1, sums.neutral(lanes),
      [&](Value row) {
        elements.setBarrier(frame.builder.getInsertionBlock());
        Position position =
            plan.space.position(tile.matrixIndex, row, column, lanes);
        SmallVector<Value> operands;
        visit(row, position);
        for (ReductionOpInterface reduction : reductions)
          operands.push_back(elements.elementOrZero(reduction->getOperand(0),
                                                    position, lanes));
        return operands;
      });
  Value part = plan.ops.div(firstRow, plan.ops.constant(plan.shape.rowUnit));
  parts.leave(part, column, totals, lanesOf(elements, lanes),
              [&] { store(elements, column, lanes, totals); });
}

void ResultReduction::store(ElementEmitter &elements, Value column,
                            unsigned lanes, ValueRange totals) {
  KernelFrame &frame = plan.frame;
  elements.setBarrier(frame.builder.getInsertionBlock());
  for (auto [reduction, total] : llvm::zip_equal(reductions, totals))
    elements.provide(
        reduction->getResult(0),
        [value = total](const Position &, unsigned) { return value; });
  Value zero = plan.ops.constant(0);
  SmallVector<Value> matrix(tile.matrixIndex.size(), zero);
  Position position = plan.space.position(matrix, zero, column, lanes);
  storeOutputs(
      elements, plan.reductions->getReducedOutputs(), lanes, [&](Value output) {
        return plan.reductions->reducedPosition(frame, output, position);
      });
}

void ResultReduction::emit(ElementEmitter &elements,
                           function_ref<void()> tiles) {
  auto combine = [&] {
    auto step = [&](Value column, unsigned count, unsigned) {
      store(elements, column, count,
            parts.combine(column, lanesOf(elements, count)));
      return success();
    };
    (void)emitVectorLoop(elements, plan.ops.constant(0), tile.columnCount,
                         getLanes(), /*unroll=*/1, step);
  };
  parts.emit(tile.count, tiles, combine);
}
