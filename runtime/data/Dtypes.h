/// Element types as C++ types.
#ifndef TG_RUNTIME_DATA_DTYPES_H
#define TG_RUNTIME_DATA_DTYPES_H

#include "tg/data/feature.hpp"

namespace tg::data {

/// Returns true if a type is in TG_DTYPES.
inline bool isModelType(tg_dtype_t dtype) {
  switch (TG_DTYPE_KEY(dtype.code, dtype.bits)) {
#define TG_LISTED(name, front, code, bits, ...)                                \
  case TG_DTYPE_KEY(TG_DTYPE_##code, bits):                                    \
    return dtype.lanes == 1;
    TG_DTYPES(TG_LISTED)
#undef TG_LISTED
  }
  return false;
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

#endif // TG_RUNTIME_DATA_DTYPES_H
