/// The command line of tgc-train.
#ifndef TG_TOOLS_TGCTRAIN_COMMANDLINE_H
#define TG_TOOLS_TGCTRAIN_COMMANDLINE_H

#include "tg/training/trainer.hpp"
#include "tools/common/CommandOptions.h"

#include <optional>
#include <string>
#include <vector>

namespace tg {

/// The parsed command line.
struct CommandLine {
  std::string model, data, valid;
  std::vector<std::string> hosts; // libraries with host functions
  tg_device_t device = {TG_DEVICE_CPU, 0};
  training::TrainerOptions options;
  /// The number of --valid-steps, if it is given.
  std::optional<uint64_t> validSteps;
  training::MetricSpecs metrics; // of validations
  /// The scalar of --early-stop and the number of its values without progress;
  /// empty: none.
  std::string stopTag;
  int64_t patience = 0;
  /// Help or the version, if only that was requested.
  const char *notice = nullptr;
};

/// Parses the command line. Throws UsageError.
CommandLine parseCommandLine(int argc, char **argv);

} // namespace tg

#endif // TG_TOOLS_TGCTRAIN_COMMANDLINE_H
