//===- CumsumThreads.cpp - a thread for each line of running sums ---------===//
#include "compiler/codegen/cuda/custom/CustomThreads.h"
#include "compiler/codegen/kernel/IterationSpace.h"
#include "dialects/tg/ops/structured/ReductionOps.h"

using namespace mlir;
using namespace tg;

namespace {

/// Emits a thread that sums one line along the axis, in steps of as many
/// elements as the order of the sum has lanes. Carried floating-point sums have
/// type f64. Sums of integers do not depend on the order, so that their steps
/// have one element.
class RunningSums {
public:
  RunningSums(ThreadFrame &frame, CumsumOp op);
  LogicalResult emit();

private:
  Position position(Value element);
  Value read(Value element);
  void write(Value element, Value value);
  Value add(Value lhs, Value rhs);
  /// Converts from the element type to the type of carried sums, and back.
  Value extend(Value value);
  Value truncate(Value sum);
  Value zeroOf(Type type) {
    return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  }
  Value addElement(Value element, Value carried);
  SmallVector<Value> sumWithin(SmallVector<Value> terms);
  Value addStep(Value first, Value carried, bool isWhole);

  ThreadFrame &frame;
  CumsumOp op;
  OpBuilder &builder;
  Location loc;
  IntegerOps ops;
  ElementEmitter elements;
  Elements memory;
  IterationSpace space;
  /// The groups of dimensions of the space that count lines, and the one that
  /// forms a line, which does not exist if the extent is 1.
  SmallVector<unsigned> parallel, line;
  /// The indices of the line of the thread.
  SmallVector<Value> parallelIndex;
  /// The types of elements and of carried sums.
  Type elementType, sumType;
  unsigned stepSize;
  Value extent;
};

} // namespace

/// Dimensions on one side of the axis are collapsed if the elements are in
/// memory.
static IterationSpace makeLineSpace(ThreadFrame &frame, CumsumOp op) {
  unsigned axis = op.getAxis();
  return IterationSpace(frame, frame.extentsOf(op.getInput()),
                        [&](unsigned other, unsigned previous) {
                          return isa<BlockArgument>(op.getInput()) &&
                                 (other < axis || previous > axis);
                        });
}

RunningSums::RunningSums(ThreadFrame &frame, CumsumOp op)
    : frame(frame), op(op), builder(frame.builder), loc(frame.loc),
      ops(frame.integers()), elements(frame),
      memory(resultMemory(frame, op.getResult())),
      space(makeLineSpace(frame, op)) {
  for (unsigned group = 0; group < space.getNumGroups(); ++group)
    (space.getLastAxis(group) == op.getAxis() ? line : parallel)
        .push_back(group);
  elementType = computeType(getElementTypeOrSelf(op.getInput()));
  bool isFloat = isa<FloatType>(elementType);
  sumType = isFloat ? builder.getF64Type() : elementType;
  stepSize = isFloat ? orderOf(op).getLanes() : 1;
}

//===----------------------------------------------------------------------===//
// Elements and sums
//===----------------------------------------------------------------------===//

/// Returns the position of an element, which is counted in the order of the
/// sum.
Position RunningSums::position(Value element) {
  if (op.getReverse())
    element = ops.sub(ops.sub(extent, ops.constant(1)), element);
  return space.position(
      {{parallel, parallelIndex}, {line, space.split(element, line)}},
      /*laneGroup=*/0, /*lanes=*/1);
}

Value RunningSums::read(Value element) {
  return elements.elementOrZero(op.getInput(), position(element), /*lanes=*/1);
}

void RunningSums::write(Value element, Value value) {
  Value offset = elements.offsetOf(op.getResult(), position(element));
  storeElements(builder, loc, memory, offset, value, Lanes());
}

Value RunningSums::add(Value lhs, Value rhs) {
  if (isa<FloatType>(sumType))
    return arith::AddFOp::create(builder, loc, lhs, rhs);
  return arith::AddIOp::create(builder, loc, lhs, rhs);
}

Value RunningSums::extend(Value value) {
  if (elementType == sumType)
    return value;
  return arith::ExtFOp::create(builder, loc, sumType, value);
}

Value RunningSums::truncate(Value sum) {
  if (elementType == sumType)
    return sum;
  return arith::TruncFOp::create(builder, loc, elementType, sum);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// Writes the sum of a step that is a single element. Returns the sum up to it.
Value RunningSums::addElement(Value element, Value carried) {
  Value next = add(carried, extend(read(element)));
  write(element, truncate(op.getExclusive() ? carried : next));
  return next;
}

/// Returns the running sums of the terms of a step, computed by shifts of 1, 2,
/// 4, ... terms.
SmallVector<Value> RunningSums::sumWithin(SmallVector<Value> terms) {
  Value zero = zeroOf(elementType);
  for (unsigned distance = 1; distance < stepSize; distance *= 2)
    for (unsigned i = stepSize; i-- > 0;)
      terms[i] = add(terms[i], i < distance ? zero : terms[i - distance]);
  return terms;
}

/// Writes the sums of the step from the element `first` on. Elements beyond the
/// end count as zeros unless the step is whole. `carried` is the sum of all
/// elements before the step. Returns the sum up to its last element.
Value RunningSums::addStep(Value first, Value carried, bool isWhole) {
  SmallVector<Value> places, isInside, terms;
  Value zero = zeroOf(elementType);
  Value last = ops.sub(extent, ops.constant(1));
  for (unsigned i = 0; i < stepSize; ++i) {
    places.push_back(ops.add(first, ops.constant(i)));
    if (isWhole) {
      terms.push_back(read(places[i]));
      continue;
    }
    isInside.push_back(
        ops.compare(arith::CmpIPredicate::slt, places[i], extent));
    Value term = read(ops.min(places[i], last));
    terms.push_back(
        arith::SelectOp::create(builder, loc, isInside[i], term, zero));
  }
  SmallVector<Value> sums = sumWithin(terms);
  Value preceding = truncate(carried);
  for (unsigned i = 0; i < stepSize; ++i) {
    OpBuilder::InsertionGuard guard(builder);
    if (!isWhole) {
      auto branch = scf::IfOp::create(builder, loc, isInside[i],
                                      /*withElseRegion=*/false);
      builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    }
    Value within = sums[i];
    if (op.getExclusive())
      within = i ? sums[i - 1] : zero;
    write(places[i], add(within, preceding));
  }
  return add(carried, extend(sums.back()));
}

LogicalResult RunningSums::emit() {
  Value number = frame.beginThread(space.getProduct(parallel));
  parallelIndex = space.split(number, parallel);
  extent = frame.extent(space.getProduct(line));
  Value zero = ops.constant(0);
  Value whole = ops.roundDown(extent, stepSize);
  SmallVector<Value> carried = emitCarryLoop(
      frame, zero, whole, stepSize, zeroOf(sumType),
      [&](Value first, ValueRange sums) -> SmallVector<Value> {
        return {stepSize == 1 ? addElement(first, sums[0])
                              : addStep(first, sums[0], /*isWhole=*/true)};
      });
  if (stepSize > 1)
    emitCarryLoop(frame, whole, extent, stepSize, {},
                  [&](Value first, ValueRange) -> SmallVector<Value> {
                    addStep(first, carried[0], /*isWhole=*/false);
                    return {};
                  });
  return failure(elements.hasFailed());
}

namespace {
struct CumsumThreads
    : CustomThreadsOpInterface::ExternalModel<CumsumThreads, CumsumOp> {
  LogicalResult emitCustomThreads(Operation *op, ThreadFrame &frame) const {
    return RunningSums(frame, cast<CumsumOp>(op)).emit();
  }
};
} // namespace

void tg::attachCumsumThreads(MLIRContext *context) {
  CumsumOp::attachInterface<CumsumThreads>(*context);
}
