/// emit-ptx <file.mlir>: prints the PTX of all kernels of a scheduled module,
/// after a comment for each launch. `-` reads the standard input.
#include "compiler/codegen/Backend.h"
#include "compiler/codegen/kernel/RandomElements.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace tg;

static LogicalResult printPtx(ModuleOp module) {
  SmallVector<tgx::KernelOp> kernels;
  module.walk([&](tgx::KernelOp kernel) { kernels.push_back(kernel); });
  if (kernels.empty())
    return module.emitError("expected a module with kernels, found none");
  const Backend *backend = findBackend("cuda");
  Target target;
  target.kind = backend->getKind();
  target.level = backend->getLevels().front();
  const DeviceCode &device = *backend->getDeviceCode();
  FailureOr<DeviceImage> image = device.compile(module, kernels, target);
  if (failed(image))
    return failure();
  for (const KernelLaunch &launch : image->launches) {
    llvm::outs() << "// launch " << launch.entry << ": "
                 << launch.parameterCount << " parameters, threads "
                 << AffineMapAttr::get(launch.threads) << " in blocks of "
                 << launch.blockThreads << "\n";
    if (launch.excess)
      llvm::outs() << "// or " << launch.wideEntry
                   << " if positive: " << AffineMapAttr::get(launch.excess)
                   << "\n";
  }
  llvm::outs() << image->code;
  return success();
}

int main(int argc, char **argv) {
  if (argc != 2) {
    llvm::errs() << "usage: emit-ptx <file.mlir>\n";
    return 2;
  }
  DialectRegistry registry;
  registry.insert<TgDialect, tgx::TgxDialect>();
  registerRandomElements(registry);
  for (const Backend *backend : getBackends())
    backend->registerDialects(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  auto module = parseSourceFile<ModuleOp>(argv[1], &context);
  return module && succeeded(printPtx(*module)) ? 0 : 1;
}
