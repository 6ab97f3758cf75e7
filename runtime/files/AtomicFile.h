/// Writes files atomically: a file is complete, or it does not exist.
#ifndef TG_RUNTIME_FILES_ATOMICFILE_H
#define TG_RUNTIME_FILES_ATOMICFILE_H

#include "Files.h"

namespace tg {

/// Writes a temporary file, and renames it to its path when it is complete and
/// synced, so the path always has the old file or the new one. Refuses devices,
/// pipes and files that nobody may write. Replaces a symbolic link.
///
/// Temporary files of a path have one of a fixed set of names, and are locked
/// while they are written. A temporary file without a lock was left by a killed
/// writer; the next writer of the path removes it.
class AtomicFile {
public:
  /// `path` must outlive the object.
  explicit AtomicFile(const char *path) : path(path) {}
  AtomicFile(const AtomicFile &) = delete;
  AtomicFile &operator=(const AtomicFile &) = delete;
  /// Removes the unfinished file.
  ~AtomicFile();

  /// Creates the temporary file. Fails with TG_ERROR_IO, as do the functions
  /// below.
  tg_status_t open(tg_error_t *error);
  tg_status_t write(const void *from, uint64_t bytes, tg_error_t *error);
  /// Syncs and renames the file, and syncs its directory.
  tg_status_t commit(tg_error_t *error);

private:
  /// The upper bound of concurrent writers of one path.
  static constexpr int maxWriters = 64;

  /// Stores the name of a temporary file in `temporary`. Returns false if it is
  /// too long.
  bool nameTemporary(int index);
  /// Creates and locks `temporary`. Returns 0, or an error number: EEXIST if
  /// another writer has the name.
  int create();

  const char *path;
  Descriptor file;
  Descriptor lock; // the same open file, held until the rename
  char temporary[4096];
  bool exists = false; // true if the file `temporary` exists
};

} // namespace tg

#endif // TG_RUNTIME_FILES_ATOMICFILE_H
