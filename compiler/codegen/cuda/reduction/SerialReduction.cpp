//===- SerialReduction.cpp - a thread for each reduced group --------------===//
#include "compiler/codegen/cuda/reduction/LineSum.h"
#include "compiler/codegen/cuda/reduction/ReductionEmitters.h"

using namespace mlir;
using namespace tg;

/// Emits a phase without reductions.
static void emitStores(GroupElements &group, unsigned phase) {
  ThreadFrame &frame = group.frame;
  Value zero = frame.integers().constant(0);
  auto forEach = [&](AffineExpr count, function_ref<void(Value)> build) {
    emitCarryLoop(frame, zero, frame.extent(count), 1, {},
                  [&](Value index, ValueRange) -> SmallVector<Value> {
                    build(index);
                    return {};
                  });
  };
  forEach(group.countLines(), [&](Value line) {
    forEach(group.countElements(), [&](Value element) {
      group.emit(phase, group.position(line, element));
    });
  });
}

/// Emits a pass over the group and returns the results of its reductions.
static SmallVector<Value> emitPhase(GroupElements &group, unsigned phase) {
  ThreadFrame &frame = group.frame;
  ArrayRef<ReductionOpInterface> reductions = group.plan.getReductions(phase);
  if (reductions.empty()) {
    emitStores(group, phase);
    return {};
  }
  Accumulators sums(frame, reductions);
  LineChains chains(group.plan.getOrder(), group.countElements());
  auto sumLine = [&](Value line) {
    LineSum lineSum(frame, sums, chains, group.countElements());
    return lineSum.emit([&](Value element) {
      return group.emit(phase, group.position(line, element))[0];
    });
  };
  SmallVector<Value> total = sums.nest(
      frame.integers().constant(0), frame.extent(group.lineTiles.getCount()),
      group.lineBlocks(), /*lanes=*/1, [&](Value begin, Value end) {
        return group.sumLines(phase, sums, begin, end, sumLine);
      });
  return group.resultsOf(sums, total);
}

void tg::emitSerialReduction(GroupElements &group) {
  group.setGroup(group.frame.beginThread(group.countGroups()));
  group.emitPhases([&](unsigned phase) { return emitPhase(group, phase); });
  group.emitReducedOutputs();
}
