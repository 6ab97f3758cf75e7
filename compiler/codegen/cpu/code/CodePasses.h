//===- CodePasses.h - the passes of LLVM's code generator -----------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_CODE_CODEPASSES_H
#define TG_COMPILER_CODEGEN_CPU_CODE_CODEPASSES_H

#include "compiler/codegen/kernel/StageClock.h"
#include "llvm/IR/LegacyPassManager.h"

namespace tg {

/// A pass manager for the passes that a target machine adds to write a file.
/// Attributes the time of each pass to a stage, from `preparation` on. Leaves
/// out passes that have no effect on emitted kernels.
class CodePasses : public llvm::legacy::PassManager {
public:
  /// Creates a pass manager. If `keepsAll` is set, it leaves out no pass.
  /// `clock` must outlive it.
  CodePasses(StageClock &clock, bool keepsAll)
      : clock(clock), keepsAll(keepsAll) {}

  void add(llvm::Pass *pass) override;

private:
  /// Adds a pass that starts a stage.
  void addStart(Stage stage);

  StageClock &clock;
  bool keepsAll;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CPU_CODE_CODEPASSES_H
