/// Reads untrusted .npy files.
#include "Npy.h"
#include "WholeFile.h"
#include "tg/data/npy_header.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tg;
using namespace tg::npy;

bool tg::parseNpy(std::span<const char> bytes, const std::string &name,
                  NpyArray &array, std::string &error) {
  Front front;
  std::string why;
  if (!parseFront(bytes, bytes.size(), front, why)) {
    error = "'" + name + "': " + why;
    return false;
  }
  array.dtype = front.dtype;
  array.shape = std::move(front.shape);
  array.data.assign(bytes.begin() + static_cast<ptrdiff_t>(front.dataOffset),
                    bytes.end());
  return true;
}

/// Reads exactly `into.size()` bytes at `offset`.
static bool readBytes(int file, const std::string &path, uint64_t offset,
                      std::span<char> into, std::string &error) {
  for (size_t got = 0; got < into.size();) {
    const ssize_t count = ::pread(file, into.data() + got, into.size() - got,
                                  static_cast<off_t>(offset + got));
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return failErrno(path, "cannot read", error);
    if (count == 0) {
      error = "'" + path + "' became shorter while it was read";
      return false;
    }
    got += static_cast<size_t>(count);
  }
  return true;
}

/// Reads an open file. Reads the header first, so that no memory is allocated
/// before the file size is known to match the header.
static bool readArray(int file, const std::string &path, NpyArray &array,
                      std::string &error) {
  struct stat status;
  if (::fstat(file, &status) != 0)
    return failErrno(path, "cannot stat", error);
  if (!S_ISREG(status.st_mode)) {
    error = "'" + path + "' is not a regular file";
    return false;
  }
  const auto fileBytes = static_cast<uint64_t>(status.st_size);
  std::vector<char> begin(std::min<uint64_t>(fileBytes, frontLimit));
  if (!readBytes(file, path, 0, begin, error))
    return false;
  Front front;
  std::string why;
  if (!parseFront(begin, fileBytes, front, why)) {
    error = "'" + path + "': " + why;
    return false;
  }
  array.dtype = front.dtype;
  array.shape = std::move(front.shape);
  array.data.resize(fileBytes - front.dataOffset);
  return readBytes(file, path, front.dataOffset, array.data, error);
}

bool tg::readNpy(const std::string &path, NpyArray &array, std::string &error) {
  // O_NONBLOCK avoids waiting for the writer of a FIFO.
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    return failErrno(path, "cannot open", error);
  const bool isRead = readArray(file, path, array, error);
  ::close(file);
  return isRead;
}
