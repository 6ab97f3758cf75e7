/// Checks of a model file that need no execution.
#ifndef TG_RUNTIME_FILES_TRAILER_H
#define TG_RUNTIME_FILES_TRAILER_H

#include "Files.h"

namespace tg {

/// Checks that a file ends in a trailer, so that a foreign file is refused
/// before it is copied. Fails with TG_ERROR_FORMAT or TG_ERROR_IO.
tg_status_t checkTrailerExists(const Descriptor &file, uint64_t bytes,
                               const char *path, tg_error_t *error);

/// Returns the targets that this CPU can run, as a mask like
/// tg_model_t.targets.
uint32_t usableTargets();

/// Checks that a file is complete, unchanged, of this ABI and for this machine,
/// in that order, and copies its trailer. If `isOptional`, also accepts a file
/// without a trailer; then only the ELF header is checked, and all fields of
/// `trailer` but symbol are zero. Fails with TG_ERROR_FORMAT, TG_ERROR_CORRUPT,
/// TG_ERROR_ABI or TG_ERROR_TARGET.
tg_status_t checkModelFile(const uint8_t *file, uint64_t bytes, bool isOptional,
                           tg_trailer_t &trailer, tg_error_t *error);

} // namespace tg

#endif // TG_RUNTIME_FILES_TRAILER_H
