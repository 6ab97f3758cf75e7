/// A safetensors file that is open for reading, and its header.
#ifndef TG_RUNTIME_CHECKPOINT_HEADERFILE_H
#define TG_RUNTIME_CHECKPOINT_HEADERFILE_H

#include "runtime/files/Files.h"
#include "runtime/files/Sha256.h"

#include <memory>

namespace tg {

/// A file that is read as untrusted input. Not thread-safe.
struct HeaderFile {
  /// Opens a file and reads its header. Sizes are compared with the file before
  /// they are used. `path` must outlive this object. Fails with TG_ERROR_IO,
  /// TG_ERROR_FORMAT or TG_ERROR_MEMORY.
  tg_status_t open(const char *path, tg_error_t *error);

  /// Adds the data [begin, end) to a hash. Fails with TG_ERROR_IO.
  tg_status_t hashData(uint64_t begin, uint64_t end, Sha256 &hash,
                       tg_error_t *error) const;

  const char *path = nullptr;
  Descriptor file;
  std::unique_ptr<char[]> header;
  uint64_t headerBytes = 0;
  uint64_t dataOffset = 0; // in the file
  uint64_t dataBytes = 0;  // from dataOffset to the end of the file
};

} // namespace tg

#endif // TG_RUNTIME_CHECKPOINT_HEADERFILE_H
