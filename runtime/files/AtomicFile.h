/// Writes files that are whole or not there.
#ifndef TG_RUNTIME_FILES_ATOMICFILE_H
#define TG_RUNTIME_FILES_ATOMICFILE_H

#include "Files.h"

namespace tg {

/// Writes a file aside, and puts it in place when it is complete and synced:
/// the file under the path is the old one or the new one. Devices, pipes and
/// files that nobody may write are refused; a symbolic link is replaced.
///
/// Files aside have one of a few names, and are locked while they are written:
/// one that is not locked was left by a writer that was killed, and the next
/// writer of the path removes it.
class AtomicFile {
public:
  /// path must outlive the object.
  explicit AtomicFile(const char *path) : path(path) {}
  AtomicFile(const AtomicFile &) = delete;
  AtomicFile &operator=(const AtomicFile &) = delete;
  /// Removes the unfinished file.
  ~AtomicFile();

  /// Creates the file aside. TG_ERROR_IO, as for all below.
  tg_status_t open(tg_error_t *error);
  tg_status_t write(const void *from, uint64_t bytes, tg_error_t *error);
  /// Syncs, renames, and syncs the directory.
  tg_status_t commit(tg_error_t *error);

private:
  /// The upper bound of concurrent writers of one path.
  static constexpr int places = 64;

  /// Writes the name of a file aside. False if it is too long.
  bool nameAside(int place);
  /// Creates and locks `aside`. 0, or the error number: EEXIST where another
  /// writer has the place.
  int create();

  const char *path;
  Descriptor file;
  Descriptor lock; // the same open file, until it has its final name
  char aside[4096];
  bool exists = false; // aside is there
};

} // namespace tg

#endif // TG_RUNTIME_FILES_ATOMICFILE_H
