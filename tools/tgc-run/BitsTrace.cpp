/// Hashes the results of steps and formats the digests.
#include "BitsTrace.h"

#include "DigestReport.h"
#include "StepSource.h"

#include <nlohmann/json.hpp>

using namespace tg;
using Json = nlohmann::ordered_json;

BitsTrace::BitsTrace(const tg_model_t &model, const tg_function_t &function)
    : model(model), function(function),
      runs(TG_HAS(tg_function_t, &function, step_count) ? function.step_count
                                                        : 0) {}

void BitsTrace::beginCall() {
  ++calls;
  runs.assign(runs.size(), 0);
}

/// Returns the digest of the elements, without what lies between rows.
static Digest hash(const tg_step_result_t &result) {
  Sha256 sha;
  const char *row = static_cast<const char *>(result.data);
  if (result.row_bytes == result.row_stride)
    sha.update(row, result.rows * result.row_bytes);
  else
    for (uint64_t i = 0; i < result.rows; ++i)
      sha.update(row + i * result.row_stride, result.row_bytes);
  return sha.finish();
}

void BitsTrace::add(uint32_t step, uint32_t index,
                    const tg_step_result_t &result) {
  if (index == 0)
    stepRuns.push_back({calls - 1, step, runs.at(step)++, {}});
  stepRuns.back().results.push_back(hash(result));
}

/// Returns one line of JSON. Invalid UTF-8 in names becomes the replacement
/// character.
static std::string lineOf(const Json &json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string BitsTrace::describe(const StepRun &stepRun) const {
  const tg_step_t &step = *function.steps[stepRun.step];
  Json results = Json::array();
  for (const Digest &digest : stepRun.results)
    results.push_back(toHex(digest));
  return lineOf({{"call", stepRun.call},
                 {"step", stepRun.step},
                 {"run", stepRun.run},
                 {"kernel", step.name},
                 {"layers", step.layers},
                 {"line", describeSource(model, step)},
                 {"results", std::move(results)}});
}

std::string BitsTrace::toText() const {
  std::string text = lineOf({{"format", format},
                             {"version", version},
                             {"model", model.name},
                             {"function", function.name},
                             {"lines", stepRuns.size()}});
  for (const StepRun &stepRun : stepRuns)
    text += describe(stepRun);
  return text;
}
