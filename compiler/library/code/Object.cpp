//===- Object.cpp - from LLVM IR to machine code --------------------------===//
#include "compiler/library/code/Object.h"
#include "compiler/codegen/kernel/KernelPasses.h"
#include "compiler/library/code/CodePasses.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
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

void tg::optimize(llvm::Module &module, llvm::TargetMachine &machine,
                  const Target &target) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  setAttributes(module, target);
  runKernelPasses(module, machine, target.optimization);
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
