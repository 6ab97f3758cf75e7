/// The source location of a step, for people.
#ifndef TG_TOOLS_TGCRUN_STEPSOURCE_H
#define TG_TOOLS_TGCRUN_STEPSOURCE_H

#include "tg/abi.h"

#include <string>

namespace tg {

/// Returns the file and line of a step of the model as "net.mlir:12"; "" if
/// they are unknown.
std::string describeSource(const tg_model_t &model, const tg_step_t &step);

} // namespace tg

#endif // TG_TOOLS_TGCRUN_STEPSOURCE_H
