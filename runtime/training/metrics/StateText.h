/// States of metrics and callbacks as text.
#ifndef TG_RUNTIME_TRAINING_METRICS_STATETEXT_H
#define TG_RUNTIME_TRAINING_METRICS_STATETEXT_H

#include "tg/data/feature.hpp"

#include <bit>
#include <charconv>
#include <sstream>
#include <string>
#include <string_view>

namespace tg::training {

/// Returns the bits of a number as 16 hexadecimal digits. They read back as the
/// same number, also for NaN.
inline std::string bitsText(double number) {
  char digits[16];
  const auto bits = std::bit_cast<uint64_t>(number);
  char *end = std::to_chars(digits, digits + 16, bits, 16).ptr;
  const std::string text(digits, end);
  return std::string(16 - text.size(), '0') + text;
}

/// Reads the words of a state one by one.
class StateReader {
public:
  /// `name` is that of the metric or callback, for messages.
  StateReader(const std::string &text, std::string name)
      : state(text), owner(std::move(name)), words(text) {}

  std::string word() {
    std::string found;
    if (!(words >> found))
      fail();
    return found;
  }
  /// Reads a word that must be this one.
  void expect(std::string_view expected) {
    if (word() != expected)
      fail();
  }
  template <typename T> T whole() { return parse<T>(word(), 10); }
  double number() {
    const std::string digits = word();
    if (digits.size() != 16)
      fail();
    return std::bit_cast<double>(parse<uint64_t>(digits, 16));
  }
  bool isAtEnd() { return (words >> std::ws).eof(); }
  /// Returns the rest of the line.
  std::string rest() {
    std::string found;
    std::getline(words >> std::ws, found);
    return found;
  }
  /// Throws if there is another word.
  void finish() {
    std::string found;
    if (words >> found)
      fail();
  }
  [[noreturn]] void fail() const {
    throw data::DataError("expected the state of '" + owner + "', found '" +
                          state.substr(0, 80) + "'");
  }

private:
  template <typename T> T parse(const std::string &digits, int base) const {
    T number = 0;
    const char *end = digits.data() + digits.size();
    const auto [parsed, error] =
        std::from_chars(digits.data(), end, number, base);
    if (error != std::errc() || parsed != end)
      fail();
    return number;
  }

  std::string state, owner;
  std::istringstream words;
};

} // namespace tg::training

#endif // TG_RUNTIME_TRAINING_METRICS_STATETEXT_H
