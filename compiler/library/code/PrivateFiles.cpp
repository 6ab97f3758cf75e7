//===- PrivateFiles.cpp - files that no other user can change -------------===//
#include "compiler/library/code/PrivateFiles.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <climits>
#include <fcntl.h>
#include <vector>

using namespace tg;
using llvm::StringRef;

/// The flags that open a component of a path without permission to read it. A
/// symbolic link is opened itself.
static constexpr int kComponentFlags = O_PATH | O_NOFOLLOW | O_CLOEXEC;

/// The maximum number of symbolic links that Linux follows in one path.
static constexpr unsigned kMaxLinks = 40;

/// Returns the reason to mistrust the owner of a file; "" if it is this user or
/// root.
static std::string describeOwner(const struct stat &status) {
  if (status.st_uid == 0 || status.st_uid == geteuid())
    return "";
  return llvm::formatv("expected user {0} or root as its owner, found user {1}",
                       geteuid(), status.st_uid);
}

std::string tg::describeExposure(const struct stat &status) {
  if (std::string owner = describeOwner(status); !owner.empty())
    return owner;
  if (!(status.st_mode & (S_IWGRP | S_IWOTH)))
    return "";
  std::string text;
  llvm::raw_string_ostream(text)
      << "expected that only its owner may write to it, found mode "
      << llvm::format("%04o", unsigned(status.st_mode & 07777));
  return text;
}

/// Returns true if other users may create files in a directory, but not replace
/// files of this user.
static bool isSticky(const struct stat &status) {
  return status.st_mode & S_ISVTX && describeOwner(status).empty();
}

static std::error_code lastError() {
  return std::error_code(errno, std::generic_category());
}

namespace {
/// Opens a path component by component, follows symbolic links itself, and
/// checks each component after it was opened.
class PathWalk {
public:
  /// Starts at the root; `path` is absolute.
  explicit PathWalk(StringRef path) { prepend(path); }

  /// Opens the directory. Sets `exposure` to the first reason to mistrust it.
  std::error_code run(std::string &exposure);

  Descriptor directory;

private:
  /// Inserts the components of a path before the remaining ones.
  void prepend(StringRef path);
  /// Opens the next component.
  std::error_code step();
  /// Continues with the components of a symbolic link.
  std::error_code follow(const Descriptor &link);

  /// The remaining components in reverse order.
  std::vector<std::string> remaining;
  /// The path of `directory` without symbolic links.
  std::string opened;
  unsigned links = 0;
  /// The first reason to mistrust the path.
  std::string firstReason;
};
} // namespace

void PathWalk::prepend(StringRef path) {
  llvm::SmallVector<StringRef> names;
  path.split(names, '/', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef name : llvm::reverse(names))
    remaining.push_back(name.str());
  if (path.starts_with("/"))
    remaining.push_back("/");
}

std::error_code PathWalk::follow(const Descriptor &link) {
  char target[PATH_MAX];
  ssize_t size = readlinkat(link.get(), "", target, sizeof(target));
  if (size < 0)
    return lastError();
  if (++links > kMaxLinks)
    return std::make_error_code(std::errc::too_many_symbolic_link_levels);
  prepend(StringRef(target, size));
  return {};
}

/// Returns the path of an entry in a directory whose path has no links.
static std::string join(StringRef directory, StringRef name) {
  if (name == "/")
    return "/";
  if (name == ".")
    return directory.str();
  if (name == "..") {
    StringRef parent = llvm::sys::path::parent_path(directory);
    return parent.empty() ? "/" : parent.str();
  }
  return (directory + (directory.ends_with("/") ? "" : "/") + name).str();
}

std::error_code PathWalk::step() {
  std::string name = std::move(remaining.back());
  remaining.pop_back();
  Descriptor next(openat(directory.get(), name.c_str(), kComponentFlags));
  struct stat status = {};
  if (!next.isOpen() || fstat(next.get(), &status) != 0)
    return lastError();
  std::string path = join(opened, name);
  // The permissions of a link do not matter: only its owner and the directory
  // that contains it determine who can replace it.
  bool isLink = S_ISLNK(status.st_mode);
  std::string reason =
      isLink ? describeOwner(status) : describeExposure(status);
  if (!isLink && !remaining.empty() && isSticky(status))
    reason.clear();
  if (firstReason.empty() && !reason.empty())
    firstReason = "'" + path + "': " + reason;
  if (isLink)
    return follow(next);
  if (!S_ISDIR(status.st_mode))
    return std::make_error_code(std::errc::not_a_directory);
  directory = std::move(next);
  opened = std::move(path);
  return {};
}

std::error_code PathWalk::run(std::string &exposure) {
  while (!remaining.empty())
    if (std::error_code error = step())
      return error;
  exposure = firstReason;
  return {};
}

llvm::Expected<Descriptor> tg::openPrivateDirectory(StringRef path,
                                                    std::string &exposure) {
  llvm::SmallString<128> absolute = path;
  if (std::error_code error = llvm::sys::fs::make_absolute(absolute))
    return llvm::errorCodeToError(error);
  PathWalk walk(absolute);
  if (std::error_code error = walk.run(exposure))
    return llvm::errorCodeToError(error);
  return std::move(walk.directory);
}
