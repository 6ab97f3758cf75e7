/// Tests that the kernel cache ignores every file and directory that another
/// user could have written: cached bytes become code.
#include "KernelCacheFixture.h"
#include "LibraryHarness.h"

using namespace tg;
using namespace tg::test;

namespace {

using KernelCachePrivacyTest = KernelCacheTest;

TEST_F(KernelCachePrivacyTest,
       makes_files_and_directories_for_their_owner_alone) {
  mode_t old = umask(0);
  std::string made = directory + "/made", cache = made + "/cache", rejection;
  EXPECT_FALSE(
      llvm::cantFail(KernelCache::open(cache, rejection)).store("a", "code"));
  umask(old);
  EXPECT_EQ(modeOf(made), 0700u);
  EXPECT_EQ(modeOf(cache), 0700u);
  EXPECT_EQ(modeOf(cache + "/llvmcache-a"), 0600u);
}

TEST_F(KernelCachePrivacyTest, ignores_a_directory_that_others_may_write) {
  for (mode_t mode : {0770, 0707, 0720, 01777}) {
    EXPECT_EQ(chmod(directory.c_str(), mode), 0);
    std::string found = rejectionOf(directory);
    EXPECT_NE(found.find("expected that only its owner may write to it, found "
                         "mode "),
              std::string::npos)
        << found;
    // A directory inside is rejected as well, unless the outer one is sticky.
    EXPECT_EQ(rejectionOf(directory + "/inside").empty(), mode == 01777);
  }
  EXPECT_EQ(chmod(directory.c_str(), 0755), 0);
  EXPECT_EQ(rejectionOf(directory), "");
}

TEST_F(KernelCachePrivacyTest, ignores_a_directory_behind_a_symbolic_link) {
  std::string real = directory + "/real", link = directory + "/link";
  EXPECT_EQ(mkdir(real.c_str(), 0700), 0);
  EXPECT_EQ(symlink(real.c_str(), link.c_str()), 0);
  EXPECT_EQ(rejectionOf(link), "");
  EXPECT_EQ(chmod(real.c_str(), 0777), 0);
  EXPECT_EQ(rejectionOf(link), "'" + std::string(real) +
                                   "': expected that only its owner may write "
                                   "to it, found mode 0777");
}

TEST_F(KernelCachePrivacyTest, ignores_a_link_that_others_can_exchange) {
  std::string real = directory + "/real", open = directory + "/open",
              link = open + "/link",
              reason = "'" + open +
                       "': expected that only its owner "
                       "may write to it, found mode ";
  EXPECT_EQ(mkdir(real.c_str(), 0700), 0);
  EXPECT_EQ(mkdir(open.c_str(), 0700), 0);
  EXPECT_EQ(symlink("../real", link.c_str()), 0);
  EXPECT_EQ(rejectionOf(link), "");
  EXPECT_EQ(chmod(open.c_str(), 0777), 0);
  EXPECT_EQ(rejectionOf(link), reason + "0777");
  EXPECT_EQ(rejectionOf(link + "/inside"), reason + "0777");
  EXPECT_EQ(rejectionOf(open + "/../real"), reason + "0777");
  // A sticky directory protects a link that this user owns.
  EXPECT_EQ(chmod(open.c_str(), 01777), 0);
  EXPECT_EQ(rejectionOf(link), "");
  // A path that leads back into the writable directory is rejected.
  std::string back = directory + "/back";
  EXPECT_EQ(symlink("real/../open", back.c_str()), 0);
  EXPECT_EQ(rejectionOf(back), reason + "1777");
  if (geteuid() == 0) {
    EXPECT_EQ(lchown(link.c_str(), 12345, 0), 0);
    EXPECT_EQ(rejectionOf(link),
              "'" + link +
                  "': expected user 0 or root as its owner, found user 12345");
  }
}

TEST_F(KernelCachePrivacyTest, says_that_links_lead_in_circles) {
  std::string link = directory + "/link", rejection;
  EXPECT_EQ(symlink("link", link.c_str()), 0);
  llvm::Expected<KernelCache> cache = KernelCache::open(link, rejection);
  ASSERT_FALSE(cache);
  EXPECT_EQ(llvm::toString(cache.takeError()),
            "'" + link + "': Too many levels of symbolic links");
}

TEST_F(KernelCachePrivacyTest, ignores_what_belongs_to_others) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only the superuser gives files to others";
  KernelCache cache = open();
  EXPECT_FALSE(cache.store("a", "code"));
  EXPECT_EQ(chown(file().c_str(), 12345, 0), 0);
  EXPECT_EQ(rejectionOf(cache, "a"), "'llvmcache-a': expected user 0 or root "
                                     "as its owner, found user 12345");
  EXPECT_FALSE(cache.store("a", "code"));
  EXPECT_EQ(rejectionOf(cache, "a"), "");
  EXPECT_EQ(chown(directory.c_str(), 12345, 0), 0);
  EXPECT_EQ(rejectionOf(directory + "/inside"),
            "'" + directory +
                "': expected user 0 or root as its owner, found user 12345");
}

TEST_F(KernelCachePrivacyTest, ignores_files_that_others_may_write) {
  KernelCache cache = open();
  EXPECT_FALSE(cache.store("a", "code"));
  for (mode_t mode : {0620, 0602, 0666}) {
    EXPECT_EQ(chmod(file().c_str(), mode), 0);
    EXPECT_NE(rejectionOf(cache, "a"), "");
  }
  // The link points to a file with a valid hash outside the cache, where this
  // user can still change it.
  std::string other = directory + "/other";
  EXPECT_FALSE(llvm::sys::fs::rename(file(), other));
  EXPECT_EQ(chmod(other.c_str(), 0600), 0);
  EXPECT_EQ(symlink(other.c_str(), (directory + "/llvmcache-a").c_str()), 0);
  EXPECT_EQ(rejectionOf(cache, "a"),
            "'llvmcache-a': expected a regular file, found a symbolic link");
  EXPECT_FALSE(cache.store("a", "code"));
  EXPECT_EQ(rejectionOf(cache, "a"), "");
}

TEST_F(KernelCachePrivacyTest, libraries_ignore_what_others_may_write) {
  std::vector<char> without = compile(kCounterModel, {});
  LibraryOptions options;
  options.kernelCache = directory;
  EXPECT_EQ(compile(kCounterModel, options), without);
  EXPECT_EQ(chmod(files()[0].c_str(), 0666), 0);
  std::string messages;
  EXPECT_EQ(compile(kCounterModel, options, &messages), without);
  EXPECT_NE(messages.find("option 'kernel-cache': ignored 1 file in '" +
                          directory + "', where somebody else could write"),
            std::string::npos)
      << messages;
  EXPECT_EQ(modeOf(files()[0]), 0600u);

  std::vector<std::string> kept = files();
  EXPECT_FALSE(llvm::sys::fs::remove(kept[0]));
  EXPECT_EQ(chmod(directory.c_str(), 0777), 0);
  messages.clear();
  EXPECT_EQ(compile(kCounterModel, options, &messages), without);
  EXPECT_NE(messages.find("option 'kernel-cache': ignored '" + directory + "'"),
            std::string::npos)
      << messages;
  EXPECT_EQ(files().size() + 1, kept.size());
}

} // namespace
