/// Time stamps for the names of runs.
#ifndef TG_TRAINING_TIME_STAMP_HPP
#define TG_TRAINING_TIME_STAMP_HPP

#include "../cxx20.h"

#include <chrono>
#include <ctime>
#include <stdexcept>
#include <string>

namespace tg {

/// Returns a local time as "2026-03-31_23-59-07", for names of output files.
/// The names sort in chronological order.
inline std::string timeStamp(std::chrono::system_clock::time_point moment =
                                 std::chrono::system_clock::now()) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(moment);
  std::tm local = {};
  char text[64];
  if (!localtime_r(&seconds, &local) ||
      std::strftime(text, sizeof(text), "%Y-%m-%d_%H-%M-%S", &local) == 0)
    throw std::invalid_argument(
        "expected a moment that a calendar has, found second " +
        std::to_string(seconds));
  return text;
}

} // namespace tg

#endif // TG_TRAINING_TIME_STAMP_HPP
