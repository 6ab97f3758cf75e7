//===- ColumnReduction.cpp - groups side by side, lines in slots ----------===//
#include "compiler/codegen/cuda/reduction/LineSum.h"
#include "compiler/codegen/cuda/reduction/ReductionEmitters.h"
#include "compiler/codegen/cuda/reduction/SharedTotals.h"

using namespace mlir;
using namespace tg;

namespace {

/// Emits a kernel whose blocks reduce neighbouring groups. Each group has a
/// thread in each slot, and the slots sum different blocks of lines.
class Columns {
public:
  Columns(GroupElements &group, const ReductionForm &form)
      : group(group), frame(group.frame), form(form) {}
  void emit();

private:
  void beginTeam();
  Value endFor(Value begin, Value end);
  SmallVector<Value> sumBlock(unsigned phase, Accumulators &sums, Value begin,
                              Value end);
  void emitStores(unsigned phase);
  SmallVector<Value> emitPhase(unsigned phase);

  GroupElements &group;
  ThreadFrame &frame;
  const ReductionForm &form;
  Value slot;
  /// True for threads of slot 0.
  Value isFirst;
  /// True if the thread has a group; null if all threads have one.
  Value hasGroup;
  std::unique_ptr<SharedTotals> shared;
};

} // namespace

/// Begins the code of a thread. Threads without a group have the last one, but
/// visit no elements.
void Columns::beginTeam() {
  unsigned blockThreads = form.columns * form.slots;
  AffineExpr groups = group.countGroups();
  Thread thread = frame.beginTeam(groups.ceilDiv(form.columns),
                                  {blockThreads, blockThreads});
  IntegerOps ops = frame.integers();
  Value columns = ops.constant(form.columns);
  Value column = ops.rem(thread.member, columns);
  slot = ops.div(thread.member, columns);
  isFirst = ops.compare(arith::CmpIPredicate::eq, slot, ops.constant(0));
  Value number = ops.add(ops.mul(thread.team, columns), column);
  if (groups.getLargestKnownDivisor() % form.columns != 0) {
    Value count = frame.extent(groups);
    hasGroup = ops.compare(arith::CmpIPredicate::slt, number, count);
    number = ops.min(number, ops.sub(count, ops.constant(1)));
  }
  group.setGroup(number);
  shared = std::make_unique<SharedTotals>(frame, slot, form.slots, column,
                                          form.columns);
}

/// Returns the end of the lines [begin, end) that the thread visits.
Value Columns::endFor(Value begin, Value end) {
  if (!hasGroup)
    return end;
  return arith::SelectOp::create(frame.builder, frame.loc, hasGroup, end,
                                 begin);
}

/// Returns the total of the lines of a slot.
SmallVector<Value> Columns::sumBlock(unsigned phase, Accumulators &sums,
                                     Value begin, Value end) {
  LineChains chains(group.plan.getOrder(), group.countElements());
  auto sumLine = [&](Value line) {
    LineSum lineSum(frame, sums, chains, group.countElements());
    return lineSum.emit([&](Value element) {
      return group.emit(phase, group.position(line, element))[0];
    });
  };
  SmallVector<int64_t> sizes = group.lineBlocks();
  return sums.nest(begin, endFor(begin, end),
                   ArrayRef(sizes).take_front(form.level), /*lanes=*/1,
                   [&](Value first, Value last) {
                     return group.sumLines(phase, sums, first, last, sumLine);
                   });
}

/// Emits a phase without reductions.
void Columns::emitStores(unsigned phase) {
  Value zero = frame.integers().constant(0);
  Value end = endFor(zero, frame.extent(group.countLines()));
  buildFor(frame.builder, frame.loc, slot, end, form.slots, [&](Value line) {
    Value count = frame.extent(group.countElements());
    emitCarryLoop(frame, zero, count, 1, {},
                  [&](Value element, ValueRange) -> SmallVector<Value> {
                    group.emit(phase, group.position(line, element));
                    return {};
                  });
  });
}

SmallVector<Value> Columns::emitPhase(unsigned phase) {
  if (phase > 0 && group.hasStores(phase))
    emitBarrier(frame.builder, frame.loc);
  ArrayRef<ReductionOpInterface> reductions = group.plan.getReductions(phase);
  if (reductions.empty()) {
    emitStores(phase);
    return {};
  }
  Accumulators sums(frame, reductions);
  SmallVector<int64_t> sizes = group.lineBlocks();
  auto build = [&](Value begin, Value end) {
    return sumBlock(phase, sums, begin, end);
  };
  SmallVector<Value> total = sums.nest(
      frame.integers().constant(0), frame.extent(group.lineTiles.getCount()),
      ArrayRef(sizes).drop_front(form.level + 1), /*lanes=*/1,
      [&](Value begin, Value end) {
        return shared->merge(sums, begin, end, sizes[form.level], build,
                             isFirst);
      });
  if (phase + 1 < group.plan.getNumPhases())
    total = shared->fromFirstSlot(total);
  return group.resultsOf(sums, total);
}

void Columns::emit() {
  beginTeam();
  group.emitPhases([&](unsigned phase) { return emitPhase(phase); });
  if (group.plan.getReducedOutputs().empty())
    return;
  emitBarrier(frame.builder, frame.loc);
  Value stores = isFirst;
  if (hasGroup)
    stores = arith::AndIOp::create(frame.builder, frame.loc, stores, hasGroup);
  buildIf(frame, stores, [&] { group.emitReducedOutputs(); });
}

void tg::emitColumnReduction(GroupElements &group, const ReductionForm &form) {
  Columns(group, form).emit();
}
