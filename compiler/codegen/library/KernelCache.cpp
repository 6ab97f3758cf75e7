//===- KernelCache.cpp - machine code of kernels on disk ------------------===//
#include "compiler/codegen/library/KernelCache.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

using namespace tg;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

/// What a file begins with: then come the hash of the key and the bytes, and
/// the bytes.
static constexpr StringRef kMagic = "tgc kernel 1\n";
static constexpr size_t kHashBytes = 32;

/// More than any kernel has. A larger file is not read.
static constexpr uint64_t kLargestFile = uint64_t(1) << 28;

/// What a directory may hold, and how long a kernel stays that nobody finds.
static constexpr uint64_t kLargestDirectory = uint64_t(512) << 20;
static constexpr std::chrono::hours kLongestUnused(30 * 24);

/// The prefix of all files that LLVM's pruning touches.
static constexpr StringRef kPrefix = "llvmcache-";

static std::string hashOf(StringRef key, StringRef bytes) {
  llvm::SHA256 hash;
  hash.update(key);
  hash.update(bytes);
  std::array<uint8_t, kHashBytes> result = hash.final();
  return std::string(result.begin(), result.end());
}

llvm::Expected<KernelCache> KernelCache::open(StringRef directory) {
  // What lies there becomes code of libraries.
  std::error_code error = fs::create_directories(
      directory, /*IgnoreExisting=*/true, fs::perms::owner_all);
  if (!error && !fs::is_directory(directory))
    error = std::make_error_code(std::errc::not_a_directory);
  if (error)
    return llvm::createStringError(error, "'" + directory.str() +
                                              "': " + error.message());
  KernelCache cache;
  cache.directory = directory.str();
  return cache;
}

std::string KernelCache::pathOf(StringRef key) const {
  llvm::SmallString<128> path(directory);
  llvm::sys::path::append(path, kPrefix + key);
  return path.str().str();
}

/// What the open `file` holds. Its size is asked of the file itself: since its
/// path was looked at another process may have put another one there.
static llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
contentsOf(fs::file_t file, const std::string &path) {
  fs::file_status status;
  if (std::error_code error = fs::status(file, status))
    return error;
  // A file that another process shortens must not be mapped.
  return llvm::MemoryBuffer::getOpenFileSlice(
      file, path, std::min(status.getSize(), kLargestFile), /*Offset=*/0,
      /*IsVolatile=*/true);
}

std::optional<std::string> KernelCache::find(StringRef key) const {
  if (directory.empty())
    return std::nullopt;
  std::string path = pathOf(key);
  // To open a pipe would wait for somebody to write to it.
  fs::file_status status;
  if (fs::status(path, status) || status.type() != fs::file_type::regular_file)
    return std::nullopt;
  llvm::Expected<fs::file_t> file =
      fs::openNativeFileForRead(path, fs::OF_UpdateAtime);
  if (!file) {
    llvm::consumeError(file.takeError());
    return std::nullopt;
  }
  auto buffer = contentsOf(*file, path);
  fs::closeFile(*file);
  if (!buffer)
    return std::nullopt;
  StringRef text = (*buffer)->getBuffer();
  if (!text.consume_front(kMagic) || text.size() < kHashBytes ||
      text.take_front(kHashBytes) != hashOf(key, text.drop_front(kHashBytes)))
    return std::nullopt;
  return text.drop_front(kHashBytes).str();
}

std::error_code KernelCache::keep(StringRef key, StringRef bytes) const {
  // No handler of signals is installed, as a TempFile of LLVM would: a file
  // that is left behind is pruned one day.
  std::string path = pathOf(key);
  llvm::SmallString<128> aside;
  int file = -1;
  if (std::error_code error =
          fs::createUniqueFile(path + ".%%%%%%%%", file, aside))
    return error;
  llvm::raw_fd_ostream stream(file, /*shouldClose=*/true);
  stream << kMagic << hashOf(key, bytes) << bytes;
  stream.close();
  std::error_code error = stream.error();
  // An error that is left unread ends the process.
  stream.clear_error();
  if (!error)
    error = fs::rename(aside, path);
  if (error)
    fs::remove(aside);
  return error;
}

void KernelCache::prune() const {
  llvm::CachePruningPolicy policy;
  policy.Expiration = kLongestUnused;
  policy.MaxSizeBytes = kLargestDirectory;
  llvm::pruneCache(directory, policy);
}
