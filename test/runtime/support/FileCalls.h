/// Watches the file calls of a program, fails or stops at one of them, and
/// tells what a disk may hold when the power fails after some of them.
#ifndef TG_TEST_RUNTIME_SUPPORT_FILECALLS_H
#define TG_TEST_RUNTIME_SUPPORT_FILECALLS_H

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace tg::test {

/// A call that was made. Files are numbered in the order of their creation.
struct FileCall {
  enum Kind {
    Open,          // of what is there
    Create,        // of `file`, called `name`
    Write,         // of `bytes` at the end of `file`
    Sync,          // of `file`
    SyncDirectory, // of all names
    Close,
    Rename, // of `name` to `to`
    Remove  // of `name`
  };
  Kind kind;
  unsigned file = 0;
  std::string name = {}, to = {}, bytes = {};
};

/// Records the calls while it lives; one at a time, for one thread. A program
/// that links FileCalls.cpp makes its file calls through it.
class FileCalls {
public:
  FileCalls();
  ~FileCalls();
  FileCalls(const FileCalls &) = delete;
  FileCalls &operator=(const FileCalls &) = delete;

  /// The call of this number, from 0, fails with the error.
  void failAt(size_t number, int error);
  /// The process ends, with status 0, in place of the call of this number.
  void stopAt(size_t number) { stopNumber = number; }
  /// Every write takes one byte.
  void writeSingleBytes() { areWritesShort = true; }

  const std::vector<FileCall> &made() const { return calls; }

  /// Notes a call. Returns whether it fails, and sets errno then.
  bool note(FileCall call);
  /// The file that a descriptor was made for; none: -1.
  int fileOf(int fd) const;
  void setFile(int fd, int file) { files[fd] = file; }
  void forget(int fd) { files.erase(fd); }
  size_t limit(size_t bytes) const {
    return areWritesShort && bytes ? 1 : bytes;
  }
  unsigned fileCount = 0;

private:
  static constexpr size_t never = ~size_t(0);
  std::vector<FileCall> calls;
  std::map<int, int> files;
  size_t failNumber = never, stopNumber = never;
  int failError = 0;
  bool areWritesShort = false;
};

/// Does `action` in a process of its own, which ends in place of the call of
/// this number. Returns whether it ended there.
bool endsAt(size_t number, const std::function<void()> &action);

/// Returns the number of entries of a directory.
long countEntries(const std::string &directory);

/// Names and contents.
using Directory = std::map<std::string, std::string>;

/// All that a disk may hold when the power fails after the calls. What was not
/// synced is there or not: bytes in pieces, also as zeros, and each change of
/// a name by itself.
std::set<Directory> statesAfter(const Directory &before,
                                const std::vector<FileCall> &calls);

} // namespace tg::test

#endif // TG_TEST_RUNTIME_SUPPORT_FILECALLS_H
