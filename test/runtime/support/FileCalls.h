/// Records the file calls of a program, fails or stops at one of them, and
/// enumerates the possible disk states after a power failure.
#ifndef TG_TEST_RUNTIME_SUPPORT_FILECALLS_H
#define TG_TEST_RUNTIME_SUPPORT_FILECALLS_H

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace tg::test {

/// A recorded call. Files are numbered in the order of creation.
struct FileCall {
  enum Kind {
    Open,          // of an existing file
    Create,        // of `file`, called `name`
    Write,         // of `bytes` at the end of `file`
    Sync,          // of `file`
    SyncDirectory, // of the directory
    Close,
    Rename, // of `name` to `to`
    Remove  // of `name`
  };
  Kind kind;
  unsigned file = 0;
  std::string name = {}, to = {}, bytes = {};
};

/// Records file calls during its lifetime. Only one object may exist at a time,
/// for one thread. A program that links FileCalls.cpp makes its file calls
/// through it.
class FileCalls {
public:
  FileCalls();
  ~FileCalls();
  FileCalls(const FileCalls &) = delete;
  FileCalls &operator=(const FileCalls &) = delete;

  /// Lets the call with this number, counted from 0, fail with `error`.
  void failAt(size_t number, int error);
  /// Ends the process with status 0 in place of the call with this number.
  void stopAt(size_t number) { stopNumber = number; }
  /// Lets every write call write a single byte.
  void writeSingleBytes() { areWritesShort = true; }

  const std::vector<FileCall> &made() const { return calls; }

  /// Records a call. Returns true and sets errno if the call must fail.
  bool note(FileCall call);
  /// Returns the file number of a descriptor, or -1 if it has none.
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

/// Runs `action` in a child process that ends in place of the call with this
/// number. Returns true if it ended there.
bool endsAt(size_t number, const std::function<void()> &action);

/// Returns the number of entries of a directory.
long countEntries(const std::string &directory);

/// The contents of the files of a directory, by name.
using Directory = std::map<std::string, std::string>;

/// Returns all possible disk states if the power fails after the calls. Data
/// that was not synced may be present or absent: bytes in pieces, also as
/// zeros, and each change of a name independently.
std::set<Directory> statesAfter(const Directory &before,
                                const std::vector<FileCall> &calls);

} // namespace tg::test

#endif // TG_TEST_RUNTIME_SUPPORT_FILECALLS_H
