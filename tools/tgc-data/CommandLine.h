/// The command line of tgc-data.
#ifndef TG_TOOLS_TGCDATA_COMMANDLINE_H
#define TG_TOOLS_TGCDATA_COMMANDLINE_H

#include "tools/common/CommandOptions.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tg {

/// The numbers from `begin` up to, but without, `end`.
struct Range {
  uint64_t begin = 0, end = 0;
};

/// The parsed command line.
struct CommandLine {
  /// The command, such as "info".
  std::string command;
  /// The source, and for `convert` the file to write.
  std::string source, target;
  uint64_t epoch = 0;
  std::optional<Range> records, steps;
  std::string output;
  unsigned threads = 1, prefetch = 4;
  /// Help or the version, if only that was requested.
  const char *notice = nullptr;
};

/// Parses the command line. Throws UsageError.
CommandLine parseCommandLine(int argc, char **argv);

} // namespace tg

#endif // TG_TOOLS_TGCDATA_COMMANDLINE_H
