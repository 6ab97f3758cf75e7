//===- ElementThreads.cpp - a thread for each element ---------------------===//
#include "compiler/codegen/cuda/ThreadEmitters.h"
#include "compiler/codegen/kernel/IterationSpace.h"

using namespace mlir;
using namespace tg;

LogicalResult tg::emitElements(ThreadFrame &frame, ElementEmitter &elements) {
  IterationSpace space = makeElementSpace(frame);
  auto groups = llvm::to_vector(llvm::seq(0u, space.getNumGroups()));
  Value number = frame.beginThread(space.getProduct(groups));
  Position position = space.position(space.split(number, groups),
                                     /*laneGroup=*/0, /*lanes=*/1);
  SmallVector<std::pair<Value, Value>> stores;
  for (Value output : frame.kernel.getOutputs()) {
    FailureOr<Value> value = elements.element(output, position, /*lanes=*/1);
    if (failed(value))
      return failure();
    stores.emplace_back(*value, elements.offsetOf(output, position));
  }
  // All loads precede the stores, because an output may be the memory of an
  // argument.
  for (auto [index, store] : llvm::enumerate(stores))
    storeElements(frame.builder, frame.loc, frame.output(index), store.second,
                  store.first, Lanes());
  return success();
}
