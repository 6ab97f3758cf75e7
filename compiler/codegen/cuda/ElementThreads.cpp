//===- ElementThreads.cpp - threads for the elements of a kernel ----------===//
#include "compiler/codegen/cuda/ElementRun.h"
#include "compiler/codegen/cuda/JoinedAccess.h"
#include "compiler/codegen/cuda/ThreadEmitters.h"
#include "compiler/codegen/cuda/movement/TransposedTile.h"

using namespace mlir;
using namespace tg;

namespace {
/// The code of a thread that computes a run of elements.
class ElementThreads {
public:
  ElementThreads(ThreadFrame &frame, ElementEmitter &elements)
      : frame(frame), elements(elements), space(makeElementSpace(frame)),
        groups(llvm::to_vector(llvm::seq(0u, space.getNumGroups()))),
        count(space.getProduct(groups)), run(frame, space) {}

  LogicalResult emit();

private:
  /// Returns the position of an element of the space.
  Position positionOf(Value number) const {
    return space.position(space.split(number, groups), /*laneGroup=*/0,
                          /*lanes=*/1);
  }
  /// Returns the positions of the elements of the run that begins at `first`.
  SmallVector<Position> positionsFrom(Value first) const;
  /// Returns the offset of the first element of a run in a joined tensor.
  Value offsetOf(Value tensor, Value first, const Position &position) {
    return run.isInRow ? elements.offsetOf(tensor, position) : first;
  }
  /// Returns true as a value if the run that begins at `first` is whole and its
  /// addresses are aligned. Null if this is always so.
  Value canJoin(Value first);
  /// Emits the elements of the outputs at a position.
  LogicalResult compute(const Position &position,
                        SmallVectorImpl<Value> &values);
  /// Emit one element, and a whole run of them.
  LogicalResult emitElement(Value number);
  LogicalResult emitRun(Value first);
  /// Emits a loop over the elements of a run of which some may not exist.
  LogicalResult emitLoop(Value first);

  ThreadFrame &frame;
  ElementEmitter &elements;
  IterationSpace space;
  SmallVector<unsigned> groups;
  AffineExpr count;
  ElementRun run;
};
} // namespace

SmallVector<Position> ElementThreads::positionsFrom(Value first) const {
  IntegerOps ops = frame.indices();
  SmallVector<Position> positions;
  SmallVector<Value> indices = space.split(first, groups);
  Value inRow = indices.back();
  for (unsigned lane = 0; lane < run.width; ++lane) {
    Value distance = ops.constant(lane);
    if (!run.isInRow)
      indices = space.split(ops.add(first, distance), groups);
    else
      indices.back() = ops.add(inRow, distance);
    positions.push_back(space.position(indices, /*laneGroup=*/0, /*lanes=*/1));
  }
  return positions;
}

Value ElementThreads::canJoin(Value first) {
  IntegerOps ops = frame.indices();
  Value holds;
  if (!count.isMultipleOf(run.width))
    holds = ops.compare(arith::CmpIPredicate::sle,
                        ops.add(first, ops.constant(run.width)),
                        frame.extent(count));
  Value bits = unalignedBits(frame, run);
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
  for (Value output : frame.kernel.getOutputs()) {
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
  for (auto [index, value] : llvm::enumerate(values))
    storeElements(frame.builder, frame.loc, frame.output(index),
                  elements.offsetOf(frame.kernel.getOutputs()[index], position),
                  value, Lanes());
  return success();
}

LogicalResult ElementThreads::emitRun(Value first) {
  SmallVector<Position> positions = positionsFrom(first);
  for (BlockArgument argument : run.joined)
    loadRun(frame, elements, argument, positions,
            offsetOf(argument, first,
                     positionIn(frame, argument, positions.front())));
  // The outputs of the first element, of the second, and so on.
  SmallVector<Value> values;
  for (const Position &position : positions)
    if (failed(compute(position, values)))
      return failure();
  auto outputs = frame.kernel.getOutputs();
  for (auto [index, output] : llvm::enumerate(outputs)) {
    SmallVector<Value> neighbours;
    for (unsigned lane = 0; lane < run.width; ++lane)
      neighbours.push_back(values[lane * outputs.size() + index]);
    storeJoined(frame.builder, frame.loc, frame.output(index),
                offsetOf(output, first, positions.front()), neighbours);
  }
  return success();
}

LogicalResult ElementThreads::emitLoop(Value first) {
  IntegerOps ops = frame.indices();
  Value end =
      ops.min(ops.add(first, ops.constant(run.width)), frame.extent(count));
  LogicalResult result = success();
  buildFor(frame.builder, frame.loc, first, end, /*step=*/1,
           [&](Value number) { result = emitElement(number); });
  return result;
}

LogicalResult ElementThreads::emit() {
  Value number = frame.beginThread(count.ceilDiv(run.width));
  if (run.width == 1)
    return emitElement(number);
  IntegerOps ops = frame.indices();
  Value first = ops.mul(number, ops.constant(run.width));
  Value isJoined = canJoin(first);
  if (!isJoined)
    return emitRun(first);
  auto branch = scf::IfOp::create(frame.builder, frame.loc, isJoined,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(frame.builder);
  frame.builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  if (failed(emitRun(first)))
    return failure();
  frame.builder.setInsertionPoint(branch.elseBlock()->getTerminator());
  return emitLoop(first);
}

LogicalResult tg::emitElements(ThreadFrame &frame, ElementEmitter &elements) {
  if (std::optional<TransposedTile> tile = findTransposedTile(frame))
    return emitTransposedTiles(frame, elements, *tile);
  return ElementThreads(frame, elements).emit();
}
