//===- ReductionThreads.cpp - a thread for each reduced group -------------===//
#include "compiler/codegen/cuda/LineSum.h"
#include "compiler/codegen/cuda/ThreadEmitters.h"
#include "compiler/codegen/kernel/ReductionPlan.h"
#include "compiler/codegen/kernel/sums/LineTiles.h"

using namespace mlir;
using namespace tg;

namespace {

/// Emits a kernel whose threads reduce one group each, in one pass over the
/// group for each phase of the plan.
class ReducedGroups {
public:
  ReducedGroups(ThreadFrame &frame, ElementEmitter &elements);
  LogicalResult emit();

private:
  Position position(Value lineNumber, Value element);
  void store(ArrayRef<unsigned> outputs,
             function_ref<Position(Value output)> positionOf);
  SmallVector<Value> emitElement(unsigned phase, const Position &position,
                                 bool stores);
  SmallVector<Value> sumColumn(unsigned phase, Accumulators &sums, Value begin,
                               Value end);
  SmallVector<Value> sumLines(unsigned phase, Accumulators &sums, Value begin,
                              Value end);
  void emitStores(unsigned phase);
  SmallVector<Value> emitPhase(unsigned phase);

  ThreadFrame &frame;
  ReductionPlan plan;
  ElementEmitter &elements;
  IterationSpace space;
  LineTiles lineTiles;
  /// The groups of dimensions of the space: not reduced, reduced ones that
  /// count lines, and reduced ones that form a line. Lines without dimensions
  /// are single elements.
  SmallVector<unsigned> parallel, outer, line;
  /// The indices of the reduced group of the thread.
  SmallVector<Value> parallelIndex;
};

} // namespace

ReducedGroups::ReducedGroups(ThreadFrame &frame, ElementEmitter &elements)
    : frame(frame), plan(frame), elements(elements),
      space(plan.makeSpace(frame)), lineTiles(frame, plan) {
  for (unsigned group = 0; group < space.getNumGroups(); ++group) {
    unsigned axis = space.getLastAxis(group);
    if (!plan.isReduced(axis))
      parallel.push_back(group);
    else
      (axis < plan.getFirstLineAxis() ? outer : line).push_back(group);
  }
}

/// Returns the position of an element of a line of the thread's group.
Position ReducedGroups::position(Value lineNumber, Value element) {
  return space.position({{parallel, parallelIndex},
                         {outer, space.split(lineNumber, outer)},
                         {line, space.split(element, line)}},
                        /*laneGroup=*/0, /*lanes=*/1);
}

/// Stores an element of each output. All loads precede the stores, because an
/// output may be the memory of an argument.
void ReducedGroups::store(ArrayRef<unsigned> outputs,
                          function_ref<Position(Value output)> positionOf) {
  SmallVector<std::pair<Value, Value>> stores;
  for (unsigned index : outputs) {
    Value output = frame.kernel.getOutputs()[index];
    Position position = positionOf(output);
    Value value = elements.elementOrZero(output, position, /*lanes=*/1);
    stores.emplace_back(value, elements.offsetOf(output, position));
  }
  for (auto [index, store] : llvm::zip_equal(outputs, stores))
    storeElements(frame.builder, frame.loc, frame.output(index), store.second,
                  store.first, Lanes());
}

/// Returns the operands of the reductions of a phase at a position. If
/// `stores`, also stores the elements of the phase's outputs.
SmallVector<Value> ReducedGroups::emitElement(unsigned phase,
                                              const Position &position,
                                              bool stores) {
  auto operands = llvm::map_to_vector(
      plan.getReductions(phase), [&](ReductionOpInterface reduction) {
        return elements.elementOrZero(reduction->getOperand(0), position,
                                      /*lanes=*/1);
      });
  if (stores)
    store(plan.getFullOutputs(phase), [&](Value) { return position; });
  return operands;
}

/// Returns the total of a block of lines that are single elements.
SmallVector<Value> ReducedGroups::sumColumn(unsigned phase, Accumulators &sums,
                                            Value begin, Value end) {
  Value zero = frame.integers().constant(0);
  GroupPart part;
  part.shifts = sums.chooseShifts(begin, end, /*lanes=*/1, [&] {
    return emitElement(phase, position(lineTiles.firstLine(begin), zero),
                       /*stores=*/false);
  });
  if (sums.usesShifts())
    part.count = lineTiles.countLines(begin, end);
  part.terms =
      lineTiles.chain(sums, begin, end, /*lanes=*/1, [&](Value lineNumber) {
        return sums.termsOf(
            emitElement(phase, position(lineNumber, zero), /*stores=*/true),
            part.shifts);
      });
  return sums.asTotal(part);
}

/// Returns the sum of a block of lines.
SmallVector<Value> ReducedGroups::sumLines(unsigned phase, Accumulators &sums,
                                           Value begin, Value end) {
  auto sumLine = [&](Value lineNumber) {
    LineSum lineSum(frame, sums, plan.getOrder(), space.getProduct(line));
    return lineSum.emit([&](Value element) {
      return emitElement(phase, position(lineNumber, element),
                         /*stores=*/true);
    });
  };
  if (outer.empty())
    return sumLine(begin);
  return lineTiles.chain(sums, begin, end, /*lanes=*/1, sumLine);
}

/// Emits a phase without reductions.
void ReducedGroups::emitStores(unsigned phase) {
  IntegerOps ops = frame.integers();
  Value zero = ops.constant(0);
  auto forEach = [&](ArrayRef<unsigned> groups,
                     function_ref<void(Value)> build) {
    Value count = frame.extent(space.getProduct(groups));
    emitCarryLoop(frame, zero, count, 1, {},
                  [&](Value index, ValueRange) -> SmallVector<Value> {
                    build(index);
                    return {};
                  });
  };
  forEach(outer, [&](Value lineNumber) {
    forEach(line, [&](Value element) {
      emitElement(phase, position(lineNumber, element), /*stores=*/true);
    });
  });
}

/// Emits a pass over the group and returns the results of its reductions.
SmallVector<Value> ReducedGroups::emitPhase(unsigned phase) {
  ArrayRef<ReductionOpInterface> reductions = plan.getReductions(phase);
  if (reductions.empty()) {
    emitStores(phase);
    return {};
  }
  Accumulators sums(frame, reductions);
  SmallVector<int64_t> blocks;
  if (line.empty() || !outer.empty())
    blocks = blockSizes(1, plan.getOrder().getLines());
  SmallVector<Value> total = sums.nest(
      frame.integers().constant(0), frame.extent(lineTiles.getCount()), blocks,
      /*lanes=*/1, [&](Value begin, Value end) {
        return line.empty() ? sumColumn(phase, sums, begin, end)
                            : sumLines(phase, sums, begin, end);
      });
  Value count = sums.usesShifts() ? total.back() : Value();
  return sums.resultsOf(ArrayRef(total).take_front(sums.getTerms().size()),
                        count);
}

LogicalResult ReducedGroups::emit() {
  Value number = frame.beginThread(space.getProduct(parallel));
  parallelIndex = space.split(number, parallel);
  elements.setBarrier(frame.builder.getInsertionBlock());
  for (unsigned phase = 0; phase < plan.getNumPhases(); ++phase)
    provideResults(elements, plan.getReductions(phase), emitPhase(phase));
  Value zero = frame.integers().constant(0);
  Position first = position(zero, zero);
  store(plan.getReducedOutputs(), [&](Value output) {
    return plan.reducedPosition(frame, output, first);
  });
  return failure(elements.hasFailed());
}

LogicalResult tg::emitReducedGroups(ThreadFrame &frame,
                                    ElementEmitter &elements) {
  return ReducedGroups(frame, elements).emit();
}
