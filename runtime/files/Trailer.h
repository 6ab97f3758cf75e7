/// The checks of a model file that need no execution.
#ifndef TG_RUNTIME_FILES_TRAILER_H
#define TG_RUNTIME_FILES_TRAILER_H

#include "Files.h"

namespace tg {

/// A look at the end of a file: that a trailer begins there, so that a foreign
/// file is refused before it is copied. TG_ERROR_FORMAT, TG_ERROR_IO.
tg_status_t checkTrailerExists(const Descriptor &file, uint64_t bytes,
                               const char *path, tg_error_t *error);

/// Checks that a file is complete, unchanged, of this ABI and for this machine,
/// in that order; copies its trailer. `mayLack` accepts a file without one:
/// then only the ELF header is looked at and trailer is all zero but for
/// symbol. TG_ERROR_FORMAT, TG_ERROR_CORRUPT, TG_ERROR_ABI, TG_ERROR_TARGET.
tg_status_t checkModelFile(const uint8_t *file, uint64_t bytes, bool mayLack,
                           tg_trailer_t &trailer, tg_error_t *error);

} // namespace tg

#endif // TG_RUNTIME_FILES_TRAILER_H
