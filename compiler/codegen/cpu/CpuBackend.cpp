//===- CpuBackend.cpp - the back end for x86-64 CPUs ----------------------===//
#include "compiler/codegen/cpu/CpuBackend.h"
#include "compiler/codegen/cpu/CpuTargetModel.h"
#include "compiler/codegen/cpu/KernelEmitter.h"
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/code/IsaLevels.h"
#include "compiler/codegen/cpu/code/Object.h"
#include "compiler/codegen/cpu/custom/CustomKernel.h"
#include "compiler/codegen/cpu/layout/CpuDialect.h"
#include "compiler/codegen/kernel/Lowering.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/Module.h"

using namespace mlir;
using namespace tg;

SmallVector<int> CpuBackend::getLevels() const {
  return SmallVector<int>(ArrayRef(kIsaLevels));
}

std::string CpuBackend::nameOf(int level) const {
  return nameOfIsaLevel(level);
}

std::optional<int> CpuBackend::parseTarget(StringRef word) const {
  return parseIsaLevel(word);
}

void CpuBackend::registerDialects(DialectRegistry &registry) const {
  registry.addExtension(+[](MLIRContext *context, tgx::TgxDialect *dialect) {
    // Passes create its attributes, which the model chooses.
    context->getOrLoadDialect<cpu::CpuDialect>();
    registerTargetModel(*dialect, getCpuTargetModel());
  });
  registry.insert<cpu::CpuDialect>();
  registerKernelDialects(registry);
  registerCustomKernels(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
}

TargetDescription CpuBackend::describe(const Target &target) const {
  TargetDescription description;
  description.usesVectors = target.optimization >= 2;
  description.panelBytes = description.usesVectors ? tuning::kPanelBytes : 0;
  description.leastPartRowBytes = tuning::kCacheLineBytes;
  description.l1Bytes = tuning::kL1Bytes;
  description.l2Bytes = tuning::kL2Bytes;
  if (description.usesVectors) {
    description.nearCacheBytes = tuning::kNearCacheBytes;
    description.totalCacheBytes = tuning::kTotalCacheBytes;
  }
  description.vectorBytes = target.level == 4   ? 64
                            : target.level == 3 ? 32
                                                : 16;
  description.vectorRegisters = target.level == 4 ? 32 : 16;
  description.masksWords = target.level >= 3;
  description.masksBytes = target.level >= 4;
  description.fusesProducts = target.level >= 3;
  return description;
}

FailureOr<EmittedKernel> CpuBackend::emitKernel(tgx::KernelOp kernel,
                                                const Target &target,
                                                OpBuilder &builder) const {
  return tg::emitKernel(kernel, describe(target), builder);
}

LogicalResult CpuBackend::legalize(ModuleOp kernels) const {
  return lowerToLLVMDialect(kernels);
}

std::unique_ptr<llvm::Module>
CpuBackend::makeCpuModule(ModuleOp legalized,
                          llvm::LLVMContext &context) const {
  std::unique_ptr<llvm::Module> module =
      translateModuleToLLVMIR(legalized, context, "kernels");
  if (!module)
    return nullptr;
  for (llvm::Function &function : *module)
    if (!function.isDeclaration())
      function.setVisibility(llvm::GlobalValue::HiddenVisibility);
  return module;
}

CpuKernel CpuBackend::findCpuKernel(const EmittedKernel &emitted) const {
  return {emitted.name, emitted.name + ".tiles"};
}

Target CpuBackend::getTablesTarget() const {
  return {kBaselineIsaLevel, /*optimization=*/1, /*tune=*/"", getKind().str()};
}

LogicalResult CpuBackend::optimize(llvm::Module &module, Operation *op,
                                   const Target &target) const {
  return success(optimizeForCpu(module, op, target) != nullptr);
}

LogicalResult CpuBackend::write(llvm::Module &module, Operation *op,
                                const Target &target,
                                llvm::CodeGenFileType kind,
                                SmallVectorImpl<char> &result,
                                StageClock &clock) const {
  return writeCpuCode(module, op, target, kind, result, clock);
}

int CpuBackend::getNativeLevel() const { return nativeIsaLevel(); }

std::string CpuBackend::checkLevels(ArrayRef<int> levels) const {
  return checkIsaLevels(levels);
}

bool CpuBackend::canTuneFor(StringRef cpu) const { return isX86Cpu(cpu); }

const void *CpuBackend::getCodeGenerator() const {
  return addressOfCodeGenerator();
}
