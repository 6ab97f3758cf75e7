//===- GroupElements.cpp - the elements of a reduced group ----------------===//
#include "compiler/codegen/cuda/reduction/GroupElements.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace tg;

/// The numbers of elements that are computed before they are added. The code of
/// expensive ones is long, and their arithmetic hides latencies.
static constexpr int64_t kCheapElements = 8, kExpensiveElements = 2;

/// The elements of all arguments that are loaded for them: more would not fit
/// into the registers of a thread of a large block.
static constexpr int64_t kLoadedElements = 16;

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

int64_t GroupElements::countFullArguments() const {
  return llvm::count_if(frame.kernel.getBlock().getArguments(),
                        [&](Value argument) {
                          return frame.extentsOf(argument) == plan.getExtents();
                        });
}

int64_t GroupElements::countOverlapped(unsigned phase) const {
  if (frame.kernel.getStrategy() != tgx::Strategy::reduction)
    return 1;
  if (plan.isExpensivePhase(phase))
    return kExpensiveElements;
  int64_t loads = std::max<int64_t>(countFullArguments(), 1);
  return llvm::bit_floor(uint64_t(
      std::clamp(kLoadedElements / loads, kExpensiveElements, kCheapElements)));
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

/// Returns the terms of lines that are single elements, which follow each other
/// in a chain, and the first element for each reduction that needs a shift.
GroupPart GroupElements::sumElements(unsigned phase, Accumulators &sums,
                                     Value begin, Value end) {
  size_t width = sums.getTerms().size();
  // Adds `count` elements one after the other to the terms and shifts so far.
  auto addLines = [&](Value first, int64_t count, ValueRange carried) {
    IntegerOps ops = frame.integers();
    SmallVector<Position> positions;
    for (int64_t i = 0; i < count; ++i)
      positions.push_back(
          position(ops.add(first, ops.constant(i)), ops.constant(0)));
    auto batch = emit(phase, positions);
    auto terms = llvm::to_vector(carried.take_front(width));
    auto shifts = llvm::to_vector(carried.drop_front(width));
    Value isFirst = ops.compare(arith::CmpIPredicate::eq, first, begin);
    for (auto [shift, operand] : llvm::zip(shifts, batch.front()))
      shift = arith::SelectOp::create(frame.builder, frame.loc, isFirst,
                                      operand, shift);
    for (ValueRange operands : batch)
      terms = sums.combine(terms, sums.termsOf(operands, shifts));
    terms.append(shifts);
    return terms;
  };
  IntegerOps ops = frame.integers();
  int64_t batch = countOverlapped(phase);
  Value whole = ops.add(begin, ops.roundDown(ops.sub(end, begin), batch));
  SmallVector<Value> state = sums.beginPart(/*lanes=*/1);
  if (sums.usesShifts())
    state.pop_back();
  auto addAll = [&](Value from, Value to, int64_t step) {
    state = emitCarryLoop(frame, from, to, step, state,
                          [&](Value first, ValueRange carried) {
                            return addLines(first, step, carried);
                          });
  };
  addAll(begin, whole, batch);
  if (batch > 1)
    addAll(whole, end, 1);
  return {llvm::to_vector(ArrayRef(state).take_front(width)),
          llvm::to_vector(ArrayRef(state).drop_front(width))};
}

/// Same, for lines in the order of tiles.
GroupPart GroupElements::sumTiles(unsigned phase, Accumulators &sums,
                                  Value begin, Value end) {
  Value zero = frame.integers().constant(0);
  GroupPart part;
  part.shifts = sums.chooseShifts(begin, end, /*lanes=*/1, [&] {
    return compute(phase, position(lineTiles.firstLine(begin), zero)).operands;
  });
  part.terms = lineTiles.chain(sums, begin, end, /*lanes=*/1, [&](Value line) {
    return sums.termsOf(emit(phase, position(line, zero))[0], part.shifts);
  });
  return part;
}

SmallVector<Value>
GroupElements::sumLines(unsigned phase, Accumulators &sums, Value begin,
                        Value end, Accumulators::IterationBuilder sumLine) {
  if (!line.empty()) {
    if (outer.empty())
      return sumLine(begin);
    return lineTiles.chain(sums, begin, end, /*lanes=*/1, sumLine);
  }
  GroupPart part = plan.getOrder().getTile().empty()
                       ? sumElements(phase, sums, begin, end)
                       : sumTiles(phase, sums, begin, end);
  if (sums.usesShifts())
    part.count = lineTiles.countLines(begin, end);
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
