//===- TaskLaunches.cpp - launches of kernels as loops over tiles ---------===//
#include "compiler/codegen/cpu/TaskLaunches.h"
#include "compiler/codegen/cpu/KernelEmitter.h"
#include "llvm/IR/Module.h"

using namespace tg;
using llvm::Value;

TaskLaunches::TaskLaunches(llvm::ArrayRef<tgx::KernelOp> kernels,
                           llvm::IRBuilderBase &builder)
    : builder(builder) {
  unsigned slots = 1;
  for (tgx::KernelOp kernel : kernels)
    slots = std::max(slots, TaskLayout(kernel).count());
  task = builder.CreateAlloca(llvm::ArrayType::get(builder.getInt64Ty(), slots),
                              nullptr, "task");
}

void TaskLaunches::storeSlot(unsigned number, Value *value) {
  builder.CreateStore(value, builder.CreateConstInBoundsGEP1_64(
                                 builder.getInt64Ty(), task, number));
}

llvm::Function *TaskLaunches::function(llvm::StringRef name) {
  return builder.GetInsertBlock()->getModule()->getFunction(name);
}

Value *TaskLaunches::countTiles(const EmittedKernel &emitted) {
  return builder.CreateCall(function(emitted.name + "_tiles"), {task});
}

Value *TaskLaunches::launch(tgx::KernelOp kernel, const EmittedKernel &emitted,
                            const LaunchValues &values,
                            llvm::FunctionCallee shareOut, Value *call) {
  TaskLayout layout(kernel);
  for (auto [number, buffer] : llvm::enumerate(values.buffers))
    storeSlot(number, buffer);
  for (auto [number, symbol] : llvm::enumerate(values.symbols))
    storeSlot(layout.symbol(number), symbol);
  storeSlot(layout.scratch(), values.scratch);
  storeSlot(layout.error(), values.errorCell);
  storeSlot(layout.workers(), values.workers);
  Value *tiles = countTiles(emitted);
  return builder.CreateCall(shareOut,
                            {call, tiles, function(emitted.name), task});
}

void TaskLaunches::finish(const EmittedKernel &emitted) {
  if (!emitted.hasCombiningStage)
    return;
  Value *first = countTiles(emitted);
  Value *last = builder.CreateAdd(first, builder.getInt64(1));
  builder.CreateCall(function(emitted.name),
                     {task, first, last, builder.getInt32(0)});
}
