//===- ResultReduction.cpp - reductions over the rows of a product --------===//
#include "compiler/codegen/cpu/contraction/gemm/ResultReduction.h"
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/elementwise/VectorLoop.h"

using namespace mlir;
using namespace tg;

std::optional<ReductionPlan> tg::planReductions(KernelFrame &frame) {
  if (frame.kernel.getBlock().getOps<ReductionOpInterface>().empty())
    return std::nullopt;
  return ReductionPlan(frame);
}

SmallVector<unsigned>
tg::fullOutputsOf(KernelFrame &frame,
                  const std::optional<ReductionPlan> &reductions) {
  if (reductions)
    return llvm::to_vector(reductions->getFullOutputs(0));
  return llvm::to_vector(llvm::seq<unsigned>(frame.kernel.getOutputs().size()));
}

static ReductionParts makeParts(const ResultReduction::Rows &rows,
                                ArrayRef<ReductionOpInterface> reductions) {
  KernelFrame &frame = rows.frame;
  IntegerOps ops = frame.entry.integers();
  // There is at least one part, so that sums over no rows are computed.
  Value count = ops.max(ops.constant(1), frame.extent(rows.parts));
  AffineExpr columns = rows.space.getColumns();
  AffineExpr results = rows.parts * columns;
  // A part is a smallest block of the order.
  ArrayRef<int64_t> lines = rows.plan.getOrder().getLines();
  SmallVector<int64_t> folds =
      blockSizes(1, lines.drop_front(std::min<size_t>(1, lines.size())));
  return ReductionParts(frame, reductions, count, frame.extent(columns),
                        {rows.parts, rows.parts}, {results, results}, folds,
                        ReductionParts::Form::part);
}

Lanes tg::lanesOf(const ElementEmitter &elements, unsigned lanes) {
  return {lanes, lanes > 1 ? elements.mask : Value()};
}

void tg::storeOutputs(ElementEmitter &elements, ArrayRef<unsigned> indices,
                      unsigned lanes,
                      function_ref<Position(Value output)> positionOf,
                      const NonTemporalStores *nonTemporal) {
  KernelContext &context = elements.context;
  SmallVector<Value> values, offsets;
  for (unsigned index : indices) {
    Value output = context.kernel.getOutputs()[index];
    Position position = positionOf(output);
    values.push_back(elements.elementOrZero(output, position, lanes));
    offsets.push_back(elements.offsetOf(output, position));
  }
  for (auto [index, offset, value] :
       llvm::zip_equal(indices, offsets, values)) {
    Elements output = context.output(index);
    Lanes active = lanesOf(elements, lanes);
    bool isWhole = !active.mask && lanes * elementBytes(output.elementType) %
                                           context.target.vectorBytes ==
                                       0;
    storeElements(context.builder, context.loc, output, offset, value, active,
                  nonTemporal && isWhole ? nonTemporal->alignmentOf(index) : 0);
  }
}

ResultReduction::ResultReduction(const Rows &rows)
    : rows(rows), reductions(rows.plan.getReductions(0)),
      parts(makeParts(rows, reductions)) {}

unsigned ResultReduction::getLanes() const {
  return staticExtent(rows.space.getColumns()) == 1
             ? 1
             : tuning::kRowSumVectors *
                   chooseLanes(rows.frame.kernel, rows.frame.target);
}

SmallVector<Value> ResultReduction::operandsAt(ElementEmitter &elements,
                                               const Position &position,
                                               unsigned lanes) const {
  return llvm::map_to_vector(reductions, [&](ReductionOpInterface reduction) {
    return elements.elementOrZero(reduction->getOperand(0), position, lanes);
  });
}

void ResultReduction::storePart(ElementEmitter &elements, Value part,
                                Value column, unsigned lanes,
                                const GroupPart &partial) {
  parts.finishPart(
      part, column, partial, lanesOf(elements, lanes),
      [&](ValueRange results) { store(elements, column, lanes, results); });
}

void ResultReduction::store(ElementEmitter &elements, Value column,
                            unsigned lanes, ValueRange results) {
  KernelFrame &frame = rows.frame;
  elements.setBarrier(frame.builder.getInsertionBlock());
  provideResults(elements, reductions, results);
  Value zero = frame.integers().constant(0);
  Position position =
      rows.space.position(rows.space.split(zero), zero, column, lanes);
  storeOutputs(elements, rows.plan.getReducedOutputs(), lanes,
               [&](Value output) {
                 return rows.plan.reducedPosition(frame, output, position);
               });
}

void ResultReduction::emit(ElementEmitter &elements, Value tileCount,
                           function_ref<void()> tiles) {
  Value columns = rows.frame.extent(rows.space.getColumns());
  auto finalize = [&] {
    auto step = [&](Value column, unsigned count, unsigned) {
      store(elements, column, count,
            parts.combine(column, lanesOf(elements, count)));
      return success();
    };
    (void)emitVectorLoop(elements, rows.frame.integers().constant(0), columns,
                         getLanes(), /*unroll=*/1, step);
  };
  parts.emit(tileCount, tiles, finalize);
}
