//===- Main.cpp - a language server for models as text --------------------===//
#include "compiler/driver/Pipeline.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "tools/tg-lsp-server/Server.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/LSP/Transport.h"
#include "llvm/Support/PrettyStackTrace.h"

#include <csignal>
#include <getopt.h>
#include <unistd.h>

static constexpr char kHelp[] =
    R"(Serves editors of models as text, over the language server protocol.

Usage: tg-lsp-server [options]

The standard input and output lead to the editor. Diagnostics are those of tgc.

  --ir         serve IR that --stop-after and --save-temps of tgc print, with
               MLIR's own diagnostics; trusts its input: untrusted text can
               crash it
  --lit-test   for tests: messages are separated by lines of // -----
  --help       print this
  --version    print the version
)";

namespace {
/// The options of the command line.
struct Options {
  /// The text to print instead of serving; "" to serve.
  std::string text;
  bool servesIr = false;
  bool isLitTest = false;
};
} // namespace

/// Parses the command line. The error names the wrong argument.
static llvm::Expected<Options> parseCommandLine(int argc, char **argv) {
  const option known[] = {{"ir", no_argument, nullptr, 'i'},
                          {"lit-test", no_argument, nullptr, 't'},
                          {"help", no_argument, nullptr, 'h'},
                          {"version", no_argument, nullptr, 'v'},
                          {}};
  Options options;
  opterr = 0;
  for (int found;
       (found = getopt_long(argc, argv, "", known, nullptr)) != -1;) {
    if (found == '?')
      return llvm::createStringError("expected a known option, found '%s'",
                                     argv[optind - 1]);
    if (found == 'h')
      options.text = kHelp;
    if (found == 'v')
      options.text = "tg-lsp-server of " + tg::compilerVersion() + "\n";
    options.servesIr |= found == 'i';
    options.isLitTest |= found == 't';
  }
  if (optind < argc)
    return llvm::createStringError("expected no further argument, found '%s'",
                                   argv[optind]);
  return options;
}

/// Runs MLIR's server over all dialects. Returns the exit status.
static int serveIr(char *program, bool isLitTest) {
  mlir::DialectRegistry registry;
  tg::registerAllDialects(registry);
  std::string option = isLitTest ? "--lit-test" : "--log=error";
  char *arguments[] = {program, option.data(), nullptr};
  return mlir::failed(mlir::MlirLspServerMain(2, arguments, registry));
}

/// Serves models. Returns the exit status.
static llvm::Expected<int> serveModels(bool isLitTest) {
  // Workers use the file `stdin`, whose buffer must stay empty.
  std::FILE *file = ::fdopen(::dup(STDIN_FILENO), "r");
  if (!file)
    return llvm::createStringError("cannot read the standard input");
  llvm::lsp::JSONTransportInputOverFile input(
      file, isLitTest ? llvm::lsp::Delimited : llvm::lsp::Standard);
  llvm::raw_fd_ostream stream(STDOUT_FILENO, /*shouldClose=*/false);
  llvm::Expected<int> status = tg::Server(stream, isLitTest).run(input);
  // An editor that ended cannot be written to; it leaves no exit message.
  stream.clear_error();
  std::fclose(file);
  return status;
}

int main(int argc, char **argv) {
  llvm::setBugReportMsg("tg-lsp-server crashed because of a bug; please report "
                        "it with the text\n");
  llvm::InitLLVM init(argc, argv, /*InstallPipeSignalExitHandler=*/false);
  std::signal(SIGPIPE, SIG_IGN);
  llvm::Expected<Options> options = parseCommandLine(argc, argv);
  llvm::Expected<int> status = 0;
  if (!options)
    status = options.takeError();
  else if (!options->text.empty())
    llvm::outs() << options->text;
  else if (options->servesIr)
    status = serveIr(argv[0], options->isLitTest);
  else
    status = serveModels(options->isLitTest);
  if (status)
    return *status;
  llvm::errs() << "tg-lsp-server: error: " << llvm::toString(status.takeError())
               << '\n';
  return 1;
}
