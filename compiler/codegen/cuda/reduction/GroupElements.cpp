//===- GroupElements.cpp - the elements of a reduced group ----------------===//
#include "compiler/codegen/cuda/reduction/GroupElements.h"

using namespace mlir;
using namespace tg;

/// The numbers of elements that are computed before they are added. The code of
/// expensive ones is long, and their arithmetic hides latencies.
static constexpr int64_t kCheapElements = 8, kExpensiveElements = 2;

GroupElements::GroupElements(ThreadFrame &frame, ElementEmitter &elements)
    : frame(frame), elements(elements), plan(frame), lineTiles(frame, plan),
      space(plan.makeSpace(frame)) {
  plan.divideGroups(space, parallel, outer, line);
}

void GroupElements::setGroup(Value number) {
  parallelIndex = space.split(number, parallel);
  elements.setBarrier(frame.builder.getInsertionBlock());
}

Position GroupElements::position(Value lineNumber, Value element) const {
  return space.position({{parallel, parallelIndex},
                         {outer, space.split(lineNumber, outer)},
                         {line, space.split(element, line)}},
                        /*laneGroup=*/0, /*lanes=*/1);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

GroupElements::Element GroupElements::compute(unsigned phase,
                                              const Position &position) {
  Element element;
  for (ReductionOpInterface reduction : plan.getReductions(phase))
    element.operands.push_back(elements.elementOrZero(reduction->getOperand(0),
                                                      position, /*lanes=*/1));
  for (unsigned index : plan.getFullOutputs(phase)) {
    Value output = frame.kernel.getOutputs()[index];
    Value value = elements.elementOrZero(output, position, /*lanes=*/1);
    element.stores.push_back(
        {index, elements.offsetOf(output, position), value});
  }
  return element;
}

void GroupElements::store(const Element &element) {
  for (const Element::Store &each : element.stores)
    storeElements(frame.builder, frame.loc, frame.output(each.output),
                  each.offset, each.value, Lanes());
}

SmallVector<SmallVector<Value>>
GroupElements::emit(unsigned phase, ArrayRef<Position> positions) {
  auto batch = llvm::map_to_vector(positions, [&](const Position &position) {
    return compute(phase, position);
  });
  SmallVector<SmallVector<Value>> operands;
  for (const Element &element : batch) {
    store(element);
    operands.push_back(element.operands);
  }
  return operands;
}

int64_t GroupElements::countOverlapped(unsigned phase) const {
  if (frame.kernel.getStrategy() != tgx::Strategy::reduction)
    return 1;
  return plan.isExpensivePhase(phase) ? kExpensiveElements : kCheapElements;
}

void GroupElements::emitReducedOutputs() {
  Value zero = frame.integers().constant(0);
  Position first = position(zero, zero);
  Element element;
  for (unsigned index : plan.getReducedOutputs()) {
    Value output = frame.kernel.getOutputs()[index];
    Position reduced = plan.reducedPosition(frame, output, first);
    Value value = elements.elementOrZero(output, reduced, /*lanes=*/1);
    element.stores.push_back(
        {index, elements.offsetOf(output, reduced), value});
  }
  store(element);
}

void GroupElements::emitPhases(
    function_ref<SmallVector<Value>(unsigned)> emitPhase) {
  for (unsigned phase = 0; phase < plan.getNumPhases(); ++phase)
    provideResults(elements, plan.getReductions(phase), emitPhase(phase));
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

SmallVector<int64_t> GroupElements::lineBlocks() const {
  if (!line.empty() && outer.empty())
    return {};
  return blockSizes(1, plan.getOrder().getLines());
}

/// Returns the chain of the terms of lines that are single elements.
SmallVector<Value> GroupElements::sumElements(unsigned phase,
                                              Accumulators &sums, Value begin,
                                              Value end, ValueRange shifts) {
  Value zero = frame.integers().constant(0);
  // Adds `count` elements one after the other.
  auto addLines = [&](Value first, int64_t count, ValueRange carried) {
    IntegerOps ops = frame.integers();
    SmallVector<Position> positions;
    for (int64_t i = 0; i < count; ++i)
      positions.push_back(position(ops.add(first, ops.constant(i)), zero));
    SmallVector<Value> next(carried);
    for (ValueRange operands : emit(phase, positions))
      next = sums.combine(next, sums.termsOf(operands, shifts));
    return next;
  };
  if (!plan.getOrder().getTile().empty())
    return lineTiles.chain(sums, begin, end, /*lanes=*/1, [&](Value line) {
      return sums.termsOf(emit(phase, position(line, zero))[0], shifts);
    });
  IntegerOps ops = frame.integers();
  int64_t batch = countOverlapped(phase);
  Value whole = ops.add(begin, ops.roundDown(ops.sub(end, begin), batch));
  SmallVector<Value> sum =
      emitCarryLoop(frame, begin, whole, batch, sums.neutral(/*lanes=*/1),
                    [&](Value first, ValueRange carried) {
                      return addLines(first, batch, carried);
                    });
  if (batch == 1)
    return sum;
  return emitCarryLoop(frame, whole, end, 1, sum,
                       [&](Value first, ValueRange carried) {
                         return addLines(first, 1, carried);
                       });
}

SmallVector<Value>
GroupElements::sumLines(unsigned phase, Accumulators &sums, Value begin,
                        Value end, Accumulators::IterationBuilder sumLine) {
  if (!line.empty()) {
    if (outer.empty())
      return sumLine(begin);
    return lineTiles.chain(sums, begin, end, /*lanes=*/1, sumLine);
  }
  GroupPart part;
  part.shifts = sums.chooseShifts(begin, end, /*lanes=*/1, [&] {
    Value zero = frame.integers().constant(0);
    return compute(phase, position(lineTiles.firstLine(begin), zero)).operands;
  });
  if (sums.usesShifts())
    part.count = lineTiles.countLines(begin, end);
  part.terms = sumElements(phase, sums, begin, end, part.shifts);
  return sums.asTotal(part);
}

SmallVector<Value> GroupElements::resultsOf(Accumulators &sums,
                                            ValueRange total) const {
  Value count = sums.usesShifts() ? total.back() : Value();
  return sums.resultsOf(total.take_front(sums.getTerms().size()), count);
}

void tg::emitByFirst(GroupElements &group, Value member,
                     function_ref<void()> wait) {
  if (group.plan.getReducedOutputs().empty())
    return;
  wait();
  IntegerOps ops = group.frame.integers();
  Value isFirst =
      ops.compare(arith::CmpIPredicate::eq, member, ops.constant(0));
  buildIf(group.frame, isFirst, [&] { group.emitReducedOutputs(); });
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

void tg::buildIf(ThreadFrame &frame, Value condition,
                 function_ref<void()> build) {
  auto branch = scf::IfOp::create(frame.builder, frame.loc, condition,
                                  /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(frame.builder);
  frame.builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  build();
}

SmallVector<Value> tg::buildIf(ThreadFrame &frame, Value condition,
                               ValueRange otherwise,
                               function_ref<SmallVector<Value>()> build) {
  OpBuilder &builder = frame.builder;
  auto branch = scf::IfOp::create(builder, frame.loc, TypeRange(otherwise),
                                  condition, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  SmallVector<Value> values = build();
  scf::YieldOp::create(builder, frame.loc, values);
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, frame.loc, otherwise);
  return llvm::to_vector_of<Value>(branch.getResults());
}
