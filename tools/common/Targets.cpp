/// The names of targets and devices.
#include "Targets.h"

#include "runtime/messages/TargetName.h"

#include <charconv>

using namespace tg;

std::string tg::nameOfTarget(uint32_t target) {
  return TargetName(target).text();
}

std::optional<uint32_t> tg::parseCpuTarget(const std::string &text) {
  for (uint32_t level = TG_TARGET_X86_64_V2; level <= TG_TARGET_X86_64_V4;
       ++level)
    if (text == nameOfTarget(level))
      return level;
  return std::nullopt;
}

std::optional<tg_device_t> tg::parseDevice(const std::string &text) {
  if (text == "cpu")
    return tg_device_t{TG_DEVICE_CPU, 0};
  const std::string word = text.substr(0, text.find(':'));
  const std::string number = text == word ? "0" : text.substr(word.size() + 1);
  const char *end = number.data() + number.size();
  tg_device_t device = {TG_DEVICE_CUDA, 0};
  const auto [after, status] =
      std::from_chars(number.data(), end, device.device_id);
  if (word != "cuda" || status != std::errc() || after != end ||
      device.device_id < 0)
    return std::nullopt;
  return device;
}

const char *tg::kindOfDevice(int32_t type) {
  return type == TG_DEVICE_CUDA ? "cuda" : "cpu";
}
