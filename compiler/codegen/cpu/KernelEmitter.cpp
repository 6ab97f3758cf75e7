//===- KernelEmitter.cpp - the emitter of each strategy -------------------===//
#include "compiler/codegen/cpu/KernelEmitter.h"

using namespace mlir;
using namespace tg;

FailureOr<EmittedKernel> tg::emitKernel(tgx::KernelOp kernel,
                                        const CpuTarget &target,
                                        OpBuilder &builder) {
  switch (kernel.getStrategy()) {
  case tgx::Strategy::loop:
    return emitLoop(kernel, target, builder);
  case tgx::Strategy::reduction:
    return emitReduction(kernel, target, builder);
  case tgx::Strategy::contraction:
    return emitContraction(kernel, target, builder);
  case tgx::Strategy::single:
    return emitSingle(kernel, target, builder);
  }
  llvm_unreachable("a strategy without an emitter");
}
