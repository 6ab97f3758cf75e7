//===- EventFile.cpp - names and records of event files -------------------===//
#include "EventFile.h"

#include "runtime/data/records/RecordFormat.h"
#include "runtime/messages/Error.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

using namespace tg;
using namespace tg::training;
using data::DataError;
namespace files = std::filesystem;

static constexpr std::string_view prefix = "events.out.tfevents.";
/// The digits of the seconds in names, and the largest number of seconds.
static constexpr size_t digits = 10;
static constexpr int64_t maxSeconds = 9'999'999'999;
/// The size of collected records at which they are written.
static constexpr size_t maxCollected = 64 << 10;

/// Returns the seconds in a name, or -1 if it is not the name of an event file.
static int64_t secondsOf(const std::string &name) {
  if (!name.starts_with(prefix) || name.size() < prefix.size() + digits)
    return -1;
  const std::string seconds = name.substr(prefix.size(), digits);
  const bool isNumber = std::all_of(seconds.begin(), seconds.end(), [](char c) {
    return c >= '0' && c <= '9';
  });
  return isNumber ? std::stoll(seconds) : -1;
}

/// Returns the time as the seconds of a name, or a later number if the
/// directory has a file of that time or a later one.
static int64_t secondsAfter(const std::string &directory, double time) {
  // The comparison is false for NaN.
  int64_t seconds = time > 0 ? static_cast<int64_t>(std::min(
                                   time, static_cast<double>(maxSeconds)))
                             : 0;
  for (const auto &entry : files::directory_iterator(directory))
    seconds = std::max(seconds, secondsOf(entry.path().filename()) + 1);
  return std::min(seconds, maxSeconds);
}

/// Returns the name of a file, with leading zeros of the seconds.
static std::string nameOf(int64_t seconds, const EventFileName &parts) {
  static std::atomic<uint64_t> number = 0;
  const std::string text = std::to_string(seconds);
  return std::string(prefix) + std::string(digits - text.size(), '0') + text +
         '.' + parts.host + '.' + std::to_string(parts.process) + '.' +
         std::to_string(number++) + parts.suffix;
}

EventFile::EventFile(const std::string &directory, const EventFileName &parts)
    : name(directory) {
  if (directory.empty() || directory.find('\0') != std::string::npos)
    throw DataError("expected the name of a directory, found " +
                    std::string(directory.empty() ? "an empty one"
                                                  : "one with a zero byte"));
  if ((parts.host + parts.suffix).find_first_of(std::string_view("/\0", 2)) !=
      std::string::npos)
    throw DataError("expected the name of a host and a suffix without '/', "
                    "found '" +
                    parts.host + "' and '" + parts.suffix + "'");
  try {
    files::create_directories(directory);
    create(directory, parts);
  } catch (const files::filesystem_error &error) {
    fail("cannot make event files in it", error.code().value());
  }
}

void EventFile::create(const std::string &directory,
                       const EventFileName &parts) {
  constexpr int maxAttempts = 100;
  for (int attempt = 0; !file.isOpen() && attempt < maxAttempts; ++attempt) {
    name = files::path(directory) /
           nameOf(secondsAfter(directory, parts.time), parts);
    file = Descriptor(
        ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (!file.isOpen() && errno != EEXIST)
      fail("cannot create", errno);
  }
  if (!file.isOpen())
    fail("cannot create", EEXIST);
}

void EventFile::fail(const char *action, int number) const {
  char buffer[128];
  throw DataError(name + ": " + action + ": " + describeErrno(number, buffer));
}

void EventFile::append(std::string_view record) {
  if (!file.isOpen())
    throw DataError(name + ": expected no event after the file was closed, "
                           "found one");
  const auto bytes = std::as_bytes(std::span(record));
  const auto header = data::headerOf(bytes.size());
  const auto footer = data::footerOf(bytes);
  records.append(reinterpret_cast<const char *>(header.data()), header.size());
  records += record;
  records.append(reinterpret_cast<const char *>(footer.data()), footer.size());
  if (records.size() >= maxCollected)
    flush();
}

void EventFile::flush() {
  if (records.empty())
    return;
  const auto begin = static_cast<off_t>(written);
  if (::lseek(file.get(), begin, SEEK_SET) != begin)
    fail("cannot write", errno);
  if (const int number = writeFully(file, records.data(), records.size())) {
    // Removes a part of a record. If it stays, readers end before it.
    [[maybe_unused]] const int ignored = ::ftruncate(file.get(), begin);
    fail("cannot write", number);
  }
  written += records.size();
  records.clear();
}

void EventFile::close() {
  if (!file.isOpen())
    return;
  flush();
  if (const int number = file.reset())
    fail("cannot close", number);
}
