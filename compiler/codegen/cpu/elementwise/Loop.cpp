//===- Loop.cpp - kernels of strategy "loop" ------------------------------===//
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/elementwise/ElementLoops.h"
#include "compiler/codegen/kernel/Cost.h"

using namespace mlir;
using namespace tg;

/// Returns the number of elements of a tile.
static int64_t tileElements(Block &body) {
  int64_t expensive =
      llvm::count_if(body, [](Operation &op) { return isExpensive(&op); });
  return expensive < tuning::kManyExpensiveOps ? tuning::kLoopTileElements
                                               : tuning::kExpensiveTileElements;
}

LogicalResult tg::emitLoop(KernelFrame &frame) {
  int64_t count = tileElements(frame.kernel.getBlock());
  if (frame.kernel.getParts())
    return emitPartLoops(frame, count);
  ElementEmitter elements(frame);
  return emitElementLoops(frame, elements, count);
}
