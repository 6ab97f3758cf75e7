//===- KernelPasses.cpp - LLVM's passes for kernels -----------------------===//
#include "compiler/codegen/kernel/KernelPasses.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InferAlignment.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace tg;

/// Returns the passes for -O1 and -O2.
static llvm::ModulePassManager slimPipeline() {
  llvm::FunctionPassManager functions;
  functions.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  functions.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  functions.addPass(llvm::SimplifyCFGPass());
  functions.addPass(llvm::InstCombinePass());
  functions.addPass(llvm::createFunctionToLoopPassAdaptor(
      llvm::LICMPass(llvm::LICMOptions()), /*UseMemorySSA=*/true));
  functions.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  functions.addPass(llvm::InstCombinePass());
  functions.addPass(llvm::ADCEPass());
  functions.addPass(llvm::SimplifyCFGPass());
  llvm::ModulePassManager modules;
  modules.addPass(llvm::AlwaysInlinerPass());
  modules.addPass(
      llvm::createModuleToFunctionPassAdaptor(std::move(functions)));
  modules.addPass(llvm::GlobalDCEPass());
  return modules;
}

void tg::runKernelPasses(llvm::Module &module, llvm::TargetMachine &machine,
                         int optimization, bool infersAlignments) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager cycles;
  llvm::ModuleAnalysisManager modules;
  llvm::PipelineTuningOptions tuning;
  // Kernels are already vectorized. On the remaining scalar code, the loop
  // vectorizer of LLVM 22 takes time exponential in the depth of expressions.
  tuning.LoopVectorization = false;
  llvm::PassBuilder builder(&machine, tuning);
  // A library may call only mem* functions, so LLVM must not turn loops or
  // calls into calls of other functions.
  functions.registerPass([&] {
    llvm::TargetLibraryInfoImpl library(machine.getTargetTriple());
    library.disableAllFunctions();
    for (llvm::LibFunc function : {llvm::LibFunc_memcpy, llvm::LibFunc_memmove,
                                   llvm::LibFunc_memset, llvm::LibFunc_memcmp})
      library.setAvailable(function);
    return llvm::TargetLibraryAnalysis(library);
  });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(cycles);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, cycles, modules);
  llvm::ModulePassManager passes;
  if (optimization == 3)
    passes = builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3);
  else if (optimization == 0)
    passes = builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0);
  else
    passes = slimPipeline();
  if (infersAlignments)
    passes.addPass(
        llvm::createModuleToFunctionPassAdaptor(llvm::InferAlignmentPass()));
  passes.run(module, modules);
}
