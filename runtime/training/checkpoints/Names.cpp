//===- Names.cpp - Names of checkpoints -----------------------------------===//

#include "Names.h"
#include "tg/data/feature.hpp"
#include "tg/training/checkpoints.hpp"

#include <algorithm>
#include <charconv>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tg;
using namespace tg::training;

static constexpr std::string_view prefix = "checkpoint-";

std::string training::checkpointPath(const std::string &directory,
                                     uint64_t step) {
  std::string name(prefix);
  name += std::to_string(step);
  name += checkpointSuffix;
  return (std::filesystem::path(directory) / name).string();
}

std::optional<uint64_t> training::parseStep(std::string_view digits) {
  uint64_t step = 0;
  const char *const end = digits.data() + digits.size();
  const auto [rest, error] = std::from_chars(digits.data(), end, step);
  if (error != std::errc() || rest != end ||
      (digits.size() > 1 && digits.front() == '0'))
    return std::nullopt;
  return step;
}

std::optional<uint64_t> training::parseCheckpointName(std::string_view name) {
  if (!name.starts_with(prefix) || !name.ends_with(checkpointSuffix) ||
      name.size() <= prefix.size() + checkpointSuffix.size())
    return std::nullopt;
  name.remove_prefix(prefix.size());
  name.remove_suffix(checkpointSuffix.size());
  return parseStep(name);
}

std::vector<uint64_t> training::checkpointSteps(const std::string &directory) {
  std::vector<uint64_t> steps;
  try {
    for (const auto &entry : std::filesystem::directory_iterator(directory))
      if (const auto step =
              parseCheckpointName(entry.path().filename().string()))
        steps.push_back(*step);
  } catch (const std::filesystem::filesystem_error &error) {
    throw data::DataError(directory + ": " + error.code().message());
  }
  std::ranges::sort(steps, std::greater());
  return steps;
}

/// Returns true for the name of a temporary file of a checkpoint, as libtgrt
/// makes it.
static bool isTemporaryName(std::string_view name) {
  const size_t end = name.find(".tg-save-");
  return name.starts_with('.') && name.ends_with(".tmp") && end != name.npos &&
         parseCheckpointName(name.substr(1, end - 1));
}

void training::removeAbandoned(const std::string &directory) {
  std::error_code failed;
  std::vector<std::string> paths;
  for (const auto &entry :
       std::filesystem::directory_iterator(directory, failed))
    if (isTemporaryName(entry.path().filename().string()))
      paths.push_back(entry.path().string());
  for (const std::string &path : paths) {
    const int file =
        ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
      continue;
    struct stat status;
    if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
        ::flock(file, LOCK_EX | LOCK_NB) == 0)
      ::unlink(path.c_str());
    ::close(file);
  }
}
