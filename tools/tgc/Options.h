//===- Options.h - the command line of tgc --------------------------------===//
#ifndef TG_TOOLS_TGC_OPTIONS_H
#define TG_TOOLS_TGC_OPTIONS_H

#include "compiler/driver/Pipeline.h"
#include "tools/report/ReportPage.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"

/// The options of the user.
struct ToolOptions {
  /// A file, or - for the standard input.
  std::string input;
  /// A file, - for the standard output, or empty.
  std::string output;
  /// The file of the report; empty for none.
  std::string report;
  tg::ReportFormat reportFormat = tg::ReportFormat::json;
  /// Print the seconds of each phase and the peak of memory.
  bool timing = false;
  /// Print warnings.
  bool warns = true;
  tg::CompileOptions compile;
};

/// Reads the command line. Ends the process after --help and --version, and
/// where LLVM has said what is wrong with an option; else the error says it.
llvm::Expected<ToolOptions> parseCommandLine(int argc, char **argv);

/// Takes LLVM's own options off the command line: they are not part of tgc, and
/// some have the names of ours. Before these are made.
void removeForeignOptions();

/// Reads a command line whose options were made, all of one category. Ends the
/// process as parseCommandLine does.
llvm::Error parseFlags(int argc, char **argv,
                       llvm::cl::OptionCategory &category,
                       const char *overview);

#endif // TG_TOOLS_TGC_OPTIONS_H
