/// What reading and writing .npy files have in common.
#ifndef TG_TOOLS_COMMON_NPYFORMAT_H
#define TG_TOOLS_COMMON_NPYFORMAT_H

#include "tg/dtypes.h"

#include <cerrno>
#include <cstring>
#include <string>

namespace tg::npy {

inline constexpr char magic[] = "\x93NUMPY";
inline constexpr size_t magicBytes = 6;

/// An element type and its name in the format.
struct NamedDtype {
  const char *descr;
  tg_dtype_t dtype;
};

inline constexpr NamedDtype namedDtypes[] = {
#define TG_NAMED(name, front, code, bits, host, rounding, compute, sum,        \
                 product, safetensors, npy)                                    \
  {npy, {TG_DTYPE_##code, bits, 1}},
    TG_DTYPES(TG_NAMED)
#undef TG_NAMED
};

} // namespace tg::npy

#endif // TG_TOOLS_COMMON_NPYFORMAT_H
