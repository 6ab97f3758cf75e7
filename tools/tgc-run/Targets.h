/// The names of targets and devices in the options and the output of tgc-run.
#ifndef TG_TOOLS_TGCRUN_TARGETS_H
#define TG_TOOLS_TGCRUN_TARGETS_H

#include "tg/abi.h"

#include <optional>
#include <string>

namespace tg {

/// Returns the name of a target (TG_TARGET_...): "x86-64-v3", "cuda-80". A
/// target without a name has its number.
std::string nameOfTarget(uint32_t target);

/// Returns the level of a CPU with this name; none for other texts.
std::optional<uint32_t> parseCpuTarget(const std::string &text);

/// Returns the device that "cpu", "cuda" or "cuda:1" means; none for other
/// texts.
std::optional<tg_device_t> parseDevice(const std::string &text);

} // namespace tg

#endif // TG_TOOLS_TGCRUN_TARGETS_H
