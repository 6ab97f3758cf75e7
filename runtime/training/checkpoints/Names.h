/// Names of checkpoints, and the entry with the number of steps.
#ifndef TG_RUNTIME_TRAINING_CHECKPOINTS_NAMES_H
#define TG_RUNTIME_TRAINING_CHECKPOINTS_NAMES_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tg::training {

/// The key of the number of finished steps.
inline constexpr char stepKey[] = "step";

/// The ending of the names of checkpoints.
inline constexpr std::string_view checkpointSuffix = ".safetensors";

/// Parses a number of steps, which has no leading zeros.
std::optional<uint64_t> parseStep(std::string_view digits);

/// Returns the step in a file name, or none if it is not one of a checkpoint.
std::optional<uint64_t> parseCheckpointName(std::string_view name);

/// Removes the temporary files of checkpoints in a directory that killed
/// processes left, which are not locked.
void removeAbandoned(const std::string &directory);

} // namespace tg::training

#endif // TG_RUNTIME_TRAINING_CHECKPOINTS_NAMES_H
