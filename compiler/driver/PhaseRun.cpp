//===- PhaseRun.cpp - runs phases and keeps what they leave ---------------===//
#include "compiler/driver/PhaseRun.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
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
  result.times.push_back({infoOf(phase).name.str(), passed.count()});
  return options.saveTemps.empty() ? success() : saveModule(phase);
}

std::string PhaseRun::printProgram() {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return text;
}

LogicalResult PhaseRun::saveModule(Phase phase) {
  llvm::SmallString<128> path(options.saveTemps);
  std::error_code error = llvm::sys::fs::create_directories(path);
  llvm::sys::path::append(path, std::to_string(unsigned(phase) + 1) + "-" +
                                    infoOf(phase).name + ".mlir");
  if (!error) {
    llvm::raw_fd_ostream stream(path, error);
    if (!error)
      module.print(stream, OpPrintingFlags().enableDebugInfo());
  }
  if (error)
    return module.emitError()
           << "cannot write '" << path.str() << "': " << error.message();
  return success();
}

LogicalResult PhaseRun::finishWithModule(ModuleOp last) {
  llvm::raw_svector_ostream stream(result.file);
  last.print(stream);
  return success();
}
