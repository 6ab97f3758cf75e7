/// The names of targets and devices in options and outputs.
#ifndef TG_TOOLS_COMMON_TARGETS_H
#define TG_TOOLS_COMMON_TARGETS_H

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

/// Returns the kind of targets that devices of a type run, TG_DEVICE_..., as
/// the compiler names it: "cpu", "cuda". 0 stands for a CPU.
const char *kindOfDevice(int32_t type);

} // namespace tg

#endif // TG_TOOLS_COMMON_TARGETS_H
