//===- SharedTotals.cpp - totals that threads of a block merge ------------===//
#include "compiler/codegen/cuda/reduction/SharedTotals.h"
#include "compiler/codegen/cuda/reduction/GroupElements.h"

using namespace mlir;
using namespace tg;

/// Returns an array for each value, of its type.
SmallVector<Elements> SharedTotals::arraysFor(ValueRange values) {
  SmallVector<Elements> chosen;
  SmallVector<bool> isTaken(arrays.size());
  for (Value value : values) {
    Type type = value.getType();
    size_t number = 0;
    while (number < isTaken.size() &&
           (isTaken[number] || arrays[number].elementType != type))
      ++number;
    if (number == arrays.size()) {
      arrays.push_back(frame.share(type, slots * places));
      isTaken.push_back(false);
    }
    isTaken[number] = true;
    chosen.push_back(arrays[number]);
  }
  return chosen;
}

/// Returns the offset of the place of this thread in a slot. Neighbouring
/// threads access neighbouring elements, so that no two share a bank.
Value SharedTotals::offsetAt(Value number) const {
  IntegerOps ops = frame.integers();
  return ops.add(ops.mul(number, ops.constant(places)), place);
}

SmallVector<Value> SharedTotals::load(ArrayRef<Elements> from, Value number) {
  return llvm::map_to_vector(from, [&](const Elements &array) {
    return loadElements(frame.builder, frame.loc, array, offsetAt(number),
                        Lanes());
  });
}

void SharedTotals::store(ArrayRef<Elements> to, ValueRange values) {
  for (auto [array, value] : llvm::zip_equal(to, values))
    storeElements(frame.builder, frame.loc, array, offsetAt(slot), value,
                  Lanes());
}

SmallVector<Value> SharedTotals::merge(Accumulators &sums, Value begin,
                                       Value end, int64_t size,
                                       Accumulators::BlockBuilder build,
                                       Value merges) {
  auto mergeRound = [&](Value first, ValueRange carried) {
    IntegerOps ops = frame.integers();
    Value own = ops.min(end, ops.add(first, ops.mul(slot, ops.constant(size))));
    Value last = ops.min(end, ops.add(own, ops.constant(size)));
    SmallVector<Value> total = build(own, last);
    SmallVector<Elements> memory = arraysFor(total);
    store(memory, total);
    emitBarrier(frame.builder, frame.loc);
    Value count = ops.min(
        ops.constant(slots),
        frame.indices().ceilDiv(ops.sub(end, first), ops.constant(size)));
    auto mergeAll = [&] {
      return buildFor(frame.builder, frame.loc, ops.constant(0), count, 1,
                      carried, [&](Value number, ValueRange merged) {
                        return sums.mergeTotals(merged, load(memory, number));
                      });
    };
    SmallVector<Value> merged =
        merges ? buildIf(frame, merges, carried, mergeAll) : mergeAll();
    // The next round, or the next sum, overwrites the totals.
    emitBarrier(frame.builder, frame.loc);
    return merged;
  };
  return emitCarryLoop(frame, begin, end, size * slots,
                       sums.emptyTotal(/*lanes=*/1), mergeRound);
}

SmallVector<Value> SharedTotals::fromFirstSlot(ValueRange values) {
  SmallVector<Elements> memory = arraysFor(values);
  IntegerOps ops = frame.integers();
  Value isFirst = ops.compare(arith::CmpIPredicate::eq, slot, ops.constant(0));
  buildIf(frame, isFirst, [&] { store(memory, values); });
  emitBarrier(frame.builder, frame.loc);
  SmallVector<Value> result = load(memory, ops.constant(0));
  emitBarrier(frame.builder, frame.loc);
  return result;
}
