//===- Loop.cpp - kernels whose elements are computed one by one ----------===//
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/elementwise/ElementLoops.h"

using namespace mlir;
using namespace tg;

LogicalResult tg::emitLoop(KernelFrame &frame) {
  ElementEmitter elements(frame);
  return emitElementLoops(frame, elements, tuning::kLoopTileElements);
}
