/// Runs one function of a model with inputs and outputs in files.
#ifndef TG_TOOLS_TGCRUN_EXECUTE_H
#define TG_TOOLS_TGCRUN_EXECUTE_H

#include "tg/runtime.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tg {

/// The options of a run.
struct RunOptions {
  std::string function;
  std::vector<std::pair<std::string, std::string>> inputs;  // name, text
  std::vector<std::pair<std::string, std::string>> outputs; // name, file
  std::string load, save;         // checkpoints; empty: none
  LoadOptions loading;            // the tensors of `load` to read
  std::vector<std::string> hosts; // libraries with host functions
  uint64_t repeat = 1;
  std::optional<int64_t> seed; // of random samples, 0 if not set
  uint32_t threads = 1;
  bool digest = false;   // prints digests of outputs and variables
  std::string tracePath; // for digests of the results of steps; empty: none
  bool profile = false;
  std::string profilePath; // empty: only the table
  std::string reportPath;  // of tgc, for a page of the profile; empty: none
};

/// Runs the function, writes the requested outputs to files, and prints the
/// other scalars and the digests. Throws RuntimeError.
void execute(const Model &model, const RunOptions &options);

} // namespace tg

#endif // TG_TOOLS_TGCRUN_EXECUTE_H
