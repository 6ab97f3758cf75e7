/// Fixture for tests of the kernel cache: a directory and checks of its files.
#ifndef TG_TEST_COMPILER_LIBRARY_KERNELCACHEFIXTURE_H
#define TG_TEST_COMPILER_LIBRARY_KERNELCACHEFIXTURE_H

#include "compiler/library/code/KernelCache.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <sys/stat.h>

namespace tg::test {

/// Creates a temporary directory for each test.
class KernelCacheTest : public ::testing::Test {
protected:
  KernelCacheTest() {
    llvm::SmallString<128> path;
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("tg-cache", path));
    EXPECT_EQ(chmod(path.c_str(), 0700), 0);
    directory = path.str().str();
  }
  ~KernelCacheTest() override { llvm::sys::fs::remove_directories(directory); }

  KernelCache open() {
    std::string rejection;
    KernelCache cache = llvm::cantFail(KernelCache::open(directory, rejection));
    EXPECT_EQ(rejection, "");
    return cache;
  }

  /// Returns why the cache rejects `path` as its directory, without the path
  /// itself; empty if the cache accepts it.
  static std::string rejectionOf(const std::string &path) {
    std::string rejection;
    KernelCache cache = llvm::cantFail(KernelCache::open(path, rejection));
    EXPECT_EQ(bool(cache), rejection.empty());
    return rejection;
  }

  /// Returns why the cache rejects the file of `key`; empty if it accepts the
  /// file.
  static std::string rejectionOf(const KernelCache &cache, const char *key) {
    std::string rejection;
    EXPECT_EQ(cache.find(key, &rejection).has_value(), rejection.empty());
    return rejection;
  }

  static mode_t modeOf(const std::string &path) {
    struct stat status = {};
    EXPECT_EQ(stat(path.c_str(), &status), 0);
    return status.st_mode & 07777;
  }

  /// Returns the sorted files in the directory, except the time stamp of the
  /// last pruning.
  std::vector<std::string> files() {
    std::vector<std::string> result;
    std::error_code error;
    for (llvm::sys::fs::directory_iterator file(directory, error), end;
         file != end && !error; file.increment(error))
      if (!llvm::StringRef(file->path()).ends_with(".timestamp"))
        result.push_back(file->path());
    llvm::sort(result);
    return result;
  }

  /// Returns the only file in the directory.
  std::string file() {
    EXPECT_EQ(files().size(), 1u);
    return files().front();
  }

  static std::string read(const std::string &path) {
    return llvm::cantFail(
               llvm::errorOrToExpected(llvm::MemoryBuffer::getFile(path)))
        ->getBuffer()
        .str();
  }

  static void write(const std::string &path, llvm::StringRef bytes) {
    std::error_code error;
    llvm::raw_fd_ostream(path, error) << bytes;
    EXPECT_FALSE(error);
  }

  std::string directory;
};

} // namespace tg::test

#endif // TG_TEST_COMPILER_LIBRARY_KERNELCACHEFIXTURE_H
