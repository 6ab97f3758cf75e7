//===- CustomKernel.cpp - ops that are a kernel of their own --------------===//
#include "compiler/codegen/cpu/custom/CustomKernel.h"

using namespace mlir;
using namespace tg;

#include "compiler/codegen/cpu/custom/CustomKernel.cpp.inc"

Elements tg::resultMemory(KernelFrame &frame, Value result) {
  OperandRange outputs = frame.kernel.getOutputs();
  return frame.output(llvm::find(outputs, result) - outputs.begin());
}

void tg::registerCustomKernels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, TgDialect *) {
    attachScatterKernel(context);
    attachCumsumKernel(context);
    attachTopKKernel(context);
  });
  registry.addExtension(+[](MLIRContext *context, tgx::TgxDialect *) {
    attachPackKernel(context);
    attachFirstEqualKernel(context);
    attachTrueElementsKernels(context);
  });
}

LogicalResult tg::emitCustom(KernelFrame &frame) {
  auto ops = frame.kernel.getBlock().getOps<CustomKernelOpInterface>();
  if (ops.empty())
    return frame.kernel.emitOpError()
           << "expected an op with an emitter of its own, found none";
  return (*ops.begin()).emitCustomKernel(frame);
}
