/// Plain files of records, read at any offset.
#ifndef TG_RUNTIME_DATA_RECORDS_RECORDFILE_H
#define TG_RUNTIME_DATA_RECORDS_RECORDFILE_H

#include "RecordFormat.h"

#include "runtime/files/Files.h"

namespace tg::data {

/// The properties of a file that differ after a change of its contents, except
/// for a change within one tick of the clock of the file system.
struct FileIdentity {
  uint64_t size = 0, inode = 0;
  int64_t seconds = 0, nanoseconds = 0; // of the last change

  bool operator==(const FileIdentity &) const = default;
};

/// Opens a regular file and stores its identity. Throws DataError.
Descriptor openRegular(const std::string &path, FileIdentity &identity);

/// Reads bytes of an open file. Throws DataError without the name of the file
/// if it has become shorter than `size`.
void readBytes(const Descriptor &file, uint64_t size, void *into,
               uint64_t bytes, uint64_t offset);

/// Throws DataError without the name of the file if it has changed since it was
/// opened. Reads of data without checksums are followed by it.
void expectUnchanged(const Descriptor &file, const FileIdentity &opened);
/// Throws DataError if the file at a path is another one or has changed.
void expectUnchanged(const std::string &path, const FileIdentity &opened);

/// An untrusted file of known size. Several threads may read it at once.
class RecordFile {
public:
  /// Opens a file. Throws DataError if it is not a regular file.
  explicit RecordFile(std::string path);

  const std::string &path() const { return name; }
  const FileIdentity &identity() const { return opened; }
  uint64_t size() const { return opened.size; }

  /// Closes the file between reads, so that a data set can have more files than
  /// a process can have open. Each read then opens it, if it is the same file.
  void closeBetweenReads() { file.reset(); }

  /// Reads bytes of the record at `place`. Throws DataError if the file has
  /// become shorter.
  void read(void *into, uint64_t bytes, uint64_t offset,
            const RecordPlace &place) const;
  /// Throws DataError if the file has changed since it was opened, for data
  /// without a checksum.
  void expectUnchanged(const RecordPlace &place) const;

private:
  std::string name;
  FileIdentity opened;
  Descriptor file;
};

} // namespace tg::data

#endif // TG_RUNTIME_DATA_RECORDS_RECORDFILE_H
