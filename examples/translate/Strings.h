/// Strings of digits, the tasks on them, and both as symbol indices.
#ifndef TG_EXAMPLES_TRANSLATE_STRINGS_H
#define TG_EXAMPLES_TRANSLATE_STRINGS_H

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace translate {

/// The maximum number of digits of a string.
constexpr int64_t longest = 12;
/// The symbols in addition to the digits 0 to 9: in targets the end and the
/// begin symbol, in sources the task, which comes first.
constexpr int32_t end = 10, begin = 11, targetSymbols = 12;
enum Task : int32_t { reversal = 10, sorting = 11 };
constexpr int32_t sourceSymbols = 12;

struct Example {
  Task task;
  std::string digits;

  /// Returns the right translation.
  std::string translation() const {
    std::string result = digits;
    if (task == reversal)
      std::reverse(result.begin(), result.end());
    else
      std::sort(result.begin(), result.end());
    return result;
  }
};

inline std::string randomDigits(std::mt19937 &generator, size_t length) {
  std::string digits;
  while (digits.size() < length)
    digits.push_back(static_cast<char>('0' + generator() % 10));
  return digits;
}

/// A batch of examples as inputs of the network, [n, longest + 1] each, padded
/// with ends.
struct Batch {
  std::vector<int32_t> source, lengths, before, target;

  explicit Batch(std::span<const Example> examples) {
    for (const Example &example : examples) {
      const std::string translated = example.translation();
      add(source, example.task, example.digits);
      add(before, begin, translated);
      add(target, -1, translated);
      lengths.push_back(static_cast<int32_t>(translated.size()) + 1);
    }
  }

private:
  /// Appends a row: a symbol, unless it is -1, digits, and ends.
  static void add(std::vector<int32_t> &rows, int32_t first,
                  const std::string &digits) {
    const size_t full = rows.size() + longest + 1;
    if (first >= 0)
      rows.push_back(first);
    for (char digit : digits)
      rows.push_back(digit - '0');
    rows.resize(full, end);
  }
};

/// Returns a translation as a string, up to its end.
inline std::string textOf(std::span<const int64_t> symbols) {
  std::string text;
  for (int64_t symbol : symbols) {
    if (symbol == end)
      break;
    text.push_back(static_cast<char>('0' + symbol));
  }
  return text;
}

} // namespace translate

#endif // TG_EXAMPLES_TRANSLATE_STRINGS_H
