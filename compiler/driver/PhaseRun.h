//===- PhaseRun.h - runs phases and keeps what they leave -----------------===//
#ifndef TG_COMPILER_DRIVER_PHASERUN_H
#define TG_COMPILER_DRIVER_PHASERUN_H

#include "compiler/driver/Pipeline.h"
#include "mlir/Pass/PassManager.h"
#include <chrono>

namespace tg {

/// One compilation on its way through the phases that change the module. They
/// have one pass manager: an analysis that a phase keeps is there for the next.
class PhaseRun {
public:
  PhaseRun(mlir::ModuleOp module, const CompileOptions &options,
           CompileResult &result);

  /// Returns the pass manager to which a phase adds its passes.
  mlir::OpPassManager &getPasses() { return passes; }
  /// Ends the passes of a phase.
  void endPhase(Phase phase);
  /// Runs all passes that were added and takes the time of each phase.
  llvm::LogicalResult run();

  /// Makes the text of `last` the result. Never fails.
  llvm::LogicalResult finishWithModule(mlir::ModuleOp last);

private:
  friend class EndPhase;
  /// Takes the time of a phase that has run, and keeps what it left.
  llvm::LogicalResult finishPhase(Phase phase);
  /// Writes the module to the directory for temporary files.
  llvm::LogicalResult saveModule(Phase phase);

  mlir::ModuleOp module;
  const CompileOptions &options;
  CompileResult &result;
  mlir::PassManager passes;
  std::chrono::steady_clock::time_point start;
};

} // namespace tg

#endif // TG_COMPILER_DRIVER_PHASERUN_H
