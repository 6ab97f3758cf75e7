/// The entries of a tar archive, in order.
#ifndef TG_RUNTIME_DATA_ARCHIVES_TARENTRIES_H
#define TG_RUNTIME_DATA_ARCHIVES_TARENTRIES_H

#include "ArchiveWriter.h"
#include "runtime/data/records/ByteReader.h"

namespace tg::data {

/// An entry that can belong to an example: a regular file with an extension.
struct TarEntry {
  /// The name up to the first dot of its last part, and what follows the dot,
  /// in small letters.
  std::string base, extension;
  /// The bytes of the archive, decompressed, at which its header and its
  /// contents begin.
  uint64_t byte = 0, data = 0;
  uint64_t size = 0;
};

/// A pass over an archive.
class TarEntries {
public:
  explicit TarEntries(std::unique_ptr<ByteInput> input);
  TarEntries(const TarEntries &) = delete;
  TarEntries &operator=(const TarEntries &) = delete;

  /// Reads the next header. Returns false at the end of the archive. The
  /// entries that it skips, and the one that it returns, have at most `limit`
  /// bytes together. Throws DataError without a place, as does read(); nothing
  /// can be read afterwards.
  bool next(TarEntry &entry, uint64_t limit);
  /// Reads the contents of the entry.
  void read(const TarEntry &entry, std::byte *into);
  /// Returns the byte at which the last header began or should have begun.
  uint64_t byte() const { return header; }

private:
  static constexpr size_t blockBytes = 512;
  static constexpr size_t leastBuffer = 4 << 10, mostBuffer = 64 << 10;

  static la_ssize_t readInput(archive *opened, void *user, const void **bytes);
  static la_int64_t skipInput(archive *opened, void *user, la_int64_t count);
  /// Fills the buffer. Returns the number of bytes, 0 at the end.
  size_t fill();
  /// Throws DataError unless the archive is complete and nothing follows.
  void checkEnd();
  [[noreturn]] void fail() const;

  std::unique_ptr<ByteInput> input;
  std::unique_ptr<std::byte[]> buffer =
      std::make_unique_for_overwrite<std::byte[]>(mostBuffer);
  size_t bufferSize = leastBuffer;
  /// The bytes that were read or skipped, and those up to the last one that is
  /// not zero.
  uint64_t position = 0, used = 0;
  /// The end of the last entry and its padding.
  uint64_t header = 0;
  /// The message of the input, which libarchive does not pass on.
  std::string inputError;
  std::unique_ptr<archive, ArchiveReadCloser> opened;
};

} // namespace tg::data

#endif // TG_RUNTIME_DATA_ARCHIVES_TARENTRIES_H
