//===- Loop.cpp - kernels whose elements are computed one by one ----------===//
#include "compiler/codegen/kernel/ElementLoops.h"

using namespace mlir;
using namespace tg;

/// Elements of a tile: long enough to hide a launch, short enough to balance.
static constexpr int64_t kTileElements = 16 * 1024;

LogicalResult tg::emitLoop(KernelFrame &frame) {
  ElementEmitter elements(frame);
  return emitElementLoops(elements, kTileElements);
}
