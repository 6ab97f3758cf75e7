//===- Ptx.cpp - from LLVM IR to PTX --------------------------------------===//
#include "compiler/codegen/cuda/Ptx.h"
#include "compiler/codegen/cuda/ThreadFrame.h"
#include "compiler/codegen/kernel/KernelPasses.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include <mutex>

using namespace tg;

std::string tg::ptxNameOf(llvm::StringRef name) {
  std::string result;
  for (char letter : name) {
    // A name begins with a letter.
    bool isPlain = result.empty() ? llvm::isAlpha(letter)
                                  : llvm::isAlnum(letter) || letter == '_';
    if (isPlain)
      result += letter;
    else
      result += "$" + llvm::toHex(llvm::StringRef(&letter, 1));
  }
  return result;
}

static std::unique_ptr<llvm::TargetMachine>
createPtxMachine(const CudaTarget &target) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
  llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string error;
  const llvm::Target *ptx = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!ptx)
    return nullptr;
  llvm::TargetOptions options;
  // The order of a sum states its fused multiply-adds; no others are allowed.
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return std::unique_ptr<llvm::TargetMachine>(ptx->createTargetMachine(
      triple, target.processor, target.features, options, std::nullopt));
}

/// Marks functions as kernels, with the number of threads of their blocks.
static void markKernels(llvm::Module &module) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.setName(ptxNameOf(function.getName()));
    function.setCallingConv(llvm::CallingConv::PTX_Kernel);
    if (!function.hasFnAttribute("nvvm.maxntid"))
      function.addFnAttr("nvvm.maxntid", std::to_string(kBlockThreads));
    function.addFnAttr(llvm::Attribute::NoUnwind);
  }
}

std::optional<std::string> tg::emitPtx(llvm::Module &module,
                                       const CudaTarget &target) {
  std::unique_ptr<llvm::TargetMachine> machine = createPtxMachine(target);
  if (!machine)
    return std::nullopt;
  module.setTargetTriple(machine->getTargetTriple());
  module.setDataLayout(machine->createDataLayout());
  markKernels(module);
  // The driver's compiler optimizes again, so there is one level.
  runKernelPasses(module, *machine, /*optimization=*/2,
                  /*infersAlignments=*/true);
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, /*DwoOut=*/nullptr,
                                   llvm::CodeGenFileType::AssemblyFile))
    return std::nullopt;
  passes.run(module);
  return text.str().str();
}
