/// Shared functions of classes that track the lowest error so far.
#ifndef TG_TRAINING_LEAST_ERROR_HPP
#define TG_TRAINING_LEAST_ERROR_HPP

#include "../cxx20.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <istream>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>

namespace tg::detail {

/// Throws std::invalid_argument unless minDecrease is in [0, 1).
inline void expectFraction(double minDecrease) {
  if (!(minDecrease >= 0 && minDecrease < 1))
    throw std::invalid_argument(
        "expected minDecrease as a fraction of the error from 0 to below 1 "
        "(0.01 is one percent), found " +
        std::to_string(minDecrease));
}

/// Throws std::invalid_argument if a number of epochs is negative.
inline void expectEpochs(const char *option, int64_t epochs) {
  if (epochs < 0)
    throw std::invalid_argument("expected " + std::string(option) +
                                " of 0 epochs or more, found " +
                                std::to_string(epochs));
}

/// Returns true if the error is lower than the best one by more than this
/// fraction of the best one. Returns false for NaN.
inline bool hasFallen(double error, double best, double minDecrease) {
  if (std::isinf(best))
    return error < best;
  return best - error > minDecrease * std::abs(best);
}

/// Returns the shortest text that reads back as the same number, independent of
/// the locale.
inline std::string textOf(double number) {
  char text[32];
  return std::string(text,
                     std::to_chars(text, text + sizeof(text), number).ptr);
}

/// Reads a number written by textOf(). Sets failbit if there is none.
inline void read(std::istream &stream, double &number) {
  std::string text;
  stream >> text;
  const char *end = text.data() + text.size();
  auto [parsed, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || parsed != end)
    stream.setstate(std::ios::failbit);
}

} // namespace tg::detail

#endif // TG_TRAINING_LEAST_ERROR_HPP
