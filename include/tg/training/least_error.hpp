/// The least error so far, as those who wait for it to fall keep it.
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

/// Throws std::invalid_argument unless a decrease is a fraction of the error.
inline void expectFraction(double minDecrease) {
  if (!(minDecrease >= 0 && minDecrease < 1))
    throw std::invalid_argument(
        "expected minDecrease as a fraction of the error from 0 to below 1 "
        "(0.01 is one percent), found " +
        std::to_string(minDecrease));
}

/// Throws std::invalid_argument where a number of epochs is negative.
inline void expectEpochs(const char *option, int64_t epochs) {
  if (epochs < 0)
    throw std::invalid_argument("expected " + std::string(option) +
                                " of 0 epochs or more, found " +
                                std::to_string(epochs));
}

/// Returns true if the error is lower than the best one by more than this
/// fraction of it. What is no number is not.
inline bool hasFallen(double error, double best, double minDecrease) {
  if (std::isinf(best))
    return error < best;
  return best - error > minDecrease * std::abs(best);
}

/// Returns the shortest text that reads as the same number, in any locale.
inline std::string textOf(double number) {
  char text[32];
  return std::string(text,
                     std::to_chars(text, text + sizeof(text), number).ptr);
}

/// Reads what textOf() wrote; sets failbit where it is none.
inline void read(std::istream &stream, double &number) {
  std::string text;
  stream >> text;
  const char *end = text.data() + text.size();
  auto [at, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || at != end)
    stream.setstate(std::ios::failbit);
}

} // namespace tg::detail

#endif // TG_TRAINING_LEAST_ERROR_HPP
