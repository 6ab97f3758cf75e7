//===- Names.cpp - Names of checkpoints -----------------------------------===//

#include "tg/data/feature.hpp"
#include "tg/training/checkpoints.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

using namespace tg;

static constexpr std::string_view prefix = "checkpoint-";
static constexpr std::string_view suffix = ".safetensors";

std::string training::checkpointPath(const std::string &directory,
                                     uint64_t step) {
  std::string name(prefix);
  name += std::to_string(step);
  name += suffix;
  return (std::filesystem::path(directory) / name).string();
}

/// Returns the step in a file name, or none if it is not one of a checkpoint.
static std::optional<uint64_t> parseName(std::string_view name) {
  if (!name.starts_with(prefix) || !name.ends_with(suffix) ||
      name.size() <= prefix.size() + suffix.size())
    return std::nullopt;
  const std::string_view digits =
      name.substr(prefix.size(), name.size() - prefix.size() - suffix.size());
  uint64_t step = 0;
  const char *const end = digits.data() + digits.size();
  const auto [rest, error] = std::from_chars(digits.data(), end, step);
  if (error != std::errc() || rest != end ||
      (digits.size() > 1 && digits.front() == '0'))
    return std::nullopt;
  return step;
}

std::vector<uint64_t> training::checkpointSteps(const std::string &directory) {
  std::vector<uint64_t> steps;
  try {
    for (const auto &entry : std::filesystem::directory_iterator(directory))
      if (const auto step = parseName(entry.path().filename().string()))
        steps.push_back(*step);
  } catch (const std::filesystem::filesystem_error &error) {
    throw data::DataError(directory + ": " + error.code().message());
  }
  std::ranges::sort(steps, std::greater());
  return steps;
}
