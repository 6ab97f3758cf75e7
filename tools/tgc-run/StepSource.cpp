/// Finds the source locations of steps.
#include "StepSource.h"

using namespace tg;

std::string tg::describeSource(const tg_model_t &model, const tg_step_t &step) {
  if (step.location < 0 || uint32_t(step.location) >= model.location_count)
    return "";
  const tg_location_t &location = *model.locations[step.location];
  if (!location.line)
    return "";
  return std::string(location.file) + ":" + std::to_string(location.line);
}
