//===- CodePasses.cpp - the passes of LLVM's code generator ---------------===//
#include "compiler/codegen/cpu/code/CodePasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Pass.h"
#include "llvm/PassInfo.h"
#include "llvm/PassRegistry.h"

using namespace tg;

namespace {
/// A pass that starts a stage when the following passes process a function.
class StartStage : public llvm::FunctionPass {
public:
  static char ID;

  StartStage(StageClock &clock, Stage stage)
      : FunctionPass(ID), clock(clock), stage(stage) {}

  bool runOnFunction(llvm::Function &) override {
    clock.start(stage);
    return false;
  }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override {
    usage.setPreservesAll();
  }
  llvm::StringRef getPassName() const override { return "Start of a stage"; }

private:
  StageClock &clock;
  Stage stage;
};
} // namespace

char StartStage::ID = 0;

/// Returns the name of a pass on LLVM's command lines; "" if it has none.
static llvm::StringRef argumentOf(const llvm::Pass &pass) {
  const llvm::PassInfo *info =
      llvm::PassRegistry::getPassRegistry()->getPassInfo(pass.getPassID());
  return info ? info->getPassArgument() : "";
}

/// Returns true for passes that have no effect on emitted kernels, but took a
/// quarter of the time of the code generator. Addresses are emitted as a
/// variable part that neighbours share plus a constant, which x86 addressing
/// modes add for free. So strength reduction (loop-reduce) finds nothing, and
/// canon-freeze only prepares for it.
static bool hasNoEffect(llvm::StringRef argument) {
  return llvm::is_contained({"loop-reduce", "canon-freeze"}, argument);
}

void CodePasses::addStart(Stage stage) {
  PassManager::add(new StartStage(clock, stage));
}

void CodePasses::add(llvm::Pass *pass) {
  llvm::StringRef argument = argumentOf(*pass);
  if (!keepsAll && hasNoEffect(argument)) {
    delete pass;
    return;
  }
  bool isSelection = argument == "x86-isel";
  if (isSelection)
    addStart(Stage::selection);
  if (argument == "x86-asm-printer")
    addStart(Stage::output);
  PassManager::add(pass);
  if (isSelection)
    addStart(Stage::registers);
}
