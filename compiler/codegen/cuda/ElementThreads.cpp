//===- ElementThreads.cpp - threads for the elements of a kernel ----------===//
#include "compiler/codegen/cuda/ElementThreads.h"
#include "compiler/codegen/cuda/JoinedAccess.h"
#include "compiler/codegen/cuda/ThreadEmitters.h"
#include "compiler/codegen/cuda/movement/TransposedTile.h"

using namespace mlir;
using namespace tg;

SmallVector<Position> ElementThreads::positionsFrom(Value first,
                                                    bool isInRow) const {
  IntegerOps ops = frame.indices();
  SmallVector<Position> positions;
  SmallVector<Value> indices = space.split(first, groups);
  Value inRow = indices.back();
  for (unsigned lane = 0; lane < run.width; ++lane) {
    Value distance = ops.constant(lane);
    if (!isInRow)
      indices = space.split(ops.add(first, distance), groups);
    else
      indices.back() = ops.add(inRow, distance);
    positions.push_back(space.position(indices, /*laneGroup=*/0, /*lanes=*/1));
  }
  return positions;
}

Value ElementThreads::canJoin(Value first, const ElementRange &range) {
  IntegerOps ops = frame.indices();
  Value holds;
  if (!range.isWhole)
    holds = ops.compare(arith::CmpIPredicate::sle,
                        ops.add(first, ops.constant(run.width)), range.count);
  Value bits = unalignedBits(frame, run, range.alignmentOf);
  if (!bits)
    return holds;
  Value areAligned = frame.integers().compare(arith::CmpIPredicate::eq, bits,
                                              frame.integers().constant(0));
  return holds ? arith::AndIOp::create(frame.builder, frame.loc, holds,
                                       areAligned)
               : areAligned;
}

LogicalResult ElementThreads::compute(const Position &position,
                                      SmallVectorImpl<Value> &values) {
  for (Value output : run.outputs) {
    FailureOr<Value> value = elements.element(output, position, /*lanes=*/1);
    if (failed(value))
      return failure();
    values.push_back(*value);
  }
  return success();
}

// All loads of a thread precede its stores, because an output may be the memory
// of an argument.
LogicalResult ElementThreads::emitElement(Value number) {
  Position position = positionOf(number);
  SmallVector<Value> values;
  if (failed(compute(position, values)))
    return failure();
  for (auto [output, value] : llvm::zip_equal(run.outputs, values))
    storeElements(frame.builder, frame.loc, frame.outputOf(output),
                  elements.offsetOf(output, position), value, Lanes());
  return success();
}

LogicalResult ElementThreads::emitRun(Value first, const ElementRun &run) {
  SmallVector<Position> positions = positionsFrom(first, run.isInRow);
  auto offsetOf = [&](Value tensor, const Position &position) {
    return run.isInRow ? elements.offsetOf(tensor, position) : first;
  };
  for (BlockArgument argument : run.joined)
    loadRun(frame, elements, argument, positions,
            offsetOf(argument, positionIn(frame, argument, positions.front())));
  // The outputs of the first element, of the second, and so on.
  SmallVector<Value> values;
  for (const Position &position : positions)
    if (failed(compute(position, values)))
      return failure();
  size_t outputs = run.outputs.size();
  for (auto [index, output] : llvm::enumerate(run.outputs)) {
    SmallVector<Value> neighbours;
    for (unsigned lane = 0; lane < run.width; ++lane)
      neighbours.push_back(values[lane * outputs + index]);
    storeJoined(frame.builder, frame.loc, frame.outputOf(output),
                offsetOf(output, positions.front()), neighbours);
  }
  return success();
}

LogicalResult ElementThreads::emitLoop(Value first, Value count) {
  IntegerOps ops = frame.indices();
  Value end = ops.min(ops.add(first, ops.constant(run.width)), count);
  LogicalResult result = success();
  buildFor(frame.builder, frame.loc, first, end, /*step=*/1,
           [&](Value number) { result = emitElement(number); });
  return result;
}

bool ElementThreads::hasRowRun() const {
  return !run.isInRow && rowRun.width == run.width &&
         !staticExtent(space.getExtent(groups.back()));
}

LogicalResult ElementThreads::emitIf(Value condition,
                                     function_ref<LogicalResult()> build,
                                     function_ref<LogicalResult()> otherwise) {
  auto branch = scf::IfOp::create(frame.builder, frame.loc, condition,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(frame.builder);
  frame.builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  if (failed(build()))
    return failure();
  frame.builder.setInsertionPoint(branch.elseBlock()->getTerminator());
  return otherwise();
}

LogicalResult ElementThreads::emitWhole(Value first,
                                        const ElementRange &range) {
  if (!hasRowRun())
    return emitRun(first, run);
  IntegerOps ops = frame.indices();
  Value rest = ops.rem(frame.extent(space.getExtent(groups.back())),
                       ops.constant(run.width));
  if (Value bits = unalignedBits(frame, rowRun, range.alignmentOf))
    rest = arith::OrIOp::create(frame.builder, frame.loc, rest, bits);
  Value areWhole = ops.compare(arith::CmpIPredicate::eq, rest, ops.constant(0));
  return emitIf(
      areWhole, [&] { return emitRun(first, rowRun); },
      [&] { return emitRun(first, run); });
}

LogicalResult ElementThreads::emit(Value first, const ElementRange &range) {
  if (run.width == 1)
    return emitElement(first);
  Value isJoined = canJoin(first, range);
  if (!isJoined)
    return emitWhole(first, range);
  return emitIf(
      isJoined, [&] { return emitWhole(first, range); },
      [&] { return emitLoop(first, range.count); });
}

LogicalResult tg::emitElements(ThreadFrame &frame, ElementEmitter &elements) {
  if (std::optional<TransposedTile> tile = findTransposedTile(frame))
    return emitTransposedTiles(frame, elements, *tile);
  tgx::KernelOp kernel = frame.kernel;
  ElementThreads threads(frame, elements, wholeOf(kernel));
  unsigned width = threads.getWidth();
  AffineExpr count =
      productOf(frame.extentsOf(kernel.getOutputs()[0]), kernel.getContext());
  Value number = frame.beginThread(count.ceilDiv(width));
  IntegerOps ops = frame.indices();
  return threads.emit(
      ops.mul(number, ops.constant(width)),
      {frame.extent(count), count.isMultipleOf(width),
       [&](Value tensor) { return frame.alignmentOf(tensor); }});
}
