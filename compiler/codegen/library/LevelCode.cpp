//===- LevelCode.cpp - all code of one x86-64 level -----------------------===//
#include "compiler/codegen/library/LevelCode.h"
#include "compiler/codegen/cpu/Lowering.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"

using namespace mlir;
using namespace tg;

void tg::loadKernelDialects(MLIRContext &context) {
  DialectRegistry registry;
  registerKernelDialects(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
}

OwningOpRef<ModuleOp> tg::emitKernels(const ModelPlan &plan,
                                      const CpuTarget &target,
                                      EmittedKernels &kernels) {
  ModuleOp scheduled = plan.module;
  OpBuilder builder(scheduled.getContext());
  OwningOpRef<ModuleOp> module = ModuleOp::create(scheduled.getLoc());
  for (auto &[op, check] : plan.kernels) {
    builder.setInsertionPointToEnd(module->getBody());
    // Emitters may use the values of a kernel; other threads read the original.
    OwningOpRef<tgx::KernelOp> copy(cast<tgx::KernelOp>(op->clone()));
    FailureOr<EmittedKernel> kernel = emitKernel(*copy, target, builder);
    if (failed(kernel))
      return nullptr;
    kernels[op] = *kernel;
  }
  return module;
}

/// `pack` hands its kernels no scratch.
static LogicalResult checkPacks(const ModelPlan &plan,
                                const EmittedKernels &kernels) {
  for (const PackPlan &pack : plan.packs) {
    tgx::KernelOp kernel = pack.kernel;
    if (kernels.find(kernel)->second.scratchBytes)
      return kernel.emitOpError()
             << "expected a kernel that packs to need no scratch memory";
  }
  return success();
}

std::unique_ptr<llvm::Module> tg::emitLevel(const ModelPlan &plan,
                                            const CpuTarget &target,
                                            llvm::LLVMContext &context) {
  EmittedKernels kernels;
  OwningOpRef<ModuleOp> emitted = emitKernels(plan, target, kernels);
  if (!emitted || failed(checkPacks(plan, kernels)) ||
      failed(lowerToLLVMDialect(*emitted)))
    return nullptr;
  std::unique_ptr<llvm::Module> module =
      translateModuleToLLVMIR(*emitted, context, "level");
  if (!module)
    return nullptr;
  for (llvm::Function &function : *module)
    if (!function.isDeclaration())
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
  for (auto [number, function] : llvm::enumerate(plan.functions)) {
    emitSizes(function, kernels, sizesName(target.level, number), *module);
    emitBody(function, plan, kernels, bodyName(target.level, number), *module);
  }
  if (!plan.packs.empty())
    emitPack(plan, kernels, packName(target.level), *module);
  return module;
}
