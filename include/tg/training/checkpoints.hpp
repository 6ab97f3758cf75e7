/// Checkpoints of a training, files in one directory that are named by the
/// number of finished steps.
#ifndef TG_TRAINING_CHECKPOINTS_HPP
#define TG_TRAINING_CHECKPOINTS_HPP

#include <cstdint>
#include <string>
#include <vector>

namespace tg::training {

/// Returns the path of the checkpoint after so many steps:
/// "run/checkpoint-120.safetensors".
std::string checkpointPath(const std::string &directory, uint64_t step);

/// Returns the steps of all names of checkpoints in a directory, the newest one
/// first. Opens none of them; names with leading zeros are none. Throws
/// data::DataError if the directory cannot be read.
std::vector<uint64_t> checkpointSteps(const std::string &directory);

} // namespace tg::training

#endif // TG_TRAINING_CHECKPOINTS_HPP
