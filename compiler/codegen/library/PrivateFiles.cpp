//===- PrivateFiles.cpp - files that nobody else can change --------------===//
#include "compiler/codegen/library/PrivateFiles.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <fcntl.h>

using namespace tg;
using llvm::StringRef;

/// The flags that open a directory for operations relative to it, without
/// permission to read it.
static constexpr int kDirectoryFlags =
    O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

std::string tg::describeExposure(const struct stat &status) {
  if (status.st_uid != 0 && status.st_uid != geteuid())
    return llvm::formatv(
               "expected user {0} or root as its owner, found user {1}",
               geteuid(), status.st_uid)
        .str();
  if (!(status.st_mode & (S_IWGRP | S_IWOTH)))
    return "";
  std::string text;
  llvm::raw_string_ostream(text)
      << "expected that only its owner may write to it, found mode "
      << llvm::format("%04o", unsigned(status.st_mode & 07777));
  return text;
}

/// Opens a component of a path relative to the directory before it, and sets
/// `status`.
static std::error_code openComponent(Descriptor &directory, StringRef name,
                                     struct stat &status) {
  Descriptor next(openat(directory.get(), name.str().c_str(), kDirectoryFlags));
  if (!next.isOpen() || fstat(next.get(), &status) != 0)
    return std::error_code(errno, std::generic_category());
  directory = std::move(next);
  return {};
}

/// Returns true if others may make files in a directory, but not exchange
/// those of this user.
static bool isSticky(const struct stat &status) {
  return status.st_mode & S_ISVTX &&
         (status.st_uid == 0 || status.st_uid == geteuid());
}

llvm::Expected<Descriptor> tg::openPrivateDirectory(StringRef path,
                                                    std::string &exposure) {
  exposure.clear();
  llvm::SmallString<128> real;
  if (std::error_code error = llvm::sys::fs::real_path(path, real))
    return llvm::errorCodeToError(error);
  Descriptor directory(AT_FDCWD);
  llvm::SmallString<128> opened;
  for (StringRef name : llvm::make_range(llvm::sys::path::begin(real),
                                         llvm::sys::path::end(real))) {
    struct stat status = {};
    if (std::error_code error = openComponent(directory, name, status))
      return llvm::errorCodeToError(error);
    llvm::sys::path::append(opened, name);
    std::string found = describeExposure(status);
    bool isAllowed = found.empty() || (opened != real && isSticky(status));
    if (!isAllowed && exposure.empty())
      exposure = "'" + opened.str().str() + "': " + found;
  }
  return std::move(directory);
}
