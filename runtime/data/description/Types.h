/// Element types in descriptions.
#ifndef TG_RUNTIME_DATA_DESCRIPTION_TYPES_H
#define TG_RUNTIME_DATA_DESCRIPTION_TYPES_H

#include "Json.h"
#include "runtime/data/Dtypes.h"

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

} // namespace tg::data

#endif // TG_RUNTIME_DATA_DESCRIPTION_TYPES_H
