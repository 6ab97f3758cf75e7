/// Writes .npy files: aside, and renamed.
#include "Npy.h"
#include "NpyFormat.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tg;
using namespace tg::npy;

/// The magic, the version and the dictionary, padded so that data is aligned.
static bool makeHeader(tg_dtype_t dtype, std::span<const int64_t> shape,
                       std::string &header) {
  const NamedDtype *found = nullptr;
  for (const NamedDtype &named : namedDtypes)
    if (named.dtype.code == dtype.code && named.dtype.bits == dtype.bits)
      found = &named;
  if (!found)
    return false;
  std::string text = std::string("{'descr': '") + found->descr +
                     "', 'fortran_order': False, 'shape': (";
  for (int64_t dim : shape)
    text += std::to_string(dim) + (shape.size() == 1 ? "," : ", ");
  if (shape.size() > 1)
    text.resize(text.size() - 2);
  text += "), }";
  const size_t prefix = magicBytes + 4;
  text.resize((prefix + text.size() + 1 + 63) / 64 * 64 - prefix - 1, ' ');
  text += '\n';
  header.assign(magic, magicBytes);
  header += '\x01';
  header += '\0';
  header += static_cast<char>(text.size() & 255);
  header += static_cast<char>(text.size() >> 8);
  header += text;
  return true;
}

/// Writes all bytes; false with errno set.
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

/// Writes to a device or a pipe, which a rename would destroy.
static bool writeInPlace(const std::string &path, std::span<const char> header,
                         std::span<const char> data, std::string &error) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (file < 0)
    return failErrno(path, "cannot write", error);
  const bool isWritten = writeAll(file, header) && writeAll(file, data);
  const int number = errno;
  const bool isClosed = ::close(file) == 0;
  if (isWritten && isClosed)
    return true;
  if (!isWritten)
    errno = number;
  return failErrno(path, "cannot write", error);
}

bool tg::writeNpy(const std::string &path, tg_dtype_t dtype,
                  std::span<const int64_t> shape, std::span<const char> data,
                  std::string &error) {
  std::string header;
  if (!makeHeader(dtype, shape, header)) {
    error = "'" + path + "': the element type has no place in a .npy file";
    return false;
  }
  struct stat status;
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
    return writeInPlace(path, header, data, error);
  std::string aside = path + ".XXXXXX";
  const int file = ::mkostemp(aside.data(), O_CLOEXEC);
  if (file < 0)
    return failErrno(path, "cannot write", error);
  const mode_t mask = ::umask(0);
  ::umask(mask);
  const bool isWritten = writeAll(file, header) && writeAll(file, data) &&
                         ::fchmod(file, 0666 & ~mask) == 0;
  const int number = errno;
  const bool isClosed = ::close(file) == 0;
  if (isWritten && isClosed && ::rename(aside.c_str(), path.c_str()) == 0)
    return true;
  if (!isWritten)
    errno = number;
  failErrno(path, "cannot write", error);
  ::unlink(aside.c_str());
  return false;
}
