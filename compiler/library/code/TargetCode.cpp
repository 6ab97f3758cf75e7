//===- TargetCode.cpp - kernels as LLVM IR --------------------------------===//
#include "compiler/library/code/TargetCode.h"
#include "compiler/library/Passes.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace tg;

void tg::loadKernelDialects(const Backend &backend, MLIRContext &context) {
  DialectRegistry registry;
  backend.registerDialects(registry);
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
}

SmallVector<tgx::KernelOp> tg::kernelsOf(const ModelPlan &plan) {
  return llvm::map_to_vector(plan.kernels, [](const auto &entry) {
    return cast<tgx::KernelOp>(entry.first);
  });
}

OwningOpRef<ModuleOp> tg::copyKernels(ModuleOp original,
                                      ArrayRef<tgx::KernelOp> kernels) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(original.getLoc());
  for (tgx::KernelOp kernel : kernels)
    module->push_back(kernel->clone());
  return module;
}

LogicalResult tg::emitKernels(ModuleOp kernels, const Target &target) {
  PassManager passes(kernels.getContext(), ModuleOp::getOperationName());
  // The translation to an object rejects invalid IR anyway.
  passes.enableVerifier(false);
  passes.addPass(createEmitKernels(
      EmitKernelsOptions{target.level, target.optimization, target.kind}));
  return passes.run(kernels);
}

EmittedKernel tg::findEmitted(ModuleOp emitted, StringRef name) {
  return describeEmitted(emitted.lookupSymbol<func::FuncOp>(name));
}

std::unique_ptr<llvm::Module> tg::emitTarget(const ModelPlan &plan,
                                             const Target &target,
                                             llvm::LLVMContext &context) {
  const Backend &backend = *plan.backend;
  SmallVector<tgx::KernelOp> kernels = kernelsOf(plan);
  OwningOpRef<ModuleOp> module = copyKernels(plan.module, kernels);
  if (failed(emitKernels(*module, target)))
    return nullptr;
  EmittedKernels emitted;
  for (tgx::KernelOp kernel : kernels)
    emitted[kernel] = findEmitted(*module, kernel.getSymName());
  if (failed(backend.legalize(*module)))
    return nullptr;
  std::unique_ptr<llvm::Module> result =
      backend.getCpuCode()->makeCpuModule(*module, context);
  if (!result || failed(emitTargetTables(plan, emitted, target.level, *result)))
    return nullptr;
  return result;
}

LogicalResult tg::compileTarget(const ModelPlan &plan, const Target &target,
                                llvm::CodeGenFileType kind,
                                SmallVectorImpl<char> &result) {
  if (plan.isForDevice()) {
    FailureOr<DeviceImage> image = plan.backend->getDeviceCode()->compile(
        plan.module, kernelsOf(plan), target);
    if (failed(image))
      return failure();
    result.assign(image->code.begin(), image->code.end());
    return success();
  }
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = emitTarget(plan, target, context);
  if (!module)
    return failure();
  StageClock clock;
  return plan.backend->getCpuCode()->write(*module, plan.module, target, kind,
                                           result, clock);
}
