/// Numbers as text.
#ifndef TG_RUNTIME_DATA_TABLES_NUMBERS_H
#define TG_RUNTIME_DATA_TABLES_NUMBERS_H

#include "tg/dtypes.h"

#include <charconv>
#include <cstddef>
#include <cstring>
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

/// Stores a text as an element. Returns false if it is no such number.
inline bool storeNumber(std::string_view field, tg_dtype_t dtype,
                        std::byte *to) {
  const bool isTruth = dtype.code == TG_DTYPE_BOOL;
  switch (TG_DTYPE_KEY(dtype.code, dtype.bits)) {
#define TG_STORED(name, front, code, bits, host, ...)                          \
  case TG_DTYPE_KEY(TG_DTYPE_##code, bits): {                                  \
    host number = 0;                                                           \
    if (!parseNumber(field, number) || (isTruth && number > host(1)))          \
      return false;                                                            \
    std::memcpy(to, &number, sizeof(number));                                  \
    return true;                                                               \
  }
    TG_DTYPES(TG_STORED)
#undef TG_STORED
  }
  return false;
}

} // namespace tg::data

#endif // TG_RUNTIME_DATA_TABLES_NUMBERS_H
