//===- KernelEmitter.cpp - dispatch to the emitter of each strategy -------===//
#include "compiler/codegen/cpu/KernelEmitter.h"
#include "compiler/codegen/cpu/KernelFrame.h"

using namespace mlir;
using namespace tg;

static LogicalResult emitTiles(KernelFrame &frame) {
  switch (frame.kernel.getStrategy()) {
  case tgx::Strategy::loop:
    return emitLoop(frame);
  case tgx::Strategy::reduction:
    return emitReduction(frame);
  case tgx::Strategy::contraction:
    return emitContraction(frame);
  case tgx::Strategy::custom:
    return emitCustom(frame);
  }
  llvm_unreachable("a strategy without an emitter");
}

FailureOr<EmittedKernel> tg::emitKernel(tgx::KernelOp kernel,
                                        const TargetDescription &target,
                                        OpBuilder &builder) {
  std::unique_ptr<KernelFrame> frame =
      KernelFrame::create(kernel, target, builder);
  if (!frame || failed(emitTiles(*frame)))
    return failure();
  return frame->finish();
}
