//===- Loop.cpp - kernels whose elements are computed one by one ----------===//
#include "compiler/codegen/cpu/ElementLoops.h"

using namespace mlir;
using namespace tg;

/// Elements of a tile: long enough to hide a launch, short enough to balance.
static constexpr int64_t kTileElements = 16 * 1024;

FailureOr<EmittedKernel> tg::emitLoop(tgx::KernelOp kernel,
                                      const CpuTarget &target,
                                      OpBuilder &builder) {
  std::unique_ptr<KernelFrame> frame =
      KernelFrame::create(kernel, target, builder);
  if (!frame)
    return failure();
  ElementEmitter elements(*frame);
  if (failed(emitElementLoops(elements, kTileElements)))
    return failure();
  return frame->finish();
}
