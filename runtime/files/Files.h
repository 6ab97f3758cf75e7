/// Opens untrusted files and makes snapshots of files in memory.
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
  /// Releases ownership of the descriptor and returns it.
  int release();
  /// Closes the descriptor. Returns 0, or the error number.
  int reset();

private:
  int fd = -1;
};

/// Opens a regular file for reading and returns its size in `bytes`. Never
/// blocks on a FIFO. Fails with TG_ERROR_IO.
tg_status_t openFile(const char *path, Descriptor &file, uint64_t &bytes,
                     tg_error_t *error);

/// Reads exactly `bytes` at `offset`. Fails with TG_ERROR_IO if the file ends
/// earlier.
tg_status_t readFully(const Descriptor &file, void *into, uint64_t bytes,
                      uint64_t offset, const char *path, tg_error_t *error);

/// Fails with TG_ERROR_IO. The message contains the path, the action that
/// failed, such as "cannot open", and the text of the error `number`.
tg_status_t failPath(tg_error_t *error, const char *path, const char *action,
                     int number);

/// Writes all bytes. Returns 0 or the error number. A write beyond RLIMIT_FSIZE
/// also returns an error, instead of ending the process by SIGXFSZ.
int writeFully(const Descriptor &file, const void *from, uint64_t bytes);

/// A private copy of a file, so that the checked bytes are the ones that are
/// used. It is sealed in a memfd, or in anonymous memory if the system forbids
/// executable memfds.
class Snapshot {
public:
  /// Checks an open file of `bytes` bytes before it is copied.
  using Check = tg_status_t (*)(const Descriptor &file, uint64_t bytes,
                                const char *path, tg_error_t *error);

  Snapshot() = default;
  Snapshot(const Snapshot &) = delete;
  Snapshot &operator=(const Snapshot &) = delete;
  ~Snapshot();

  /// Copies a file that passes `check`, which may be null. Fails with
  /// TG_ERROR_IO, TG_ERROR_MEMORY, or the status of `check`.
  tg_status_t readFrom(const char *path, Check check, tg_error_t *error);
  /// Copies memory. Fails with TG_ERROR_MEMORY.
  tg_status_t copyFrom(const void *file, uint64_t bytes, tg_error_t *error);

  const uint8_t *data() const { return mapping; }
  uint64_t size() const { return bytes; }
  /// Returns the descriptor for dlopen: of the memfd if there is one, otherwise
  /// of the original file. After copyFrom() without a memfd it is not open.
  Descriptor &executable() { return isMemfd ? memory : original; }
  /// Returns true if executable() is the sealed copy.
  bool isSealed() const { return isMemfd; }

private:
  /// Allocates memory: in a memfd that is named after the file at `path`, which
  /// may be null, or in anonymous memory.
  tg_status_t allocate(const char *path, uint64_t size, tg_error_t *error);
  tg_status_t seal(tg_error_t *error);

  Descriptor memory, original;
  uint8_t *mapping = nullptr;
  uint64_t bytes = 0;
  bool isMemfd = false;
};

} // namespace tg

#endif // TG_RUNTIME_FILES_FILES_H
