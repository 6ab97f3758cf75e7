//===- Loop.cpp - kernels whose elements are computed one by one ----------===//
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/kernel/ElementLoops.h"

using namespace mlir;
using namespace tg;

LogicalResult tg::emitLoop(KernelFrame &frame) {
  ElementEmitter elements(frame);
  return emitElementLoops(elements, tuning::kLoopTileElements);
}
