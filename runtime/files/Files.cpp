/// Opens, reads and copies files.
#include "Files.h"

#include "runtime/messages/Error.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace tg;

Descriptor &Descriptor::operator=(Descriptor &&other) {
  if (this != &other) {
    reset();
    fd = other.release();
  }
  return *this;
}

int Descriptor::release() { return std::exchange(fd, -1); }

int Descriptor::reset() {
  if (fd < 0)
    return 0;
  // Never retried: on Linux close() releases the descriptor even if it fails.
  return ::close(release()) == 0 ? 0 : errno;
}

tg_status_t tg::failPath(tg_error_t *error, const char *path,
                         const char *action, int number) {
  char buffer[128];
  return fail(error, TG_ERROR_IO, "'%s': %s: %s", ShortPath(path).text, action,
              describeErrno(number, buffer));
}

tg_status_t tg::openFile(const char *path, Descriptor &file, uint64_t &bytes,
                         tg_error_t *error) {
  if (!path)
    return fail(error, TG_ERROR_NULL, "path is null");
  Descriptor opened(::open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!opened.isOpen())
    return failPath(error, path, "cannot open", errno);
  struct stat status;
  if (::fstat(opened.get(), &status) != 0)
    return failPath(error, path, "cannot stat", errno);
  if (!S_ISREG(status.st_mode))
    return fail(error, TG_ERROR_IO, "'%s' is not a regular file",
                ShortPath(path).text);
  bytes = static_cast<uint64_t>(status.st_size);
  file = std::move(opened);
  return TG_OK;
}

tg_status_t tg::readFully(const Descriptor &file, void *into, uint64_t bytes,
                          uint64_t offset, const char *path,
                          tg_error_t *error) {
  char *at = static_cast<char *>(into);
  for (uint64_t got = 0; got < bytes;) {
    const size_t chunk = std::min<uint64_t>(bytes - got, 1 << 30);
    const ssize_t count =
        ::pread(file.get(), at + got, chunk, static_cast<off_t>(offset + got));
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return failPath(error, path, "cannot read", errno);
    if (count == 0)
      return failNumber(error, TG_ERROR_IO, static_cast<int64_t>(offset + got),
                        static_cast<int64_t>(offset + bytes),
                        "'%s' became shorter while it was read",
                        ShortPath(path).text);
    got += static_cast<uint64_t>(count);
  }
  return TG_OK;
}

namespace {

/// Blocks SIGXFSZ in this thread during its lifetime. A write beyond
/// RLIMIT_FSIZE raises this signal in the writing thread. The host's handlers
/// do not change, and a signal that was pending before stays pending.
class ScopedSigxfszBlock {
public:
  ScopedSigxfszBlock() {
    sigemptyset(&signals);
    sigaddset(&signals, SIGXFSZ);
    sigset_t pending;
    sigpending(&pending);
    wasPending = sigismember(&pending, SIGXFSZ);
    ::pthread_sigmask(SIG_BLOCK, &signals, &before);
  }
  ~ScopedSigxfszBlock() {
    const int number = errno;
    const timespec atOnce = {};
    if (!wasPending)
      ::sigtimedwait(&signals, nullptr, &atOnce);
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    errno = number;
  }
  ScopedSigxfszBlock(const ScopedSigxfszBlock &) = delete;
  ScopedSigxfszBlock &operator=(const ScopedSigxfszBlock &) = delete;

private:
  sigset_t signals, before;
  bool wasPending;
};

} // namespace

int tg::writeFully(const Descriptor &file, const void *from, uint64_t bytes) {
  const ScopedSigxfszBlock block;
  const char *at = static_cast<const char *>(from);
  while (bytes) {
    const ssize_t count =
        ::write(file.get(), at, std::min<uint64_t>(bytes, 1 << 30));
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return errno;
    at += count;
    bytes -= static_cast<uint64_t>(count);
  }
  return 0;
}

Snapshot::~Snapshot() {
  if (mapping)
    ::munmap(mapping, bytes);
}

/// Creates a memfd that dlopen can map. Returns a descriptor that is not open
/// if memfd_create fails. The memfd's name, shown in /proc/self/maps and in
/// profiles, contains the file's name, if any.
static Descriptor createExecutableMemfd(const char *path) {
  char name[200] = "tg-model";
  if (path) {
    const char *slash = std::strrchr(path, '/');
    std::snprintf(name, sizeof(name), "tg-model:%s", slash ? slash + 1 : path);
  }
#ifndef MFD_EXEC
  constexpr unsigned MFD_EXEC = 0x10; // Linux 6.3
#endif
  const unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
  Descriptor memfd(::memfd_create(name, flags | MFD_EXEC));
  if (!memfd.isOpen() && errno == EINVAL)
    memfd = Descriptor(::memfd_create(name, flags));
  return memfd;
}

/// Returns true if the descriptor's memory may be mapped executable.
static bool isExecutable(const Descriptor &file) {
  void *page =
      ::mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, file.get(), 0);
  if (page == MAP_FAILED)
    return false;
  ::munmap(page, 4096);
  return true;
}

/// Returns true if memfd_create failed for lack of resources, and not because
/// the system forbids the request.
static bool isShortage(int number) {
  return number == EMFILE || number == ENFILE || number == ENOMEM;
}

tg_status_t Snapshot::allocate(const char *path, uint64_t size,
                               tg_error_t *error) {
  bytes = size;
  memory = createExecutableMemfd(path);
  char buffer[128];
  if (!memory.isOpen() && isShortage(errno))
    return fail(error, TG_ERROR_MEMORY, "memfd_create: %s",
                describeErrno(errno, buffer));
  isMemfd = memory.isOpen() && isExecutable(memory);
  if (isMemfd)
    return TG_OK;
  memory.reset();
  void *block = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED)
    return fail(error, TG_ERROR_MEMORY, "no memory for %llu bytes of a file",
                static_cast<unsigned long long>(bytes));
  mapping = static_cast<uint8_t *>(block);
  return TG_OK;
}

tg_status_t Snapshot::seal(tg_error_t *error) {
  if (!isMemfd)
    return TG_OK;
  void *block = MAP_FAILED;
  if (::fcntl(memory.get(), F_ADD_SEALS,
              F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) == 0)
    block = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, memory.get(), 0);
  if (block == MAP_FAILED)
    return fail(error, TG_ERROR_MEMORY, "cannot seal and map a file in memory");
  mapping = static_cast<uint8_t *>(block);
  return TG_OK;
}

/// Reports why a file could not be copied to memory. RLIMIT_FSIZE also applies
/// to memfds.
static tg_status_t failCopy(uint64_t size, int number, tg_error_t *error) {
  const bool isLimit = number == EFBIG;
  return fail(error, isLimit ? TG_ERROR_IO : TG_ERROR_MEMORY,
              isLimit ? "the limit of file sizes forbids a copy of %llu bytes "
                        "in memory"
                      : "no memory for %llu bytes of a file",
              static_cast<unsigned long long>(size));
}

tg_status_t Snapshot::copyFrom(const void *file, uint64_t size,
                               tg_error_t *error) {
  if (size == 0)
    return fail(error, TG_ERROR_FORMAT, "the file is empty");
  if (!file)
    return fail(error, TG_ERROR_NULL, "file is null");
  const tg_status_t status = allocate(nullptr, size, error);
  if (status != TG_OK)
    return status;
  if (!isMemfd)
    std::memcpy(mapping, file, size);
  else if (const int number = writeFully(memory, file, size))
    return failCopy(size, number, error);
  return seal(error);
}

tg_status_t Snapshot::readFrom(const char *path, Check check,
                               tg_error_t *error) {
  uint64_t size;
  tg_status_t status = openFile(path, original, size, error);
  if (status != TG_OK)
    return status;
  if (size == 0)
    return fail(error, TG_ERROR_FORMAT, "'%s' is empty", ShortPath(path).text);
  if (check)
    status = check(original, size, path, error);
  if (status == TG_OK)
    status = allocate(path, size, error);
  if (status != TG_OK)
    return status;
  if (!isMemfd)
    return readFully(original, mapping, size, 0, path, error);
  // Uses write() and not a mapping, in which lack of memory causes a signal.
  alignas(64) char chunk[32768];
  for (uint64_t at = 0; at < size;) {
    const uint64_t count = std::min<uint64_t>(size - at, sizeof(chunk));
    status = readFully(original, chunk, count, at, path, error);
    if (status != TG_OK)
      return status;
    if (const int number = writeFully(memory, chunk, count))
      return nameFile(error, failCopy(size, number, error), path);
    at += count;
  }
  return seal(error);
}
