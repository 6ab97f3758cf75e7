//===- LevelCode.cpp - all code of one x86-64 level -----------------------===//
#include "compiler/codegen/library/LevelCode.h"
#include "compiler/codegen/library/Passes.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace tg;

void tg::loadKernelDialects(const Backend &backend, MLIRContext &context) {
  DialectRegistry registry;
  backend.registerDialects(registry);
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
}

OwningOpRef<ModuleOp> tg::emitKernels(const ModelPlan &plan,
                                      const Target &target,
                                      EmittedKernels &kernels) {
  ModuleOp scheduled = plan.module;
  OwningOpRef<ModuleOp> module = ModuleOp::create(scheduled.getLoc());
  // Emitters may use the values of a kernel; other threads read the original.
  for (auto &[op, check] : plan.kernels)
    module->push_back(op->clone());
  PassManager passes(scheduled.getContext(), ModuleOp::getOperationName());
  // What makes an object of the kernels refuses what is wrong.
  passes.enableVerifier(false);
  passes.addPass(createEmitKernels(
      EmitKernelsOptions{target.level, target.optimization, target.kind}));
  if (failed(passes.run(*module)))
    return nullptr;
  SymbolTable symbols(*module);
  for (auto &[op, check] : plan.kernels)
    kernels[op] = describeEmitted(
        symbols.lookup<func::FuncOp>(SymbolTable::getSymbolName(op)));
  return module;
}

/// `pack` hands its kernels no scratch.
static LogicalResult checkPacks(const ModelPlan &plan,
                                const EmittedKernels &kernels) {
  for (const PackPlan &pack : plan.packs) {
    tgx::KernelOp kernel = pack.kernel;
    const EmittedKernel &emitted = kernels.find(kernel)->second;
    if (emitted.scratchBytes || emitted.sharedBytes)
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
  OwningOpRef<ModuleOp> emitted = emitKernels(plan, target, kernels);
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
