/// Files: opening untrusted ones, snapshots in memory.
#ifndef TG_RUNTIME_FILES_FILES_H
#define TG_RUNTIME_FILES_FILES_H

#include "tg/runtime.h"

namespace tg {

/// A file descriptor that closes itself.
class Descriptor {
public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd(fd) {}
  Descriptor(Descriptor &&other) : fd(other.release()) {}
  Descriptor &operator=(Descriptor &&other);
  ~Descriptor() { reset(); }

  int get() const { return fd; }
  bool isOpen() const { return fd >= 0; }
  /// Gives the descriptor away.
  int release();
  /// Closes now; 0, or the error number.
  int reset();

private:
  int fd = -1;
};

/// Opens a regular file for reading, and tells its size. Never blocks on a
/// FIFO. TG_ERROR_IO.
tg_status_t openFile(const char *path, Descriptor &file, uint64_t &bytes,
                     tg_error_t *error);

/// Reads exactly `bytes` at `offset`; a file that ends before is TG_ERROR_IO.
tg_status_t readFully(const Descriptor &file, void *into, uint64_t bytes,
                      uint64_t offset, const char *path, tg_error_t *error);

/// TG_ERROR_IO for a path and the operating system's reason.
tg_status_t failPath(tg_error_t *error, const char *path, const char *what,
                     int number);

/// Writes all bytes. Returns 0, or the error number; that is also all that a
/// limit of file sizes does, which sends a deadly signal otherwise.
int writeFully(const Descriptor &file, const void *from, uint64_t bytes);

/// A private copy of a file, so that what was checked is what is used: sealed
/// in a memfd, or in anonymous memory where the system forbids executable
/// memfds.
class Snapshot {
public:
  /// A look at an open file of so many bytes, before any of it is copied.
  using Look = tg_status_t (*)(const Descriptor &file, uint64_t bytes,
                               const char *path, tg_error_t *error);

  Snapshot() = default;
  Snapshot(const Snapshot &) = delete;
  Snapshot &operator=(const Snapshot &) = delete;
  ~Snapshot();

  /// Copies a file that passes `look`, which may be null. TG_ERROR_IO,
  /// TG_ERROR_MEMORY, and what look answers.
  tg_status_t readFrom(const char *path, Look look, tg_error_t *error);
  /// Copies memory. TG_ERROR_MEMORY.
  tg_status_t copyFrom(const void *file, uint64_t bytes, tg_error_t *error);

  const uint8_t *data() const { return mapping; }
  uint64_t size() const { return bytes; }
  /// Returns the file that dlopen may map: the memfd, else the file itself;
  /// closed if neither.
  Descriptor &executable() { return isMemfd ? memory : original; }
  /// Returns true if executable() is the sealed copy.
  bool isSealed() const { return isMemfd; }

private:
  /// Makes room: in a memfd that is named after the file at `path`, which may
  /// be null, or in anonymous memory.
  tg_status_t allocate(const char *path, uint64_t size, tg_error_t *error);
  tg_status_t seal(tg_error_t *error);

  Descriptor memory, original;
  uint8_t *mapping = nullptr;
  uint64_t bytes = 0;
  bool isMemfd = false;
};

} // namespace tg

#endif // TG_RUNTIME_FILES_FILES_H
