//===- PhaseRun.cpp - runs phases and saves their output ------------------===//
#include "compiler/driver/PhaseRun.h"
#include "compiler/library/link/TempFile.h"

using namespace mlir;
using namespace tg;

namespace tg {
/// The last pass of a phase: changes nothing, and reports that the phase ended.
class EndPhase : public PassWrapper<EndPhase, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(EndPhase)

  EndPhase(PhaseRun &run, Phase phase) : run(run), phase(phase) {}

  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (failed(run.finishPhase(phase)))
      signalPassFailure();
  }

private:
  PhaseRun &run;
  Phase phase;
};
} // namespace tg

PhaseRun::PhaseRun(ModuleOp module, const CompileOptions &options,
                   CompileResult &result)
    : module(module), options(options), result(result),
      passes(module.getContext(), module.getOperationName()) {}

void PhaseRun::endPhase(Phase phase) {
  passes.addPass(std::make_unique<EndPhase>(*this, phase));
}

LogicalResult PhaseRun::run() {
  start = std::chrono::steady_clock::now();
  return passes.run(module);
}

LogicalResult PhaseRun::finishPhase(Phase phase) {
  auto end = std::chrono::steady_clock::now();
  std::chrono::duration<double> passed = end - start;
  result.times.push_back({getPhase(phase).name.str(), passed.count(), {}});
  start = end;
  return options.saveTemps.empty() ? success() : saveModule(phase);
}

/// Returns the printing flags with or without locations. Locations are printed
/// in place instead of as aliases, because the parser does not resolve an alias
/// in a location that tgx.kernel prints by its own assembly format.
static OpPrintingFlags printingFlags(bool locations) {
  OpPrintingFlags flags;
  return locations ? flags.enableDebugInfo().useLocalScope() : flags;
}

LogicalResult PhaseRun::saveModule(Phase phase) {
  const PhaseInfo &info = getPhase(phase);
  std::string name =
      std::to_string(info.number) + "-" + info.name.str() + ".mlir";
  return saveTempFile(module, options.saveTemps, name,
                      [&](llvm::raw_ostream &stream) {
                        module.print(stream, printingFlags(/*locations=*/true));
                      });
}

LogicalResult PhaseRun::finishWithModule(ModuleOp last) {
  llvm::raw_svector_ostream stream(result.file);
  last.print(stream, printingFlags(options.printLocations));
  return success();
}
