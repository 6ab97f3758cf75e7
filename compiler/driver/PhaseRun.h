//===- PhaseRun.h - runs phases and saves their output --------------------===//
#ifndef TG_COMPILER_DRIVER_PHASERUN_H
#define TG_COMPILER_DRIVER_PHASERUN_H

#include "compiler/driver/Pipeline.h"
#include "mlir/Pass/PassManager.h"
#include <chrono>

namespace tg {

/// A compilation during the phases that change the module. All phases share one
/// pass manager, so an analysis that a phase preserves is available to the
/// next.
class PhaseRun {
public:
  PhaseRun(mlir::ModuleOp module, const CompileOptions &options,
           CompileResult &result);

  /// Returns the pass manager to which a phase adds its passes.
  mlir::OpPassManager &getPasses() { return passes; }
  /// Marks the end of the passes of a phase.
  void endPhase(Phase phase);
  /// Runs all passes that were added, and measures the time of each phase.
  llvm::LogicalResult run();

  /// Writes the text of `last` to the result. Always succeeds.
  llvm::LogicalResult finishWithModule(mlir::ModuleOp last);

private:
  friend class EndPhase;
  /// Records the time of a phase that has run, and saves its IR if requested.
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
