//===- LevelCode.cpp - all code of one x86-64 level -----------------------===//
#include "compiler/codegen/library/LevelCode.h"

using namespace mlir;
using namespace tg;

void tg::loadKernelDialects(const Backend &backend, MLIRContext &context) {
  DialectRegistry registry;
  backend.registerDialects(registry);
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
}

OwningOpRef<ModuleOp> tg::emitKernels(const ModelPlan &plan,
                                      const Backend &backend,
                                      const Target &target,
                                      EmittedKernels &kernels) {
  ModuleOp scheduled = plan.module;
  OpBuilder builder(scheduled.getContext());
  OwningOpRef<ModuleOp> module = ModuleOp::create(scheduled.getLoc());
  for (auto &[op, check] : plan.kernels) {
    builder.setInsertionPointToEnd(module->getBody());
    // Emitters may use the values of a kernel; other threads read the original.
    OwningOpRef<tgx::KernelOp> copy(cast<tgx::KernelOp>(op->clone()));
    FailureOr<EmittedKernel> kernel =
        backend.emitKernel(*copy, target, builder);
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
                                            const Backend &backend,
                                            const Target &target,
                                            llvm::LLVMContext &context) {
  EmittedKernels kernels;
  OwningOpRef<ModuleOp> emitted = emitKernels(plan, backend, target, kernels);
  if (!emitted || failed(checkPacks(plan, kernels)) ||
      failed(backend.legalize(*emitted)))
    return nullptr;
  std::unique_ptr<llvm::Module> module =
      backend.makeHostModule(*emitted, context);
  if (!module)
    return nullptr;
  if (failed(emitLevelTables(plan, backend, kernels, target.level, *module)))
    return nullptr;
  return module;
}
