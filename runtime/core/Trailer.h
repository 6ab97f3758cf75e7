/// The checks of a model file that need no execution.
#ifndef TG_RUNTIME_CORE_TRAILER_H
#define TG_RUNTIME_CORE_TRAILER_H

#include "tg/runtime.h"

namespace tg {

/// Checks that a file is complete, unchanged, of this ABI and for this machine,
/// in that order; copies its trailer. `mayLack` accepts a file without one:
/// then only the ELF header is looked at and trailer is all zero but for
/// symbol. TG_ERROR_FORMAT, TG_ERROR_CORRUPT, TG_ERROR_ABI, TG_ERROR_TARGET.
tg_status_t checkModelFile(const uint8_t *file, uint64_t bytes, bool mayLack,
                           tg_trailer_t &trailer, tg_error_t *error);

} // namespace tg

#endif // TG_RUNTIME_CORE_TRAILER_H
