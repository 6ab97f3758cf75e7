//===- CustomThreads.cpp - ops that are a kernel of their own -------------===//
#include "compiler/codegen/cuda/custom/CustomThreads.h"
#include "compiler/codegen/cuda/ThreadEmitters.h"
#include "dialects/tg/Tg.h"

using namespace mlir;
using namespace tg;

#include "compiler/codegen/cuda/custom/CustomThreads.cpp.inc"

Elements tg::resultMemory(ThreadFrame &frame, Value result) {
  OperandRange outputs = frame.kernel.getOutputs();
  return frame.output(llvm::find(outputs, result) - outputs.begin());
}

void tg::registerCustomThreads(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, TgDialect *) {
    attachCumsumThreads(context);
    attachScatterThreads(context);
    attachTopKThreads(context);
  });
  registry.addExtension(+[](MLIRContext *context, tgx::TgxDialect *) {
    attachFirstEqualThreads(context);
    attachTrueElementsThreads(context);
  });
}

LogicalResult tg::emitCustomThreads(ThreadFrame &frame) {
  auto ops = frame.kernel.getBlock().getOps<CustomThreadsOpInterface>();
  if (ops.empty())
    return frame.kernel.emitOpError()
           << "expected an op that targets of kind 'cuda' compute, found none";
  return (*ops.begin()).emitCustomThreads(frame);
}
