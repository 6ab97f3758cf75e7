/// Interposed file calls, and the disk states that they can leave.
#include "FileCalls.h"

#include <cerrno>
#include <cstdarg>
#include <fcntl.h>
#include <filesystem>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

using namespace tg::test;

static FileCalls *active = nullptr;

FileCalls::FileCalls() { active = this; }
FileCalls::~FileCalls() { active = nullptr; }

void FileCalls::failAt(size_t number, int error) {
  failNumber = number;
  failError = error;
}

bool FileCalls::note(FileCall call) {
  const size_t number = calls.size();
  if (number == stopNumber)
    ::_exit(0);
  calls.push_back(std::move(call));
  if (number != failNumber)
    return false;
  errno = failError;
  return true;
}

int FileCalls::fileOf(int fd) const {
  const auto found = files.find(fd);
  return found == files.end() ? -1 : found->second;
}

bool tg::test::endsAt(size_t number, const std::function<void()> &action) {
  const pid_t child = ::fork();
  if (child == 0) {
    FileCalls calls;
    calls.stopAt(number);
    action();
    ::_exit(1);
  }
  int status = 1;
  return ::waitpid(child, &status, 0) == child && status == 0;
}

long tg::test::countEntries(const std::string &directory) {
  return std::distance(std::filesystem::directory_iterator(directory), {});
}

//===-- Replacements of the C library's calls -----------------------------===//

// libtgrt must also link to these definitions.
#pragma GCC visibility push(default)
extern "C" {
int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  const bool isNew = flags & O_CREAT;
  const unsigned file = active ? active->fileCount : 0;
  if (active && active->note({isNew ? FileCall::Create : FileCall::Open, file,
                              isNew ? path : ""}))
    return -1;
  const int fd =
      static_cast<int>(::syscall(SYS_openat, AT_FDCWD, path, flags, mode));
  if (active && fd >= 0 && isNew)
    active->setFile(fd, static_cast<int>(active->fileCount++));
  return fd;
}

int close(int fd) {
  // The descriptor is closed even if close fails.
  const bool fails = active && active->note({FileCall::Close});
  const int error = errno;
  const int result = static_cast<int>(::syscall(SYS_close, fd));
  if (active)
    active->forget(fd);
  errno = fails ? error : errno;
  return fails ? -1 : result;
}

ssize_t write(int fd, const void *from, size_t bytes) {
  if (active && active->fileOf(fd) >= 0) {
    bytes = active->limit(bytes);
    if (active->note({FileCall::Write,
                      static_cast<unsigned>(active->fileOf(fd)),
                      {},
                      {},
                      {static_cast<const char *>(from), bytes}}))
      return -1;
  }
  return ::syscall(SYS_write, fd, from, bytes);
}

int fsync(int fd) {
  if (active) {
    const int file = active->fileOf(fd);
    if (active->note(
            file < 0 ? FileCall{FileCall::SyncDirectory}
                     : FileCall{FileCall::Sync, static_cast<unsigned>(file)}))
      return -1;
  }
  return static_cast<int>(::syscall(SYS_fsync, fd));
}

int rename(const char *from, const char *to) noexcept {
  if (active && active->note({FileCall::Rename, 0, from, to}))
    return -1;
  return static_cast<int>(::syscall(SYS_rename, from, to));
}

int unlink(const char *path) noexcept {
  if (active && active->note({FileCall::Remove, 0, path}))
    return -1;
  return static_cast<int>(::syscall(SYS_unlink, path));
}
}
#pragma GCC visibility pop

//===-- Disk states -------------------------------------------------------===//

namespace {

/// The synced bytes of a file and the bytes that may follow them.
struct Inode {
  std::string synced, written;

  /// Returns the possible contents after a power failure.
  std::set<std::string> contents() const {
    constexpr size_t piece = 64;
    std::set<std::string> found = {synced + written};
    for (size_t kept = 0; kept < written.size(); kept += piece) {
      found.insert(synced + written.substr(0, kept));
      std::string holes = written;
      holes.replace(0, kept, kept, '\0');
      found.insert(synced + holes);
      holes = written.substr(0, kept);
      found.insert(synced + holes.append(written.size() - kept, '\0'));
    }
    return found;
  }
};

/// The state of a disk after some calls.
struct Disk {
  explicit Disk(const Directory &before) {
    for (const auto &[name, bytes] : before) {
      names[name] = inodes.size();
      inodes.push_back({bytes, ""});
    }
    firstNew = inodes.size();
  }

  void apply(const FileCall &call);
  static void change(std::map<std::string, size_t> &names, const FileCall &call,
                     size_t firstNew);

  std::vector<Inode> inodes;
  size_t firstNew;
  std::map<std::string, size_t> names;  // that are synced
  std::vector<FileCall> pendingChanges; // of names
};

} // namespace

void Disk::change(std::map<std::string, size_t> &names, const FileCall &call,
                  size_t firstNew) {
  const auto found = names.find(call.name);
  if (call.kind == FileCall::Create) {
    names[call.name] = firstNew + call.file;
  } else if (found != names.end()) {
    if (call.kind == FileCall::Rename)
      names[call.to] = found->second;
    names.erase(call.name);
  }
}

void Disk::apply(const FileCall &call) {
  switch (call.kind) {
  case FileCall::Create:
    inodes.push_back({});
    [[fallthrough]];
  case FileCall::Rename:
  case FileCall::Remove:
    pendingChanges.push_back(call);
    return;
  case FileCall::Write:
    inodes[firstNew + call.file].written += call.bytes;
    return;
  case FileCall::Sync: {
    Inode &inode = inodes[firstNew + call.file];
    inode.synced += std::exchange(inode.written, "");
    return;
  }
  case FileCall::SyncDirectory:
    for (const FileCall &pending : std::exchange(pendingChanges, {}))
      change(names, pending, firstNew);
    return;
  case FileCall::Open:
  case FileCall::Close:
    return;
  }
}

/// Adds all possible directories of these names, one name per recursion step.
static void addStates(const Disk &disk,
                      std::map<std::string, size_t>::const_iterator at,
                      std::map<std::string, size_t>::const_iterator end,
                      Directory &so, std::set<Directory> &states) {
  if (at == end) {
    states.insert(so);
    return;
  }
  const auto [name, inode] = *at;
  ++at;
  for (const std::string &bytes : disk.inodes[inode].contents()) {
    so[name] = bytes;
    addStates(disk, at, end, so, states);
  }
  so.erase(name);
}

std::set<Directory> tg::test::statesAfter(const Directory &before,
                                          const std::vector<FileCall> &calls) {
  Disk disk(before);
  for (const FileCall &call : calls)
    disk.apply(call);
  std::set<Directory> states;
  const size_t choices = size_t(1) << disk.pendingChanges.size();
  for (size_t choice = 0; choice < choices; ++choice) {
    std::map<std::string, size_t> names = disk.names;
    for (size_t i = 0; i < disk.pendingChanges.size(); ++i) {
      FileCall change = disk.pendingChanges[i];
      if (!(choice >> i & 1))
        continue;
      // A rename may be durable although the creation before it was not synced.
      if (change.kind == FileCall::Rename && !names.count(change.name))
        for (const FileCall &earlier : disk.pendingChanges)
          if (earlier.kind == FileCall::Create && earlier.name == change.name)
            Disk::change(names, earlier, disk.firstNew);
      Disk::change(names, change, disk.firstNew);
    }
    Directory so;
    addStates(disk, names.begin(), names.end(), so, states);
  }
  return states;
}
