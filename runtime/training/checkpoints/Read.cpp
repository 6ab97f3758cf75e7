//===- Read.cpp - Whole checkpoints of a directory ------------------------===//

#include "tg/data/feature.hpp"
#include "tg/training/checkpoints.hpp"

#include "Names.h"

#include <filesystem>

using namespace tg;
using namespace tg::training;

CheckpointState training::readCheckpoint(const std::string &path) {
  CheckpointState state = {.entries = readCheckpointEntries(path)};
  const auto found = state.entries.find(stepKey);
  const std::optional<uint64_t> step =
      found == state.entries.end() ? std::nullopt : parseStep(found->second);
  if (!step)
    throw data::DataError(
        path + ": expected a checkpoint of a training, found a file without "
               "number of steps");
  state.step = *step;
  state.entries.erase(found);
  return state;
}

void training::loadCheckpoint(Context &context, const std::string &path) {
  context.load(path);
}

/// Reads the checkpoint after so many steps. Throws what is wrong with it.
static CheckpointState readNamed(const std::string &path, uint64_t step) {
  namespace fs = std::filesystem;
  std::error_code failed;
  const fs::file_status status = fs::symlink_status(path, failed);
  if (!failed && !fs::is_regular_file(status))
    throw data::DataError(path + ": expected a regular file, found " +
                          (fs::is_symlink(status)     ? "a link"
                           : fs::is_directory(status) ? "a directory"
                                                      : "another kind"));
  CheckpointState state = readCheckpoint(path);
  if (state.step != step)
    throw data::DataError(path + ": found the checkpoint of step " +
                          std::to_string(state.step) + ", expected " +
                          std::to_string(step));
  return state;
}

std::optional<FoundCheckpoint>
training::newestCheckpoint(const std::string &directory,
                           std::vector<SkippedCheckpoint> *skipped) {
  for (const uint64_t step : checkpointSteps(directory)) {
    const std::string path = checkpointPath(directory, step);
    try {
      return FoundCheckpoint{path, readNamed(path, step)};
    } catch (const std::runtime_error &error) {
      if (skipped)
        skipped->push_back({path, error.what()});
    }
  }
  return std::nullopt;
}
