//===- OutputFileTest.cpp - Tests of atomic output ------------------------===//
//
// Tests that a file appears as a whole, or the error is returned and nothing
// changes.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontend/text/OutputFile.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tg;
namespace fs = std::filesystem;

namespace {

/// Creates a directory for each test.
class OutputFile : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "/tg-output-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory = pattern;
  }
  void TearDown() override { fs::remove_all(directory); }

  /// Returns the path of `name` in the directory.
  std::string at(const char *name) { return (directory / name).string(); }

  /// Returns the contents of a file.
  static std::string contents(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }

  /// Returns the number of entries of the directory, to find leftover files.
  long entries() {
    return std::distance(fs::directory_iterator(directory),
                         fs::directory_iterator());
  }

  /// Returns the error message of a write; empty on success.
  static std::string write(const std::string &path,
                           llvm::ArrayRef<llvm::StringRef> pieces,
                           unsigned mode = 0644) {
    return llvm::toString(writeFileAtomically(path, pieces, mode));
  }

  fs::path directory;
};

TEST_F(OutputFile, piecesFollowEachOther) {
  EXPECT_EQ(write(at("a"), {"one", "", "two"}), "");
  EXPECT_EQ(contents(at("a")), "onetwo");
  EXPECT_EQ(entries(), 1);
}

TEST_F(OutputFile, modeIsLessTheUmask) {
  mode_t before = umask(027);
  llvm::scope_exit restore([&] { umask(before); });
  EXPECT_EQ(write(at("a"), {"x"}, 0755), "");
  struct stat status;
  ASSERT_EQ(stat(at("a").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0750u);
}

TEST_F(OutputFile, replacesAFile) {
  ASSERT_EQ(write(at("a"), {"a long first content"}), "");
  EXPECT_EQ(write(at("a"), {"short"}), "");
  EXPECT_EQ(contents(at("a")), "short");
  EXPECT_EQ(entries(), 1);
}

TEST_F(OutputFile, replacesASymbolicLinkNotItsTarget) {
  ASSERT_EQ(write(at("target"), {"kept"}), "");
  fs::create_symlink(at("target"), at("link"));
  EXPECT_EQ(write(at("link"), {"new"}), "");
  EXPECT_EQ(contents(at("target")), "kept");
  EXPECT_EQ(contents(at("link")), "new");
  EXPECT_FALSE(fs::is_symlink(at("link")));
}

TEST_F(OutputFile, relativePath) {
  fs::path before = fs::current_path();
  llvm::scope_exit restore([&] { fs::current_path(before); });
  fs::current_path(directory);
  EXPECT_EQ(write("a", {"x"}), "");
  EXPECT_EQ(contents(at("a")), "x");
}

TEST_F(OutputFile, refusesADirectory) {
  EXPECT_EQ(write(directory.string(), {"x"}),
            "cannot write '" + directory.string() + "': Is a directory");
  EXPECT_EQ(entries(), 0);
}

TEST_F(OutputFile, refusesAMissingDirectory) {
  EXPECT_EQ(write(at("no/a"), {"x"}),
            "cannot write '" + at("no/a") + "': No such file or directory");
}

TEST_F(OutputFile, refusesAReadOnlyFile) {
  ASSERT_EQ(write(at("a"), {"kept"}, 0444), "");
  EXPECT_NE(write(at("a"), {"x"}).find("Permission denied"), std::string::npos);
  EXPECT_EQ(contents(at("a")), "kept");
}

TEST_F(OutputFile, fullDevice) {
  EXPECT_EQ(write("/dev/full", {"x"}),
            "cannot write '/dev/full': No space left on device");
  EXPECT_EQ(write("/dev/null", {"x"}), "");
}

TEST_F(OutputFile, fullStandardOutput) {
  int before = dup(STDOUT_FILENO);
  ASSERT_NE(freopen("/dev/full", "w", stdout), nullptr);
  std::string message = write("-", {"x"});
  dup2(before, STDOUT_FILENO);
  close(before);
  EXPECT_EQ(message, "cannot write 'standard output': No space left on device");
}

/// Runs `body` in a child process and returns its wait status.
int inChild(llvm::function_ref<void()> body) {
  pid_t child = fork();
  if (child == 0) {
    body();
    _exit(0);
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return status;
}

TEST_F(OutputFile, failedWriteKeepsTheOldFile) {
  ASSERT_EQ(write(at("a"), {"kept"}), "");
  std::string big(1 << 20, 'x');
  int status = inChild([&] {
    // The write exceeds the limit after 64 KiB and fails with EFBIG.
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit limit = {1 << 16, 1 << 16};
    setrlimit(RLIMIT_FSIZE, &limit);
    _exit(write(at("a"), {big}).find("File too large") == std::string::npos);
  });
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_EQ(contents(at("a")), "kept");
  EXPECT_EQ(entries(), 1);
}

TEST_F(OutputFile, signalRemovesTheUnfinishedFile) {
  std::string big(1 << 20, 'x');
  auto dieWhileWriting = [&](OnSignal onSignal) {
    return inChild([&] {
      // The signal arrives in the middle of the write.
      struct rlimit limit = {1 << 16, 1 << 16};
      setrlimit(RLIMIT_FSIZE, &limit);
      llvm::consumeError(writeFileAtomically(at("a"), {big}, 0644, onSignal));
    });
  };
  int status = dieWhileWriting(OnSignal::Remove);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ);
  EXPECT_EQ(entries(), 0);
  EXPECT_TRUE(WIFSIGNALED(dieWhileWriting(OnSignal::Keep)));
  EXPECT_EQ(entries(), 1);
}

} // namespace
