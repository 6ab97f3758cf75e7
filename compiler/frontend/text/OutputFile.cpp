//===- OutputFile.cpp - Writes files as a whole or not at all -------------===//
//
// Uses system calls directly and checks each one: raw_fd_ostream ends the
// process if an error is not handled.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontend/text/OutputFile.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"

#include <cerrno>
#include <fcntl.h>
#include <optional>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tg;
using llvm::ArrayRef;
using llvm::Error;
using llvm::StringRef;

/// Returns the error "cannot write '<path>': <reason>" for an errno value.
static Error writeError(StringRef path, int errnoValue) {
  std::error_code code(errnoValue, std::generic_category());
  return llvm::createStringError(code, "cannot write '" + path +
                                           "': " + code.message());
}

/// Writes all of `pieces` to `fd`. Returns an errno value or 0.
static int writeAll(int fd, ArrayRef<StringRef> pieces) {
  for (StringRef rest : pieces) {
    while (!rest.empty()) {
      ssize_t count = ::write(fd, rest.data(), rest.size());
      if (count < 0 && errno == EINTR)
        continue;
      if (count < 0)
        return errno;
      rest = rest.drop_front(count);
    }
  }
  return 0;
}

/// Writes to the existing device or pipe at `path`.
static Error writeInPlace(StringRef path, ArrayRef<StringRef> pieces) {
  int fd = ::open(path.str().c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (fd < 0)
    return writeError(path, errno);
  int error = writeAll(fd, pieces);
  if (::close(fd) != 0 && error == 0)
    error = errno;
  return error == 0 ? Error::success() : writeError(path, error);
}

/// Creates a file with a new random name in `directory` and opens it for
/// writing. Returns its descriptor and sets `name`, or returns -1 and sets
/// errno.
static int createTemporary(StringRef directory, mode_t mode,
                           std::string &name) {
  for (unsigned attempt = 0; attempt < 100; ++attempt) {
    uint64_t number = 0;
    if (::getrandom(&number, sizeof(number), 0) != ssize_t(sizeof(number)))
      return -1;
    llvm::SmallString<128> path(directory);
    llvm::sys::path::append(path, ".tg-" + llvm::utohexstr(number) + ".tmp");
    name = path.str().str();
    int fd = ::open(name.c_str(),
                    O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
    if (fd >= 0 || errno != EEXIST)
      return fd;
  }
  return -1;
}

/// Makes a rename in `directory` durable. Returns an errno value or 0.
static int syncDirectory(StringRef directory) {
  int fd = ::open(directory.str().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0)
    return errno;
  // Some file systems cannot sync a directory and return EINVAL.
  int error = ::fsync(fd) == 0 || errno == EINVAL ? 0 : errno;
  ::close(fd);
  return error;
}

/// Writes, syncs and closes `fd`. Returns an errno value or 0. Never retries a
/// sync: after a failed one the kernel marks the pages as clean.
static int finishFile(int fd, ArrayRef<StringRef> pieces) {
  int error = writeAll(fd, pieces);
  if (error == 0 && ::fsync(fd) != 0)
    error = errno;
  if (::close(fd) != 0 && error == 0)
    error = errno;
  return error;
}

/// Writes `pieces` to a new file in the directory of `path` and renames it.
static Error writeAndRename(StringRef path, ArrayRef<StringRef> pieces,
                            unsigned mode, OnSignal onSignal) {
  StringRef directory = llvm::sys::path::parent_path(path);
  if (directory.empty())
    directory = ".";
  std::string temporary;
  int fd = createTemporary(directory, mode, temporary);
  if (fd < 0)
    return writeError(path, errno);
  if (onSignal == OnSignal::Remove)
    llvm::sys::RemoveFileOnSignal(temporary);
  llvm::scope_exit forget([&] {
    if (onSignal == OnSignal::Remove)
      llvm::sys::DontRemoveFileOnSignal(temporary);
  });

  int error = finishFile(fd, pieces);
  if (error == 0 && ::rename(temporary.c_str(), path.str().c_str()) != 0)
    error = errno;
  if (error != 0) {
    ::unlink(temporary.c_str());
    return writeError(path, error);
  }
  error = syncDirectory(directory);
  return error == 0 ? Error::success() : writeError(path, error);
}

Error tg::writeFileAtomically(StringRef path, ArrayRef<StringRef> pieces,
                              unsigned mode, OnSignal onSignal) {
  if (path == "-") {
    int error = writeAll(STDOUT_FILENO, pieces);
    return error == 0 ? Error::success() : writeError("standard output", error);
  }
  struct stat status;
  if (::stat(path.str().c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode))
      return writeError(path, EISDIR);
    if (!S_ISREG(status.st_mode))
      return writeInPlace(path, pieces);
    // A rename over a file needs no write permission for it. A file without
    // this permission is meant to stay, even for the superuser.
    bool readOnly = (status.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0;
    if (readOnly || ::access(path.str().c_str(), W_OK) != 0)
      return writeError(path, EACCES);
  }
  return writeAndRename(path, pieces, mode, onSignal);
}

/// Returns the canonical form of a path whose file need not exist.
static std::string resolve(StringRef path) {
  llvm::SmallString<128> real;
  if (!llvm::sys::fs::real_path(path, real))
    return real.str().str();
  StringRef directory = llvm::sys::path::parent_path(path);
  if (llvm::sys::fs::real_path(directory.empty() ? "." : directory, real))
    return path.str();
  llvm::sys::path::append(real, llvm::sys::path::filename(path));
  return real.str().str();
}

bool tg::isSameFile(StringRef a, StringRef b) {
  return resolve(a) == resolve(b) || llvm::sys::fs::equivalent(a, b);
}
