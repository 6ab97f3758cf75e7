//===- tgc.cpp - compiles a model to a library ----------------------------===//
#include "CheckGrad.h"
#include "Options.h"
#include "compiler/driver/CompileReport.h"
#include "compiler/frontend/text/DiagnosticPrinter.h"
#include "compiler/frontend/text/OutputFile.h"
#include "compiler/frontend/text/ProgressLine.h"
#include "compiler/frontend/text/ReadModel.h"
#include "compiler/frontend/text/Stack.h"
#include "dialects/tg/rules/UnusedRules.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/PrettyStackTrace.h"
#include <csignal>

/// Prints where the rule label of an error is documented.
static void explainRule(llvm::StringRef label) {
  if (label.empty())
    return;
  llvm::errs() << "tgc: note: [" << label << "] names the rule that is broken: "
               << (label.starts_with("C")
                       ? "a constraint of the operation, see it in "
                         "tg.md of the documents of tgc\n"
                       : "see \"Rules\" in dialects/tg/language.md of the "
                         "documents of tgc\n");
}

/// Compiles and writes the requested files. Sets `isDone` on success. If it is
/// false without an error, diagnostics were printed.
static llvm::Error compile(const ToolOptions &options, bool &isDone) {
  mlir::DialectRegistry registry;
  if (options.compile.startFrom)
    tg::registerAllDialects(registry);
  else
    tg::registerModelDialects(registry);
  mlir::MLIRContext context(registry);
  llvm::SourceMgr sources;
  tg::DiagnosticPrinter printer(context, sources, llvm::errs(), "tgc");
  mlir::OwningOpRef<mlir::ModuleOp> module =
      tg::readModel(context, sources, options.input,
                    options.compile.startFrom ? tg::ScanLimits::ofTrusted()
                                              : tg::ScanLimits());
  if (module && options.warns && !options.compile.startFrom)
    tg::warnOfUnused(*module);
  tg::CompileResult result;
  tg::ProgressLine line(llvm::errs());
  tg::CompileOptions settings = options.compile;
  settings.progress = [&](size_t done, size_t all) { line.show(done, all); };
  if (!module || mlir::failed(tg::compileModule(*module, settings, result))) {
    explainRule(printer.getFirstRule());
    return llvm::Error::success();
  }
  auto write = [&](llvm::StringRef path, llvm::StringRef text, unsigned mode) {
    return tg::writeFileAtomically(path, text, mode, tg::OnSignal::Remove);
  };
  // The library is written last: if it exists, everything succeeded.
  if (!options.report.empty())
    if (llvm::Error error = write(
            options.report, tg::formatReport(result, options.reportFormat),
            tg::kDataMode))
      return error;
  if (llvm::Error error =
          write(options.output, {result.file.data(), result.file.size()},
                tg::modeOfOutput(options.compile)))
    return error;
  if (options.timing)
    llvm::errs() << tg::formatTiming(result);
  isDone = true;
  return llvm::Error::success();
}

/// Prints an error that has no location in the model. Returns the exit status.
static int reportError(llvm::Error error) {
  llvm::errs() << "tgc: error: " << llvm::toString(std::move(error)) << '\n';
  return 1;
}

int main(int argc, char **argv) {
  llvm::setBugReportMsg("tgc crashed because of a bug; please report it with "
                        "the model and the options\n");
  llvm::InitLLVM init(argc, argv);
  // Exceeding a file size limit becomes a write error.
  std::signal(SIGXFSZ, SIG_IGN);
  if (argc > 1 && llvm::StringRef(argv[1]) == "check-grad") {
    // --help prints this name of the program.
    std::string program = "tgc check-grad";
    argv[1] = program.data();
    return runCheckGrad(argc - 1, argv + 1);
  }
  llvm::Expected<ToolOptions> options = parseCommandLine(argc, argv);
  if (!options)
    return reportError(options.takeError());
  bool isDone = false;
  std::optional<llvm::Error> error;
  if (llvm::Error stackError =
          tg::runOnLargeStack([&] { error = compile(*options, isDone); }))
    return reportError(std::move(stackError));
  if (*error)
    return reportError(std::move(*error));
  return isDone ? 0 : 1;
}
