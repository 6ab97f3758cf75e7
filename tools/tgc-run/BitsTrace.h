/// Digests of the results of the steps of runs, as a text file.
#ifndef TG_TOOLS_TGCRUN_BITSTRACE_H
#define TG_TOOLS_TGCRUN_BITSTRACE_H

#include "runtime/files/Sha256.h"
#include "tg/runtime.hpp"

#include <string>
#include <vector>

namespace tg {

/// Accumulates the digests of calls of one function.
class BitsTrace {
public:
  /// Creates an empty trace. The tables must outlive this object.
  BitsTrace(const tg_model_t &model, const tg_function_t &function);

  /// Begins the next call. Its results follow.
  void beginCall();

  /// Adds the digest of a result: see tg_trace_fn.
  void add(uint32_t step, uint32_t index, const tg_step_result_t &result);

  /// Returns the file. The first line is a JSON object that names the format,
  /// its version, the model and the function, and counts the other lines. Each
  /// other line is the JSON object of one run of a step.
  std::string toText() const;

  /// The format and version of the first line.
  static constexpr const char *format = "tgc-run --trace-bits";
  static constexpr int version = 1;

private:
  /// A run of a step, of which `run` others in the same call came before.
  struct StepRun {
    uint64_t call;
    uint32_t step;
    uint64_t run;
    std::vector<Digest> results;
  };
  std::string describe(const StepRun &stepRun) const;

  const tg_model_t &model;
  const tg_function_t &function;
  uint64_t calls = 0;
  std::vector<uint64_t> runs; // of each step in the current call
  std::vector<StepRun> stepRuns;
};

} // namespace tg

#endif // TG_TOOLS_TGCRUN_BITSTRACE_H
