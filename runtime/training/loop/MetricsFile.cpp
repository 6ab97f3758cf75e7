//===- MetricsFile.cpp - summaries as lines of JSON -----------------------===//
#include "MetricsFile.h"

#include <cerrno>
#include <charconv>
#include <cmath>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>
#include <unistd.h>

using namespace tg;
using namespace tg::training;

static constexpr std::string_view lineBegin = "{\"step\":";

[[noreturn]] static void fail(const std::string &path, const char *action,
                              int number) {
  throw data::DataError(path + ": cannot " + action + ": " +
                        std::generic_category().message(number));
}

/// Returns the step of a line, or none if write() has not made it.
static std::optional<uint64_t> stepOf(std::string_view line) {
  if (!line.starts_with(lineBegin) || !line.ends_with('}'))
    return std::nullopt;
  line.remove_prefix(lineBegin.size());
  uint64_t step = 0;
  const auto [rest, error] =
      std::from_chars(line.data(), line.data() + line.size(), step);
  if (error != std::errc() || (*rest != ',' && *rest != '}'))
    return std::nullopt;
  return step;
}

/// Returns the number of bytes of the first lines that belong to steps up to
/// `last`.
static uint64_t sizeUpTo(const std::string &path, uint64_t last) {
  std::ifstream file(path, std::ios::binary);
  uint64_t size = 0;
  for (std::string line; std::getline(file, line) && !file.eof();) {
    const std::optional<uint64_t> step = stepOf(line);
    if (!step || *step > last)
      break;
    size += line.size() + 1;
  }
  return size;
}

MetricsFile::MetricsFile(const std::string &directory, uint64_t step)
    : path((std::filesystem::path(directory) / "metrics.jsonl").string()),
      file(::open(path.c_str(),
                  O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK,
                  0666)) {
  if (!file.isOpen())
    fail(path, "open", errno);
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    throw data::DataError(path + ": expected a regular file, found another "
                                 "one");
  if (::ftruncate(file.get(), static_cast<off_t>(sizeUpTo(path, step))) != 0)
    fail(path, "shorten", errno);
}

/// Returns a number of 17 digits.
static std::string textOf(double value) {
  if (std::isnan(value))
    return "\"NaN\"";
  if (std::isinf(value))
    return value > 0 ? "\"Infinity\"" : "\"-Infinity\"";
  char text[64];
  const auto [end, error] = std::to_chars(text, text + sizeof(text), value,
                                          std::chars_format::general, 17);
  return {text, end};
}

void MetricsFile::write(uint64_t step, const Scalars &scalars) {
  std::string line = std::string(lineBegin) + std::to_string(step);
  for (const auto &[tag, value] : scalars)
    line += "," +
            nlohmann::json(tag).dump(-1, ' ', false,
                                     nlohmann::json::error_handler_t::replace) +
            ":" + textOf(value);
  line += "}\n";
  if (const int error = writeFully(file, line.data(), line.size()))
    fail(path, "write", error);
}

void MetricsFile::sync() const {
  if (::fdatasync(file.get()) != 0)
    fail(path, "sync", errno);
}
