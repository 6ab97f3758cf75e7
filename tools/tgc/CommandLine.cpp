//===- CommandLine.cpp - parses command lines by LLVM's library -----------===//
#include "llvm/Support/CommandLine.h"
#include "Options.h"
#include "compiler/library/tables/Metadata.h"
#include "dialects/tg/Suggestions.h"
#include "llvm/Support/Path.h"
#include <cstdlib>

namespace cl = llvm::cl;
using llvm::StringRef;

void removeForeignOptions() {
  llvm::SmallVector<cl::Option *> foreign;
  for (auto &entry : cl::getRegisteredOptions())
    if (entry.first != "help" && entry.first != "version")
      foreign.push_back(entry.second);
  for (cl::Option *option : foreign)
    option->removeArgument();
}

/// Returns LLVM's "tgc: Unknown argument 'x'.  Try: 'tgc --help'" as one
/// sentence, including "tgc: Did you mean 'y'?" from its second line if
/// present.
static llvm::Error usageError(StringRef text, StringRef program) {
  auto [first, second] = text.split('\n');
  first.consume_front((llvm::sys::path::filename(program) + ": ").str());
  first = first.split(".  Try: ").first.rtrim(".!");
  std::string message = first.str();
  if (!message.empty())
    message[0] = llvm::toLower(message[0]);
  // LLVM suggests the nearest option, however distant it is.
  auto nameIn = [](StringRef text) {
    return text.split('\'').second.split('\'').first.split('=').first;
  };
  StringRef nearest = tg::nearestName(nameIn(first), {nameIn(second)});
  if (!nearest.empty())
    message += "; did you mean '" + nearest.str() + "'?";
  return llvm::createStringError(message + ", see --help");
}

llvm::Error parseFlags(int argc, char **argv, cl::OptionCategory &category,
                       const char *overview) {
  cl::SetVersionPrinter([](llvm::raw_ostream &stream) {
    stream << tg::compilerVersion() << '\n';
  });
  cl::HideUnrelatedOptions(category);
  std::string errorText;
  llvm::raw_string_ostream stream(errorText);
  if (cl::ParseCommandLineOptions(argc, argv, overview, &stream))
    return llvm::Error::success();
  // The error in the value of an option was already printed.
  if (errorText.empty())
    std::exit(1);
  return usageError(errorText, argv[0]);
}
