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

/// Compiles the image of a device and, each after a line that split-file knows,
/// those of the kernels of users.
static LogicalResult compileImages(const ModelPlan &plan, const Target &target,
                                   SmallVectorImpl<char> &result) {
  const DeviceCode &device = *plan.backend->getDeviceCode();
  FailureOr<DeviceImage> image =
      device.compile(plan.module, kernelsOf(plan), target);
  if (failed(image))
    return failure();
  llvm::raw_svector_ostream stream(result);
  stream << image->code;
  for (auto [index, step] : llvm::enumerate(plan.customKernels)) {
    FailureOr<CustomImage> custom = device.compileCustom(step, target);
    if (failed(custom))
      return failure();
    stream << "\n//--- " << index + 1 << "-" << custom->entry << ".ptx\n"
           << custom->code;
  }
  return success();
}

LogicalResult tg::compileTarget(const ModelPlan &plan, const Target &target,
                                llvm::CodeGenFileType kind,
                                SmallVectorImpl<char> &result) {
  if (plan.isForDevice())
    return compileImages(plan, target, result);
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = emitTarget(plan, target, context);
  if (!module)
    return failure();
  StageClock clock;
  return plan.backend->getCpuCode()->write(*module, plan.module, target, kind,
                                           result, clock);
}
