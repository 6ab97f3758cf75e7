/// LLVM target machine and pass pipeline for one x86-64 level, for tests of
/// emitted code.
#ifndef TG_TEST_COMPILER_CODEGEN_CPU_LEVELMACHINE_H
#define TG_TEST_COMPILER_CODEGEN_CPU_LEVELMACHINE_H

#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

namespace tg::test {

/// Returns the target machine of a level such as "x86-64-v3"; null if LLVM
/// lacks the target.
inline std::unique_ptr<llvm::TargetMachine>
makeLevelMachine(llvm::StringRef level,
                 const llvm::TargetOptions &options = {}) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::Triple triple("x86_64-unknown-linux-gnu");
  std::string message;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return nullptr;
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, level, "", options, llvm::Reloc::PIC_));
}

/// Runs LLVM's -O2.
inline void optimizeModule(llvm::Module &module, llvm::TargetMachine &machine,
                           const llvm::PipelineTuningOptions &tuning = {}) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder passes(&machine, tuning);
  passes.registerModuleAnalyses(modules);
  passes.registerCGSCCAnalyses(components);
  passes.registerFunctionAnalyses(functions);
  passes.registerLoopAnalyses(loops);
  passes.crossRegisterProxies(loops, functions, components, modules);
  passes.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2)
      .run(module, modules);
}

} // namespace tg::test

#endif // TG_TEST_COMPILER_CODEGEN_CPU_LEVELMACHINE_H
