/// Writes, locks and renames temporary files.
#include "AtomicFile.h"

#include "runtime/messages/Error.h"

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tg;

AtomicFile::~AtomicFile() {
  if (exists)
    ::unlink(temporary);
}

/// Fails if a rename would replace a path that must be preserved: a device, a
/// pipe, or a file without write permission, even for the superuser.
static tg_status_t checkReplaceable(const char *path, tg_error_t *error) {
  struct stat status;
  if (::stat(path, &status) != 0)
    return TG_OK; // does not exist, or the write reports the error
  if (!S_ISREG(status.st_mode))
    return fail(error, TG_ERROR_IO, "'%s' is not a regular file",
                ShortPath(path).text);
  const bool isReadOnly = !(status.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH));
  return isReadOnly ? failPath(error, path, "cannot write", EACCES) : TG_OK;
}

bool AtomicFile::nameTemporary(int index) {
  const char *slash = std::strrchr(path, '/');
  const int directory = slash ? static_cast<int>(slash - path) + 1 : 0;
  // A long name is truncated to leave room for the prefix and suffix.
  return std::snprintf(temporary, sizeof(temporary),
                       "%.*s.%.200s.tg-save-%d.tmp", directory, path,
                       path + directory,
                       index) < static_cast<int>(sizeof(temporary));
}

/// Returns true if a path refers to the open file.
static bool refersTo(const Descriptor &file, const char *name) {
  struct stat open, named;
  return ::fstat(file.get(), &open) == 0 && ::lstat(name, &named) == 0 &&
         open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

/// Removes a temporary file that a killed writer of this user left: one that
/// nobody has locked. Only the holder of the lock removes or renames a file, so
/// the name refers to the same file until it is removed.
static void removeAbandoned(const char *name) {
  struct stat status;
  if (::lstat(name, &status) != 0 || !S_ISREG(status.st_mode) ||
      status.st_uid != ::geteuid())
    return;
  const Descriptor left(
      ::open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (left.isOpen() && ::flock(left.get(), LOCK_EX | LOCK_NB) == 0 &&
      refersTo(left, name))
    ::unlink(name);
}

int AtomicFile::create() {
  // Retries if another writer took the file for abandoned and removed it before
  // it was locked.
  for (int attempt = 0; attempt < 8; ++attempt) {
    file = Descriptor(
        ::open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (!file.isOpen())
      return errno;
    const bool isTaken =
        ::flock(file.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (isTaken || !refersTo(file, temporary))
      continue;
    exists = true;
    lock = Descriptor(::fcntl(file.get(), F_DUPFD_CLOEXEC, 0));
    return lock.isOpen() ? 0 : errno;
  }
  return EEXIST;
}

tg_status_t AtomicFile::open(tg_error_t *error) {
  if (!path)
    return fail(error, TG_ERROR_NULL, "path is null");
  const tg_status_t status = checkReplaceable(path, error);
  if (status != TG_OK)
    return status;
  const char *slash = std::strrchr(path, '/');
  if (!(slash ? slash[1] : *path))
    return fail(error, TG_ERROR_IO, "'%s' is not the name of a file",
                ShortPath(path).text);
  for (int index = 0; index < maxWriters; ++index) {
    if (!nameTemporary(index))
      return failPath(error, path, "cannot write", ENAMETOOLONG);
    removeAbandoned(temporary);
  }
  int number = EEXIST;
  for (int index = 0; number == EEXIST && index < maxWriters; ++index) {
    nameTemporary(index);
    number = create();
  }
  return number == 0 ? TG_OK
                     : failPath(error, path, "cannot write",
                                number == EEXIST ? EBUSY : number);
}

tg_status_t AtomicFile::write(const void *from, uint64_t bytes,
                              tg_error_t *error) {
  const int number = writeFully(file, from, bytes);
  return number == 0 ? TG_OK : failPath(error, path, "cannot write", number);
}

/// Syncs the directory of a path, to make a rename durable.
static int syncDirectoryOf(const char *path) {
  char directory[PATH_MAX];
  const char *slash = std::strrchr(path, '/');
  const size_t length = slash ? static_cast<size_t>(slash - path) + 1 : 0;
  if (length >= sizeof(directory))
    return ENAMETOOLONG;
  std::memcpy(directory, path, length);
  directory[length] = 0;
  Descriptor opened(
      ::open(length ? directory : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.isOpen())
    return errno;
  // Some file systems cannot sync a directory and say so with EINVAL.
  return ::fsync(opened.get()) == 0 || errno == EINVAL ? 0 : errno;
}

tg_status_t AtomicFile::commit(tg_error_t *error) {
  // A failed fsync is final, since the kernel has dropped the pages.
  if (::fsync(file.get()) != 0)
    return failPath(error, path, "cannot sync", errno);
  if (const int number = file.reset())
    return failPath(error, path, "cannot close", number);
  if (::rename(temporary, path) != 0)
    return failPath(error, path, "cannot rename onto", errno);
  exists = false;
  if (const int number = syncDirectoryOf(path))
    return failPath(error, path, "cannot sync the directory", number);
  return TG_OK;
}
