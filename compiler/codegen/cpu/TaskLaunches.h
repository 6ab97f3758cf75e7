//===- TaskLaunches.h - launches of kernels as loops over tiles -----------===//
#ifndef TG_COMPILER_CODEGEN_CPU_TASKLAUNCHES_H
#define TG_COMPILER_CODEGEN_CPU_TASKLAUNCHES_H

#include "compiler/codegen/Backend.h"
#include "llvm/IR/IRBuilder.h"

namespace tg {

/// Fills a task (KernelEmitter.h) on the host's stack and has its tiles shared
/// out; a combining stage is one more tile, on the caller's thread.
class TaskLaunches : public LaunchEmitter {
public:
  /// Makes room for the task of any of `kernels`.
  TaskLaunches(llvm::ArrayRef<tgx::KernelOp> kernels,
               llvm::IRBuilderBase &builder);

  llvm::Value *launch(tgx::KernelOp kernel, const EmittedKernel &emitted,
                      const LaunchValues &values, llvm::FunctionCallee shareOut,
                      llvm::Value *call) override;
  void finish(const EmittedKernel &emitted) override;

private:
  void storeSlot(unsigned number, llvm::Value *value);
  /// The number of tiles of the task.
  llvm::Value *countTiles(const EmittedKernel &emitted);
  llvm::Function *function(llvm::StringRef name);

  llvm::IRBuilderBase &builder;
  llvm::Value *task;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_TASKLAUNCHES_H
