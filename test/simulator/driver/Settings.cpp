#include "Settings.h"

#include <charconv>
#include <cstdlib>
#include <string_view>

using namespace tg::simulator;

/// Returns a variable of the environment, or "".
static std::string_view textOf(const char *name) {
  const char *text = std::getenv(name);
  return text ? text : "";
}

/// Replaces a number if a variable of the environment has one.
template <class Number>
static void readNumber(const char *name, Number &value) {
  std::string_view text = textOf(name);
  Number found = 0;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), found);
  if (error == std::errc() && end == text.data() + text.size())
    value = found;
}

Settings Settings::read() {
  Settings settings;
  int isDeferred = 0, checks = 0, skips = 0;
  readNumber("TG_SIMULATOR_VERSION", settings.version);
  readNumber("TG_SIMULATOR_DEVICES", settings.devices);
  readNumber("TG_SIMULATOR_CAPABILITY", settings.capability);
  readNumber("TG_SIMULATOR_MEMORY", settings.memory);
  readNumber("TG_SIMULATOR_LIMIT", settings.limit);
  readNumber("TG_SIMULATOR_DEFER", isDeferred);
  settings.isDeferred = isDeferred != 0;
  readNumber("TG_SIMULATOR_CHECK", checks);
  settings.checks = checks != 0;
  readNumber("TG_SIMULATOR_SKIP", skips);
  settings.skips = skips != 0;
  settings.log = textOf("TG_SIMULATOR_LOG");
  settings.count = textOf("TG_SIMULATOR_COUNT");
  settings.failures = textOf("TG_SIMULATOR_FAIL");
  return settings;
}
