//===- Defaults.cpp - the default directories of compiled kernels ---------===//
#include "compiler/driver/Defaults.h"
#include "compiler/library/code/KernelCache.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include <dlfcn.h>

using namespace tg;
using llvm::StringRef;
using llvm::sys::Process;

/// Returns the user's cache directory; "" if no absolute path is set.
static std::string userCache() {
  auto absolute = [](const char *variable) {
    std::string path = Process::GetEnv(variable).value_or("");
    return StringRef(path).starts_with("/") ? path : "";
  };
  if (std::string cache = absolute("XDG_CACHE_HOME"); !cache.empty())
    return cache;
  std::string home = absolute("HOME");
  return home.empty() ? "" : home + "/.cache";
}

std::string tg::defaultKernelCache() {
  if (std::optional<std::string> named = Process::GetEnv("TG_KERNEL_CACHE"))
    return *named;
  std::string directory = userCache();
  if (directory.empty())
    return "";
  directory += "/tg";
  std::string rejection;
  llvm::Expected<KernelCache> cache = KernelCache::open(directory, rejection);
  if (!cache) {
    llvm::consumeError(cache.takeError());
    return "";
  }
  return llvm::sys::fs::can_write(directory) ? directory : "";
}

std::string
tg::defaultKernelArchive(const std::optional<std::string> &kernelCache) {
  std::optional<std::string> cache =
      kernelCache ? kernelCache : Process::GetEnv("TG_KERNEL_CACHE");
  Dl_info info = {};
  llvm::SmallString<128> file;
  if ((cache && cache->empty()) ||
      !dladdr(reinterpret_cast<void *>(&tg::defaultKernelCache), &info) ||
      llvm::sys::fs::real_path(info.dli_fname, file))
    return "";
  // Libraries are in lib or in a directory of lib, programs in bin.
  StringRef directory = llvm::sys::path::parent_path(file);
  for (unsigned level = 0; level < 2; ++level) {
    directory = llvm::sys::path::parent_path(directory);
    llvm::SmallString<128> archive(directory);
    llvm::sys::path::append(archive, "share", "tg", "kernels");
    if (llvm::sys::fs::is_directory(archive))
      return archive.str().str();
  }
  return "";
}
