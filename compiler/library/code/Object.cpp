//===- Object.cpp - from LLVM IR to machine code --------------------------===//
#include "compiler/library/code/Object.h"
#include "compiler/library/code/CodePasses.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include <mutex>

using namespace tg;

static void initializeTarget() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser();
  });
}

/// Returns LLVM's CPU name for an ISA level.
static std::string cpuName(int level) {
  return level == kBaselineIsaLevel ? "x86-64"
                                    : "x86-64-v" + std::to_string(level);
}

std::unique_ptr<llvm::TargetMachine>
tg::createTargetMachine(const Target &target) {
  initializeTarget();
  llvm::Triple triple("x86_64-unknown-linux-gnu");
  std::string error;
  const llvm::Target *x86 = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!x86)
    return nullptr;
  llvm::TargetOptions options;
  options.FunctionSections = true;
  options.DataSections = true;
  static constexpr llvm::CodeGenOptLevel levels[] = {
      llvm::CodeGenOptLevel::None, llvm::CodeGenOptLevel::Default,
      llvm::CodeGenOptLevel::Default, llvm::CodeGenOptLevel::Aggressive};
  return std::unique_ptr<llvm::TargetMachine>(x86->createTargetMachine(
      triple, cpuName(target.level), /*Features=*/"", options,
      llvm::Reloc::PIC_, llvm::CodeModel::Small, levels[target.optimization]));
}

/// Sets the attributes that control instruction selection.
static void setAttributes(llvm::Module &module, const Target &target) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", cpuName(target.level));
    if (!target.tune.empty())
      function.addFnAttr("tune-cpu", target.tune);
    if (target.level == 4)
      function.addFnAttr("prefer-vector-width", "512");
    function.addFnAttr(llvm::Attribute::NoUnwind);
    function.removeFnAttr(llvm::Attribute::UWTable);
  }
}

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

void tg::optimize(llvm::Module &module, llvm::TargetMachine &machine,
                  const Target &target) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  setAttributes(module, target);
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
  if (target.optimization == 3)
    passes = builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3);
  else if (target.optimization == 0)
    passes = builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0);
  else
    passes = slimPipeline();
  passes.run(module, modules);
}

std::unique_ptr<llvm::TargetMachine>
tg::optimize(llvm::Module &module, mlir::Operation *op, const Target &target) {
  std::unique_ptr<llvm::TargetMachine> machine = createTargetMachine(target);
  if (machine)
    optimize(module, *machine, target);
  else
    op->emitError("this LLVM has no x86-64 code generator");
  return machine;
}

llvm::LogicalResult tg::finishModule(llvm::Module &module, mlir::Operation *op,
                                     const Target &target,
                                     llvm::CodeGenFileType kind,
                                     llvm::SmallVectorImpl<char> &result,
                                     StageClock &clock) {
  clock.start(Stage::optimization);
  std::unique_ptr<llvm::TargetMachine> machine = optimize(module, op, target);
  if (!machine)
    return llvm::failure();
  clock.start(Stage::preparation);
  llvm::raw_svector_ostream stream(result);
  CodePasses passes(clock, /*keepsAll=*/target.optimization == 3);
  if (machine->addPassesToEmitFile(passes, stream, /*DwoOut=*/nullptr, kind))
    return op->emitError("this LLVM cannot write x86-64 files");
  passes.run(module);
  clock.stop();
  return llvm::success();
}
