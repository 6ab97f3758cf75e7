//===- KernelCache.cpp - machine code of kernels on disk ------------------===//
#include "compiler/library/code/KernelCache.h"
#include "compiler/library/code/PrivateFiles.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"
#include <fcntl.h>
#include <sys/random.h>

using namespace tg;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

/// The first bytes of a file. The hash of the key and the content follows, then
/// the content.
static constexpr StringRef kMagic = "tgc kernel 1\n";
static constexpr size_t kHashBytes = 32;

/// The upper bound of the size of a file, above that of any kernel. Larger
/// files are not read.
static constexpr uint64_t kLargestFile = uint64_t(1) << 28;

/// The upper bounds of the size of a directory and of the time that an unused
/// kernel is kept.
static constexpr uint64_t kLargestDirectory = uint64_t(512) << 20;
static constexpr std::chrono::hours kLongestUnused(30 * 24);

/// The prefix of all files that LLVM's pruning may remove.
static constexpr StringRef kPrefix = "llvmcache-";

/// The file in which LLVM's cache pruning records the time of its last scan.
static constexpr const char *kTimestamp = "llvmcache.timestamp";

static std::string hashOf(StringRef key, StringRef bytes) {
  llvm::SHA256 hash;
  hash.update(key);
  hash.update(bytes);
  std::array<uint8_t, kHashBytes> result = hash.final();
  return std::string(result.begin(), result.end());
}

llvm::Expected<KernelCache> KernelCache::open(StringRef path,
                                              std::string &rejection) {
  rejection.clear();
  auto fail = [&](std::error_code error) {
    return llvm::createStringError(error,
                                   "'" + path.str() + "': " + error.message());
  };
  // Files in the directory become code of libraries, so only the user may write
  // to it.
  std::error_code error = fs::create_directories(path, /*IgnoreExisting=*/true,
                                                 fs::perms::owner_all);
  if (error)
    return fail(error);
  llvm::Expected<Descriptor> opened = openPrivateDirectory(path, rejection);
  if (!opened)
    return fail(llvm::errorToErrorCode(opened.takeError()));
  KernelCache cache;
  if (!rejection.empty())
    return cache;
  llvm::SmallString<128> real;
  if (std::error_code error = fs::real_path(opened->path(), real))
    return fail(error);
  cache.directory = real.str().str();
  cache.descriptor = std::make_shared<const Descriptor>(std::move(*opened));
  return cache;
}

void KernelCache::addArchive(StringRef path) {
  std::string exposure;
  llvm::Expected<Descriptor> opened = openPrivateDirectory(path, exposure);
  if (!opened)
    llvm::consumeError(opened.takeError());
  else if (exposure.empty())
    archive = std::make_shared<const Descriptor>(std::move(*opened));
}

static std::string nameOf(StringRef key) { return (kPrefix + key).str(); }

/// Opens the file of a key. Does not follow a symbolic link, and does not block
/// on a pipe.
static Descriptor openEntry(const Descriptor &directory, StringRef key) {
  return Descriptor(
      openat(directory.get(), nameOf(key).c_str(),
             O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
}

/// Returns the reason why an open file is not trusted; "" if it is.
static std::string describeEntry(const struct stat &status) {
  if (S_ISREG(status.st_mode))
    return describeExposure(status);
  return std::string("expected a regular file, found ") +
         (S_ISDIR(status.st_mode) ? "a directory" : "a special file");
}

/// Opens the file of a key and sets `size` to its size. Returns a descriptor
/// that is not open if the file does not exist or is not trusted. Sets `reason`
/// if the file is not trusted, otherwise to "".
static Descriptor openTrusted(const Descriptor &directory, StringRef key,
                              uint64_t &size, std::string &reason) {
  Descriptor file = openEntry(directory, key);
  struct stat status = {};
  if (!file.isOpen() || fstat(file.get(), &status) != 0)
    reason =
        errno == ELOOP ? "expected a regular file, found a symbolic link" : "";
  else
    reason = describeEntry(status);
  size = status.st_size;
  return file.isOpen() && reason.empty() ? std::move(file) : Descriptor();
}

/// Returns the bytes of a key in a directory. Sets `rejection` as
/// KernelCache::find does.
static std::optional<std::string>
findIn(const Descriptor &directory, StringRef key, std::string *rejection) {
  uint64_t size = 0;
  std::string reason;
  Descriptor file = openTrusted(directory, key, size, reason);
  if (rejection && !reason.empty())
    *rejection = "'" + nameOf(key) + "': " + reason;
  if (!file.isOpen() || size > kLargestFile)
    return std::nullopt;
  // Reads instead of mapping the file, because another process may truncate it.
  auto buffer = llvm::MemoryBuffer::getOpenFileSlice(
      file.get(), nameOf(key), size, /*Offset=*/0, /*IsVolatile=*/true);
  if (!buffer)
    return std::nullopt;
  StringRef text = (*buffer)->getBuffer();
  if (!text.consume_front(kMagic) || text.size() < kHashBytes ||
      text.take_front(kHashBytes) != hashOf(key, text.drop_front(kHashBytes)))
    return std::nullopt;
  // Pruning removes the least recently read files, but not every file system
  // records access times.
  const timespec times[] = {{0, UTIME_NOW}, {0, UTIME_OMIT}};
  (void)futimens(file.get(), times);
  return text.drop_front(kHashBytes).str();
}

std::optional<std::string> KernelCache::find(StringRef key,
                                             std::string *rejection) const {
  std::optional<std::string> found;
  if (descriptor)
    found = findIn(*descriptor, key, rejection);
  if (!found && archive)
    found = findIn(*archive, key, /*rejection=*/nullptr);
  return found;
}

/// Creates a file with a unique name derived from a key, accessible to its
/// owner alone, and sets `name`. On failure returns a descriptor that is not
/// open, and sets errno.
static Descriptor createTemporary(const Descriptor &directory, StringRef key,
                                  std::string &name) {
  for (unsigned attempt = 0; attempt < 100; ++attempt) {
    uint64_t number = 0;
    if (getrandom(&number, sizeof(number), 0) != ssize_t(sizeof(number)))
      break;
    name = nameOf(key) + "." + llvm::utohexstr(number);
    Descriptor file(openat(directory.get(), name.c_str(),
                           O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                           0600));
    if (file.isOpen() || errno != EEXIST)
      return file;
  }
  return Descriptor();
}

std::error_code KernelCache::store(StringRef key, StringRef bytes) const {
  if (!descriptor)
    return {};
  // Unlike an LLVM TempFile, this installs no signal handler. Pruning
  // eventually removes a file that is left behind.
  std::string temporary;
  Descriptor file = createTemporary(*descriptor, key, temporary);
  if (!file.isOpen())
    return std::error_code(errno, std::generic_category());
  llvm::raw_fd_ostream stream(file.get(), /*shouldClose=*/false);
  stream << kMagic << hashOf(key, bytes) << bytes;
  stream.flush();
  std::error_code error = stream.error();
  // raw_fd_ostream aborts the process if an error was not cleared.
  stream.clear_error();
  if (!error && renameat(descriptor->get(), temporary.c_str(),
                         descriptor->get(), nameOf(key).c_str()) != 0)
    error = std::error_code(errno, std::generic_category());
  if (error)
    unlinkat(descriptor->get(), temporary.c_str(), 0);
  return error;
}

void KernelCache::prune() const {
  if (!descriptor)
    return;
  llvm::CachePruningPolicy policy;
  policy.Expiration = kLongestUnused;
  policy.MaxSizeBytes = kLargestDirectory;
  llvm::pruneCache(directory, policy);
  (void)fchmodat(descriptor->get(), kTimestamp, 0600, 0);
}
