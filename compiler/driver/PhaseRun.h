//===- PhaseRun.h - runs phases and keeps what they leave -----------------===//
#ifndef TG_COMPILER_DRIVER_PHASERUN_H
#define TG_COMPILER_DRIVER_PHASERUN_H

#include "compiler/driver/Pipeline.h"
#include "mlir/Pass/PassManager.h"

namespace tg {

/// One compilation on its way through the phases that change the module.
class PhaseRun {
public:
  PhaseRun(mlir::ModuleOp module, const CompileOptions &options,
           CompileResult &result)
      : module(module), options(options), result(result) {}

  /// Runs the passes that `addPasses` adds and takes their time.
  llvm::LogicalResult
  transform(Phase phase,
            llvm::function_ref<void(mlir::OpPassManager &)> addPasses);

  /// Makes the text of `last` the result. Never fails.
  llvm::LogicalResult finishWithModule(mlir::ModuleOp last);

private:
  /// Writes the module to the directory for temporary files.
  llvm::LogicalResult saveModule(Phase phase);

  mlir::ModuleOp module;
  const CompileOptions &options;
  CompileResult &result;
};

} // namespace tg

#endif // TG_COMPILER_DRIVER_PHASERUN_H
