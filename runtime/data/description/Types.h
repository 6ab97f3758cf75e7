/// Element types in descriptions.
#ifndef TG_RUNTIME_DATA_DESCRIPTION_TYPES_H
#define TG_RUNTIME_DATA_DESCRIPTION_TYPES_H

#include "Json.h"

namespace tg::data {

/// Returns the element type with a name of tg/dtypes.h, or with its name in
/// C++: "u8" is "ui8", "bool" is "i1".
inline tg_dtype_t toDtype(const Json &value, const std::string &path) {
  std::string names;
  const std::string text = value.is_string() ? value.get<std::string>() : "";
#define TG_NAMED(name, front, code, bits, ...)                                 \
  if (text == #name || text == #front)                                         \
    return {TG_DTYPE_##code, bits, 1};                                         \
  names += std::string(names.empty() ? "" : ", ") + #front;
  TG_DTYPES(TG_NAMED)
#undef TG_NAMED
  throw DataError(path + ": expected one of the types " + names + ", found " +
                  textOf(value));
}

/// Calls a function with a value of the C++ type of the elements. Throws
/// DataError for a type that is not in TG_DTYPES.
template <typename Function>
void visitDtype(tg_dtype_t dtype, Function function) {
  switch (TG_DTYPE_KEY(dtype.code, dtype.bits)) {
#define TG_VISITED(name, front, code, bits, host, ...)                         \
  case TG_DTYPE_KEY(TG_DTYPE_##code, bits):                                    \
    return function(host());
    TG_DTYPES(TG_VISITED)
#undef TG_VISITED
  }
  throw DataError(std::string("expected elements of a type that can be "
                              "converted, found ") +
                  tg_dtype_name(dtype));
}

} // namespace tg::data

#endif // TG_RUNTIME_DATA_DESCRIPTION_TYPES_H
