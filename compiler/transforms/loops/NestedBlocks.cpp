//===- NestedBlocks.cpp - nested blocks -----------------------------------===//
#include "compiler/transforms/loops/NestedBlocks.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace tg;

void tg::forEachBlock(func::FuncOp function,
                      function_ref<void(Block &)> visit) {
  function.walk([&](RegionOpInterface op) {
    for (Region &region : op->getRegions())
      visit(region.front());
  });
  visit(function.getBody().front());
}

SmallVector<Value> tg::usedValues(Operation *op) {
  llvm::SetVector<Value> values;
  values.insert_range(op->getOperands());
  if (op->getNumRegions())
    getUsedValuesDefinedAbove(op->getRegions(), values);
  return values.takeVector();
}

SmallVector<Operation *> tg::producersInBlock(Operation *op) {
  SmallVector<Operation *> producers;
  for (Value value : usedValues(op))
    if (Operation *source = value.getDefiningOp();
        source && source->getBlock() == op->getBlock())
      producers.push_back(source);
  return producers;
}

bool tg::hasHostEffects(Operation *op) {
  return op
      ->walk([](HostOpInterface host) {
        return isMemoryEffectFree(host) ? WalkResult::advance()
                                        : WalkResult::interrupt();
      })
      .wasInterrupted();
}
