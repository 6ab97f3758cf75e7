// Tests the cache directories for machine code, its ISA levels, and the files
// that sessions hold open.
#include "tg/tg.h"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace tg;

namespace {
/// Fixture with a graph for each test.
class SessionCaches : public testing::Test {
protected:
  Program graph{"g"};
  std::unique_ptr<DefaultGraph> building{new DefaultGraph(graph)};
};

TEST_F(SessionCaches, keepMachineCodeInADirectory) {
  std::filesystem::path cache = std::filesystem::temp_directory_path() /
                                ("tg-session-" + std::to_string(getpid()));
  Tensor x = placeholder(f32, {3});
  Tensor y = exp(x);
  Session session({.optimization = 2, .kernelCache = cache.string()});
  EXPECT_EQ(session.kernelCache(), cache.string());
  session.run(y, {{x, {1, 2, 3}}});
  EXPECT_FALSE(std::filesystem::is_empty(cache));
  std::filesystem::remove_all(cache);
  EXPECT_EQ(Session({.kernelCache = ""}).kernelCache(), "");
}

TEST_F(SessionCaches, findADirectoryForMachineCode) {
  std::filesystem::path home = std::filesystem::temp_directory_path() /
                               ("tg-home-" + std::to_string(getpid()));
  auto with = [](const char *name, const std::string &value) {
    setenv(name, value.c_str(), /*overwrite=*/1);
    return Session().kernelCache();
  };
  const char *before = std::getenv("HOME");
  std::string oldHome = before ? before : "";
  unsetenv("XDG_CACHE_HOME");
  unsetenv("TG_KERNEL_CACHE");
  EXPECT_EQ(with("HOME", home), home / ".cache/tg");
  EXPECT_EQ(with("XDG_CACHE_HOME", home / "xdg"), home / "xdg/tg");
  EXPECT_EQ(with("TG_KERNEL_CACHE", home / "named"), home / "named");
  EXPECT_EQ(Session({.kernelCache = ""}).kernelCache(), "");
  EXPECT_EQ(with("TG_KERNEL_CACHE", ""), "");
  unsetenv("XDG_CACHE_HOME");
  unsetenv("TG_KERNEL_CACHE");
  setenv("HOME", oldHome.c_str(), 1);
  std::filesystem::remove_all(home);
}

TEST_F(SessionCaches, ignoreADirectoryThatOthersMayWrite) {
  std::filesystem::path cache = std::filesystem::temp_directory_path() /
                                ("tg-open-" + std::to_string(getpid()));
  std::filesystem::create_directory(cache);
  std::filesystem::permissions(cache, std::filesystem::perms::all);
  std::vector<std::string> told;
  Program program("open");
  program.onWarning(
      [&](const Warning &warning) { told.push_back(warning.message); });
  DefaultGraph building(program);
  Tensor x = placeholder(f32, {3});
  Tensor y = exp(x);
  Session session(program, {.optimization = 1, .kernelCache = cache.string()});
  EXPECT_EQ(session.kernelCache(), "");
  EXPECT_EQ(session.run(y, {{x, {0, 0, 0}}}).to<int>(),
            (std::vector<int>{1, 1, 1}));
  EXPECT_TRUE(std::filesystem::is_empty(cache));
  ASSERT_EQ(told.size(), 1u);
  EXPECT_NE(told[0].find("option 'kernelCache': ignored '" + cache.string()),
            std::string::npos)
      << told[0];
  std::filesystem::remove_all(cache);
}

TEST_F(SessionCaches, makeCodeOfChosenLevels) {
  Tensor x = placeholder(f32, {2});
  Tensor y = x * 2.0;
  Session session({.optimization = 1, .levels = {4, 2}, .kernelCache = ""});
  EXPECT_EQ(session.run(y, {{x, {1, 2}}}).to<int>(), (std::vector<int>{2, 4}));
}

TEST_F(SessionCaches, keepNoDescriptorForWhatIsCompiled) {
  auto openFiles = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
                         {});
  };
  Tensor x = placeholder(f32, {2});
  Session session({.optimization = 0, .levels = {2}, .kernelCache = ""});
  session.run(x + 1.0, {{x, {1, 2}}});
  auto before = openFiles();
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(session.run(x + double(i), {{x, {1, 2}}}).to<int>(),
              (std::vector<int>{1 + i, 2 + i}));
  EXPECT_EQ(session.compiledCount(), 9u);
  EXPECT_EQ(openFiles(), before);
}
} // namespace
