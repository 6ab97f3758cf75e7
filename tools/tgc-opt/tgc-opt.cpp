//===- tgc-opt.cpp - runs single passes on a module -----------------------===//
#include "compiler/codegen/kernel/math/Passes.h"
#include "compiler/driver/Pipeline.h"
#include "compiler/library/Passes.h"
#include "compiler/transforms/Passes.h"
#include "compiler/transforms/module/Statistics.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "tools/tgc-opt/TestTarget.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

/// Returns the configuration that the options of mlir-opt select. The option
/// `--mlir-pass-statistics` also prints the statistics of tgc.
static MlirOptMainConfig makeConfig() {
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  llvm::cl::Option *statistics =
      llvm::cl::getRegisteredOptions().lookup("mlir-pass-statistics");
  if (!statistics || statistics->getNumOccurrences() == 0)
    return config;
  config.setPassPipelineSetupFn([inner = config](PassManager &passes) {
    passes.addInstrumentation(tg::createStatisticsPrinter(llvm::errs()));
    return inner.setupPassPipeline(passes);
  });
  return config;
}

/// Hides LLVM's own options from --help. They are registered before those of
/// MLIR and tgc. --help-hidden lists them.
static void hideForeignOptions() {
  for (auto &entry : llvm::cl::getRegisteredOptions())
    if (entry.first != "help" && entry.first != "help-hidden" &&
        entry.first != "version")
      entry.second->setHiddenFlag(llvm::cl::Hidden);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  hideForeignOptions();
  llvm::cl::SetVersionPrinter([](llvm::raw_ostream &stream) {
    stream << "tgc-opt of " << tg::compilerVersion() << '\n';
  });
  DialectRegistry registry;
  tg::registerAllDialects(registry);
  tg::registerTestTarget(registry);
  tg::registerSetTargetPass();
  tg::registerTgTransformsPasses();
  tg::registerTgKernelMathPasses();
  tg::registerTgLibraryPasses();
  registerCanonicalizerPass();
  registerCSEPass();
  auto [inputName, outputName] = registerAndParseCLIOptions(
      argc, argv,
      "tgc-opt: runs passes of tgc on a module; trusts its input: untrusted "
      "text can crash it\n",
      registry);
  MlirOptMainConfig config = makeConfig();
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> input = openInputFile(inputName, &error);
  std::unique_ptr<llvm::ToolOutputFile> output =
      openOutputFile(outputName, &error);
  if (!input || !output) {
    llvm::errs() << error << "\n";
    return 1;
  }
  if (failed(MlirOptMain(output->os(), std::move(input), registry, config)))
    return 1;
  output->keep();
  return 0;
}
