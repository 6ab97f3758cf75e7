//===- Object.cpp - from LLVM IR to machine code --------------------------===//
#include "compiler/codegen/cpu/code/Object.h"
#include "compiler/codegen/cpu/code/CodePasses.h"
#include "compiler/codegen/cpu/code/IsaLevels.h"
#include "compiler/codegen/kernel/KernelPasses.h"
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

/// Returns a target machine for position-independent code, for use by one
/// thread. Returns null if LLVM was built without x86-64.
static std::unique_ptr<llvm::TargetMachine>
createTargetMachine(const Target &target) {
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
      triple, nameOfIsaLevel(target.level), /*Features=*/"", options,
      llvm::Reloc::PIC_, llvm::CodeModel::Small, levels[target.optimization]));
}

/// Sets the attributes that control instruction selection.
static void setAttributes(llvm::Module &module, const Target &target) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", nameOfIsaLevel(target.level));
    if (!target.tune.empty())
      function.addFnAttr("tune-cpu", target.tune);
    if (target.level == 4)
      function.addFnAttr("prefer-vector-width", "512");
    // No exception comes out of a function, but debuggers and profilers unwind
    // its stack at every instruction.
    function.addFnAttr(llvm::Attribute::NoUnwind);
    function.setUWTableKind(llvm::UWTableKind::Async);
  }
}

std::unique_ptr<llvm::TargetMachine> tg::optimizeForCpu(llvm::Module &module,
                                                        mlir::Operation *op,
                                                        const Target &target) {
  std::unique_ptr<llvm::TargetMachine> machine = createTargetMachine(target);
  if (!machine) {
    op->emitError("this LLVM has no x86-64 code generator");
    return nullptr;
  }
  module.setTargetTriple(machine->getTargetTriple());
  module.setDataLayout(machine->createDataLayout());
  setAttributes(module, target);
  runKernelPasses(module, *machine, target.optimization);
  return machine;
}

llvm::LogicalResult tg::writeCpuCode(llvm::Module &module, mlir::Operation *op,
                                     const Target &target,
                                     llvm::CodeGenFileType kind,
                                     llvm::SmallVectorImpl<char> &result,
                                     StageClock &clock) {
  clock.start(Stage::optimization);
  std::unique_ptr<llvm::TargetMachine> machine =
      optimizeForCpu(module, op, target);
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

const void *tg::addressOfCodeGenerator() {
  return reinterpret_cast<const void *>(&LLVMInitializeX86Target);
}
