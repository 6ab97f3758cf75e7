/// The command line of tgc-run.
#ifndef TG_TOOLS_TGCRUN_COMMANDLINE_H
#define TG_TOOLS_TGCRUN_COMMANDLINE_H

#include "Execute.h"
#include "tools/common/CommandOptions.h"

#include <cstdint>
#include <string>

namespace tg {

/// The parsed command line.
struct CommandLine {
  std::string model;
  bool wantsRun = false;
  /// True if `model` and `other` are traces of bits to compare.
  bool comparesBits = false;
  std::string other;
  /// Help or the version, if only that was requested.
  const char *notice = nullptr;
  uint32_t target = TG_TARGET_BEST;
  tg_device_t device = {TG_DEVICE_CPU, 0};
  RunOptions run;
};

/// Parses the command line. Throws UsageError.
CommandLine parseCommandLine(int argc, char **argv);

} // namespace tg

#endif // TG_TOOLS_TGCRUN_COMMANDLINE_H
