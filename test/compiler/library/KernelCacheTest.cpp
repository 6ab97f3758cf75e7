/// Tests the kernel cache: a damaged or missing file costs at most one
/// compilation.
#include "KernelCacheFixture.h"
#include "LibraryHarness.h"
#include "compiler/library/code/KernelCode.h"
#include "dialects/tg/Tg.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/Path.h"
#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <thread>

using namespace tg;
using namespace tg::test;

namespace {

TEST_F(KernelCacheTest, finds_what_was_kept_last) {
  KernelCache cache = open();
  EXPECT_EQ(cache.find("a"), std::nullopt);
  EXPECT_FALSE(cache.store("a", "first"));
  EXPECT_FALSE(cache.store("b", ""));
  EXPECT_FALSE(cache.store("a", "second"));
  EXPECT_EQ(cache.find("a"), "second");
  EXPECT_EQ(open().find("b"), "");
  EXPECT_EQ(files().size(), 2u);
  EXPECT_EQ(KernelCache().find("a"), std::nullopt);
}

TEST_F(KernelCacheTest, an_archive_is_read_and_never_written) {
  EXPECT_FALSE(open().store("a", "archived"));
  std::string whole = read(file());
  KernelCache none;
  none.addArchive(directory);
  EXPECT_FALSE(none);
  EXPECT_EQ(none.find("a"), "archived");
  EXPECT_EQ(none.find("b"), std::nullopt);
  EXPECT_FALSE(none.store("b", "own"));
  none.prune();
  EXPECT_EQ(read(file()), whole);

  std::string own = directory + "/own", rejection;
  KernelCache cache = llvm::cantFail(KernelCache::open(own, rejection));
  cache.addArchive(directory);
  EXPECT_EQ(cache.find("a"), "archived");
  EXPECT_FALSE(cache.store("a", "own"));
  EXPECT_EQ(cache.find("a"), "own");
  EXPECT_EQ(none.find("a"), "archived");
}

TEST_F(KernelCacheTest, an_archive_of_others_is_left_out) {
  EXPECT_FALSE(open().store("a", "archived"));
  for (mode_t mode : {0770, 0707}) {
    EXPECT_EQ(chmod(directory.c_str(), mode), 0);
    KernelCache cache;
    cache.addArchive(directory);
    EXPECT_EQ(cache.find("a"), std::nullopt) << mode;
  }
  KernelCache cache;
  cache.addArchive(directory + "/missing");
  EXPECT_EQ(cache.find("a"), std::nullopt);
}

TEST_F(KernelCacheTest, finds_nothing_of_a_file_cut_at_any_length) {
  KernelCache cache = open();
  EXPECT_FALSE(cache.store("a", "the code of a kernel"));
  std::string whole = read(file());
  for (size_t size = 0; size < whole.size(); ++size) {
    write(file(), llvm::StringRef(whole).take_front(size));
    EXPECT_EQ(cache.find("a"), std::nullopt) << size;
  }
  write(file(), whole + "x");
  EXPECT_EQ(cache.find("a"), std::nullopt);
  write(file(), whole);
  EXPECT_EQ(cache.find("a"), "the code of a kernel");
}

TEST_F(KernelCacheTest, finds_nothing_where_a_bit_is_flipped) {
  KernelCache cache = open();
  EXPECT_FALSE(cache.store("a", "the code of a kernel"));
  std::string whole = read(file());
  for (size_t at = 0; at < whole.size(); ++at)
    for (unsigned bit = 0; bit < 8; ++bit) {
      std::string changed = whole;
      changed[at] ^= char(1 << bit);
      write(file(), changed);
      EXPECT_EQ(cache.find("a"), std::nullopt) << at << " " << bit;
    }
}

TEST_F(KernelCacheTest, finds_nothing_in_the_file_of_another_key) {
  KernelCache cache = open();
  EXPECT_FALSE(cache.store("a", "code"));
  std::string path = file();
  EXPECT_FALSE(cache.store("b", "other code"));
  std::string other = files()[1];
  EXPECT_FALSE(llvm::sys::fs::rename(other, path));
  EXPECT_EQ(cache.find("a"), std::nullopt);
  EXPECT_FALSE(cache.store("a", "code"));
  EXPECT_EQ(cache.find("a"), "code");
}

TEST_F(KernelCacheTest, finds_nothing_in_what_is_no_file) {
  KernelCache cache = open();
  EXPECT_FALSE(cache.store("a", "code"));
  std::string path = file();
  EXPECT_FALSE(llvm::sys::fs::remove(path));
  // The pipe has no writer: opening it would block.
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(cache.find("a"), std::nullopt);
  EXPECT_FALSE(cache.store("a", "code"));
  EXPECT_EQ(cache.find("a"), "code");

  EXPECT_FALSE(llvm::sys::fs::remove(path));
  EXPECT_FALSE(llvm::sys::fs::create_directory(path));
  EXPECT_EQ(cache.find("a"), std::nullopt);
  EXPECT_TRUE(cache.store("a", "code"));
  // The temporary file is removed when it cannot be renamed to its final name.
  EXPECT_EQ(files().size(), 1u);
}

TEST_F(KernelCacheTest, says_what_is_wrong_with_a_directory) {
  write(directory + "/file", "");
  std::string rejection;
  for (const char *path : {"/file", "/file/inside"}) {
    llvm::Expected<KernelCache> cache =
        KernelCache::open(directory + path, rejection);
    ASSERT_FALSE(cache);
    EXPECT_EQ(llvm::toString(cache.takeError()),
              "'" + directory + path + "': Not a directory");
  }
  EXPECT_EQ(rejectionOf(directory + "/made/on/demand"), "");
}

TEST_F(KernelCacheTest, reads_nothing_of_a_huge_file) {
  KernelCache cache = open();
  EXPECT_FALSE(cache.store("a", "code"));
  EXPECT_EQ(truncate(file().c_str(), off_t(20) << 30), 0);
  struct rusage before = {}, after = {};
  getrusage(RUSAGE_SELF, &before);
  EXPECT_EQ(cache.find("a"), std::nullopt);
  getrusage(RUSAGE_SELF, &after);
  // The file was not read into memory; it is sparse and takes no disk blocks.
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 16 << 10);
  EXPECT_FALSE(cache.store("a", "code"));
  EXPECT_EQ(cache.find("a"), "code");
}

TEST_F(KernelCacheTest, removes_the_oldest_of_too_much) {
  KernelCache cache = open();
  for (unsigned i = 0; i < 4; ++i) {
    std::string key = std::to_string(i);
    std::string path = directory + "/llvmcache-" + key;
    EXPECT_FALSE(cache.store(key, "code"));
    EXPECT_EQ(truncate(path.c_str(), 200 << 20), 0);
    timespec times[] = {{time(nullptr) - 1000 + 100 * i, 0}, {0, UTIME_OMIT}};
    EXPECT_EQ(utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
  }
  cache.prune();
  EXPECT_EQ(files(), (std::vector<std::string>{directory + "/llvmcache-2",
                                               directory + "/llvmcache-3"}));
  EXPECT_EQ(modeOf(directory + "/llvmcache.timestamp"), 0600u);
}

TEST_F(KernelCacheTest, writes_whole_files_or_none) {
  // Not even the superuser can create a file in /proc.
  std::string rejection;
  EXPECT_TRUE(
      llvm::cantFail(KernelCache::open("/proc", rejection)).store("a", "code"));
  // The file size limit simulates a full disk: only some bytes are written.
  KernelCache cache = open();
  rlimit old = {};
  getrlimit(RLIMIT_FSIZE, &old);
  rlimit small = {64, old.rlim_max};
  auto handler = std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  std::error_code error = cache.store("a", std::string(100, 'x'));
  setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(error, std::errc::file_too_large);
  EXPECT_EQ(cache.find("a"), std::nullopt);
  EXPECT_TRUE(files().empty());
}

TEST_F(KernelCacheTest, serves_many_at_once) {
  KernelCache cache = open();
  std::string codes[] = {std::string(10000, 'a'), std::string(20000, 'b')};
  auto work = [&](unsigned number) {
    for (unsigned i = 0; i < 1000; ++i) {
      EXPECT_FALSE(cache.store("key", codes[(number + i) % 2]));
      std::optional<std::string> found = cache.find("key");
      EXPECT_TRUE(found == codes[0] || found == codes[1]);
    }
  };
  std::vector<std::thread> threads;
  for (unsigned number = 0; number < 4; ++number)
    threads.emplace_back(work, number);
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(files().size(), 1u);
}

TEST_F(KernelCacheTest, prunes_its_own_old_files_alone) {
  KernelCache cache = open();
  EXPECT_FALSE(cache.store("old", "code"));
  std::string old = file();
  write(directory + "/notes", "of a user");
  for (const std::string &path : {old, directory + "/notes"}) {
    int descriptor = ::open(path.c_str(), O_RDWR);
    auto past = std::chrono::system_clock::now() - std::chrono::hours(31 * 24);
    EXPECT_FALSE(llvm::sys::fs::setLastAccessAndModificationTime(
        descriptor,
        std::chrono::time_point_cast<std::chrono::nanoseconds>(past)));
    close(descriptor);
  }
  EXPECT_FALSE(cache.store("new", "code"));
  cache.prune();
  EXPECT_EQ(cache.find("old"), std::nullopt);
  EXPECT_EQ(cache.find("new"), "code");
  EXPECT_TRUE(llvm::sys::fs::exists(directory + "/notes"));
}

//===----------------------------------------------------------------------===//
// Libraries
//===----------------------------------------------------------------------===//

TEST_F(KernelCacheTest, libraries_are_the_same_whatever_the_cache_has) {
  std::vector<char> without = compile(kCounterModel, {});
  LibraryOptions options;
  options.kernelCache = directory;
  EXPECT_EQ(compile(kCounterModel, options), without);
  std::vector<std::string> kept = files();
  ASSERT_FALSE(kept.empty());
  EXPECT_EQ(compile(kCounterModel, options), without);
  EXPECT_EQ(files(), kept);

  // Damaged, foreign and missing files are compiled and written again.
  std::string first = read(kept[0]);
  std::string second = read(kept[1]);
  write(kept[0], llvm::StringRef(first).drop_back());
  write(kept[1], first);
  EXPECT_FALSE(llvm::sys::fs::remove(kept[2]));
  EXPECT_EQ(compile(kCounterModel, options), without);
  EXPECT_EQ(files(), kept);
  EXPECT_EQ(read(kept[0]), first);
  EXPECT_EQ(read(kept[1]), second);
}

TEST_F(KernelCacheTest, a_flipped_bit_costs_one_compilation) {
  LibraryOptions options;
  options.levels = {2};
  std::vector<char> without = compile(kCounterModel, options);
  options.kernelCache = directory;
  EXPECT_EQ(compile(kCounterModel, options), without);
  std::vector<std::string> kept = files();
  ASSERT_GT(kept.size(), 1u);
  std::string whole = read(kept[0]);
  BuildRecord record;
  // Flips one bit at each of 25 offsets spread over the whole file: hash, the
  // two lines of text, object.
  const size_t count = 24;
  for (size_t part = 0; part <= count; ++part) {
    size_t at = part * (whole.size() - 1) / count;
    std::string changed = whole, messages;
    changed[at] ^= char(1 << part % 8);
    write(kept[0], changed);
    EXPECT_EQ(compile(kCounterModel, options, &messages, &record), without);
    EXPECT_EQ(messages + record.cacheRemark, "") << at;
    EXPECT_EQ(record.kernels - record.cachedKernels, 1u) << at;
    EXPECT_EQ(files(), kept);
    EXPECT_EQ(read(kept[0]), whole) << at;
    EXPECT_EQ(compile(kCounterModel, options, &messages, &record), without);
    EXPECT_EQ(record.cachedKernels, record.kernels) << at;
  }
}

TEST_F(KernelCacheTest, libraries_are_the_same_whatever_the_hashes_fit) {
  std::vector<char> without = compile(kCounterModel, {});
  LibraryOptions options;
  options.kernelCache = directory;
  EXPECT_EQ(compile(kCounterModel, options), without);
  std::vector<std::string> kept = files();
  std::vector<std::string> keys;
  for (const std::string &path : kept)
    keys.push_back(llvm::sys::path::filename(path).split('-').second.str());
  KernelCache cache = open();
  std::string right = *cache.find(keys[0]);
  std::string other = *cache.find(keys[1]);
  std::string object = right.substr(right.find('\n', right.find('\n') + 1) + 1);
  for (const std::string &wrong :
       {std::string(), std::string("\n\n"), std::string("\n\nno object"),
        "affine_map<\n\n" + object, "affine_map<(d0) -> (d0)>\n\n" + object,
        "affine_map<()[s0, s1, s2] -> (s0)>\n\n" + object,
        "7 : i32\n\n" + object, right.substr(0, right.size() / 2), other}) {
    EXPECT_FALSE(cache.store(keys[0], wrong));
    std::string messages;
    EXPECT_EQ(compile(kCounterModel, options, &messages), without);
    EXPECT_EQ(messages, "");
    EXPECT_EQ(cache.find(keys[0]), right);
  }
}

TEST_F(KernelCacheTest, libraries_are_made_without_a_place_for_kernels) {
  LibraryOptions options;
  options.levels = {2};
  std::vector<char> without = compile(kCounterModel, options);
  options.kernelCache = "/proc";
  std::string messages;
  EXPECT_EQ(compile(kCounterModel, options, &messages), without);
  EXPECT_EQ(messages, "option 'kernel-cache': cannot write to '/proc': No such "
                      "file or directory\n");
  options.kernelCache = "/dev/null";
  EXPECT_TRUE(compile(kCounterModel, options, &messages).empty());
  EXPECT_EQ(messages, "option 'kernel-cache': expected a directory, found "
                      "'/dev/null': Not a directory\n");
}

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

/// Returns the cache key of a kernel given as text.
std::string keyOf(llvm::StringRef text, const Target &target = {}) {
  mlir::DialectRegistry registry;
  registry.insert<tg::TgDialect, tgx::TgxDialect>();
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  EXPECT_TRUE(module);
  return keyOfKernel(hashOfKernel(*module->getOps<tgx::KernelOp>().begin()),
                     target);
}

TEST(KernelKeyTest, follows_from_what_is_computed_for_whom) {
  const char *text = R"mlir(
    tgx.kernel @twice loop(%x: tensor<8xf32>) {
      %y = tg.add %x, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    })mlir";
  std::string key = keyOf(text);
  EXPECT_EQ(keyOf(R"mlir(
    tgx.kernel @other_name loop(%z: tensor<8xf32>) {
      %y = tg.add %z, %z : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> loc("layer"("network.cpp":1:2))
    } loc("elsewhere"))mlir"),
            key);
  std::set<std::string> keys = {key};
  EXPECT_TRUE(keys.insert(keyOf(R"mlir(
    tgx.kernel @twice loop(%x: tensor<9xf32>) {
      %y = tg.add %x, %x : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xf32>
    })mlir"))
                  .second);
  EXPECT_TRUE(keys.insert(keyOf(R"mlir(
    tgx.kernel @twice loop(%x: tensor<8xf32>) {
      %y = tg.sub %x, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    })mlir"))
                  .second);
  for (const Target &target :
       {Target{2, 2, "", "cpu"}, Target{3, 3, "", "cpu"},
        Target{3, 2, "znver4", "cpu"}, Target{3, 2, "", "other"}})
    EXPECT_TRUE(keys.insert(keyOf(text, target)).second);
}

} // namespace
