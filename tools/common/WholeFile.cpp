/// Writes temporary files and renames them.
#include "WholeFile.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tg;

bool tg::failErrno(const std::string &path, const char *action,
                   std::string &error) {
  error = "'" + path + "': " + action + ": " + std::strerror(errno);
  return false;
}

/// Writes all bytes. Returns false and sets errno on failure.
static bool writeAll(int file, std::span<const char> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR)
      return false;
    if (count > 0)
      bytes = bytes.subspan(static_cast<size_t>(count));
  }
  return true;
}

/// Writes in place to a device or a pipe, which a rename would replace.
static bool writeInPlace(const std::string &path, std::span<const char> front,
                         std::span<const char> rest, std::string &error) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (file < 0)
    return failErrno(path, "cannot write", error);
  const bool isWritten = writeAll(file, front) && writeAll(file, rest);
  const int savedErrno = errno;
  const bool isClosed = ::close(file) == 0;
  if (isWritten && isClosed)
    return true;
  if (!isWritten)
    errno = savedErrno;
  return failErrno(path, "cannot write", error);
}

bool tg::isWrittenInPlace(const std::string &path) {
  struct stat status;
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

bool tg::writeWholeFile(const std::string &path, std::span<const char> front,
                        std::span<const char> rest, std::string &error) {
  if (isWrittenInPlace(path))
    return writeInPlace(path, front, rest, error);
  std::string temporary = path + ".XXXXXX";
  const int file = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (file < 0)
    return failErrno(path, "cannot write", error);
  const mode_t mask = ::umask(0);
  ::umask(mask);
  const bool isWritten = writeAll(file, front) && writeAll(file, rest) &&
                         ::fchmod(file, 0666 & ~mask) == 0;
  const int savedErrno = errno;
  const bool isClosed = ::close(file) == 0;
  if (isWritten && isClosed && ::rename(temporary.c_str(), path.c_str()) == 0)
    return true;
  if (!isWritten)
    errno = savedErrno;
  failErrno(path, "cannot write", error);
  ::unlink(temporary.c_str());
  return false;
}
