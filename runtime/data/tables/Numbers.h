/// Numbers as text.
#ifndef TG_RUNTIME_DATA_TABLES_NUMBERS_H
#define TG_RUNTIME_DATA_TABLES_NUMBERS_H

#include <charconv>
#include <string_view>

namespace tg::data {

/// Parses a number, which is the whole text. Returns false if the text is
/// something else, or T cannot hold it.
template <typename T> bool parseNumber(std::string_view text, T &number) {
  const char *first = text.data();
  const char *const last = first + text.size();
  first += first != last && *first == '+';
  const auto [end, error] = std::from_chars(first, last, number);
  return error == std::errc() && end == last && first != last;
}

} // namespace tg::data

#endif // TG_RUNTIME_DATA_TABLES_NUMBERS_H
