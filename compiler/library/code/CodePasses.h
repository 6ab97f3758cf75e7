//===- CodePasses.h - the passes of LLVM's code generator -----------------===//
#ifndef TG_COMPILER_LIBRARY_CODE_CODEPASSES_H
#define TG_COMPILER_LIBRARY_CODE_CODEPASSES_H

#include "compiler/library/code/StageClock.h"
#include "llvm/IR/LegacyPassManager.h"

namespace tg {

/// The passes that a target machine adds to write a file, each counted to a
/// stage from `preparation` on, without those that do nothing for emitted
/// kernels.
class CodePasses : public llvm::legacy::PassManager {
public:
  /// Keeps all passes if `keepsAll`. `clock` must outlive this.
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

#endif // TG_COMPILER_LIBRARY_CODE_CODEPASSES_H
