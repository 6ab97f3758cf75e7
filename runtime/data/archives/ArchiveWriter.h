/// Archives that appear when they are complete, written by libarchive.
#ifndef TG_RUNTIME_DATA_ARCHIVES_ARCHIVEWRITER_H
#define TG_RUNTIME_DATA_ARCHIVES_ARCHIVEWRITER_H

#include "runtime/files/AtomicFile.h"
#include "tg/data/feature.hpp"

#include <archive.h>
#include <archive_entry.h>

namespace tg::data {

struct ArchiveReadCloser {
  void operator()(archive *opened) const { archive_read_free(opened); }
};
struct ArchiveWriteCloser {
  void operator()(archive *opened) const { archive_write_free(opened); }
};
struct ArchiveEntryCloser {
  void operator()(archive_entry *entry) const { archive_entry_free(entry); }
};

/// A new archive. All entries are regular files with the same time of change,
/// so that equal contents give equal bytes.
class ArchiveWriter {
public:
  /// Creates the file. `prepare` selects the format; `time` is that of all
  /// entries, in seconds since 1970. Throws DataError, as do the functions
  /// below.
  ArchiveWriter(const std::string &path, void (*prepare)(archive *),
                int64_t time);
  ArchiveWriter(const ArchiveWriter &) = delete;
  ArchiveWriter &operator=(const ArchiveWriter &) = delete;

  /// Appends an entry whose contents are the parts one after the other.
  void add(const std::string &name,
           std::initializer_list<std::span<const std::byte>> parts);
  /// Completes the file.
  void close();

private:
  void check(bool isDone) const;

  const std::string path;
  AtomicFile file;
  int64_t time;
  std::unique_ptr<archive, ArchiveWriteCloser> opened;
};

} // namespace tg::data

#endif // TG_RUNTIME_DATA_ARCHIVES_ARCHIVEWRITER_H
