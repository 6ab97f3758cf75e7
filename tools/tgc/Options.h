//===- Options.h - the command line of tgc --------------------------------===//
#ifndef TG_TOOLS_TGC_OPTIONS_H
#define TG_TOOLS_TGC_OPTIONS_H

#include "compiler/driver/Pipeline.h"
#include "tools/report/ReportPage.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"

/// The options of the user.
struct ToolOptions {
  /// The input file, or - for the standard input.
  std::string input;
  /// The output file, - for the standard output, or empty.
  std::string output;
  /// The file of the report; empty for none.
  std::string report;
  tg::ReportFormat reportFormat = tg::ReportFormat::json;
  /// True to print the seconds of each phase and the peak memory.
  bool timing = false;
  /// True to print warnings.
  bool warns = true;
  tg::CompileOptions compile;
};

/// Parses the command line. Ends the process after --help and --version, and if
/// LLVM has printed an error about an option; other errors are returned.
llvm::Expected<ToolOptions> parseCommandLine(int argc, char **argv);

/// Unregisters LLVM's own options, which are not part of tgc and some of which
/// have the names of tgc's options. Call it before the options of tgc are
/// created.
void removeForeignOptions();

/// Parses a command line into options that exist, all of one category. Ends the
/// process as parseCommandLine does.
llvm::Error parseFlags(int argc, char **argv,
                       llvm::cl::OptionCategory &category,
                       const char *overview);

#endif // TG_TOOLS_TGC_OPTIONS_H
