/// The failure of a library that was made for another version of the ABI.
#ifndef TG_RUNTIME_MESSAGES_ABIERROR_H
#define TG_RUNTIME_MESSAGES_ABIERROR_H

#include "tg/runtime.h"

namespace tg {

/// Returns true if this runtime runs libraries of an ABI version, which has the
/// format of TG_ABI_VERSION.
constexpr bool fitsAbi(uint32_t version) {
  return version >> 16 == TG_ABI_MAJOR && (version & 0xffff) <= TG_ABI_MINOR;
}

/// Fails with TG_ERROR_ABI because a library has the ABI `version`.
tg_status_t failAbi(uint32_t version, tg_error_t *error);

/// Fails with TG_ERROR_ABI because a library has no table of this ABI for a
/// target. Calls the library's function with other versions to find the one
/// that it has.
tg_status_t failAbi(tg_model_get_fn *get, uint32_t target, tg_error_t *error);

} // namespace tg

#endif // TG_RUNTIME_MESSAGES_ABIERROR_H
