//===- PhaseRun.cpp - runs phases and keeps what they leave ---------------===//
#include "compiler/driver/PhaseRun.h"
#include "compiler/codegen/library/TempFile.h"
#include <chrono>

using namespace mlir;
using namespace tg;

static const PhaseInfo &infoOf(Phase phase) {
  return getPhases()[unsigned(phase)];
}

LogicalResult
PhaseRun::transform(Phase phase,
                    llvm::function_ref<void(OpPassManager &)> addPasses) {
  auto start = std::chrono::steady_clock::now();
  PassManager passes(module.getContext(), module.getOperationName());
  addPasses(passes);
  if (failed(passes.run(module)))
    return failure();
  std::chrono::duration<double> passed =
      std::chrono::steady_clock::now() - start;
  result.times.push_back({infoOf(phase).name.str(), passed.count(), {}});
  return options.saveTemps.empty() ? success() : saveModule(phase);
}

LogicalResult PhaseRun::saveModule(Phase phase) {
  std::string name = std::to_string(unsigned(phase) + 1) + "-" +
                     infoOf(phase).name.str() + ".mlir";
  return saveTempFile(
      module, options.saveTemps, name, [&](llvm::raw_ostream &stream) {
        module.print(stream, OpPrintingFlags().enableDebugInfo());
      });
}

LogicalResult PhaseRun::finishWithModule(ModuleOp last) {
  llvm::raw_svector_ostream stream(result.file);
  last.print(stream, OpPrintingFlags().enableDebugInfo(options.printLocations));
  return success();
}
