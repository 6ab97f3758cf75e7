/// Files and messages for tests.
#ifndef TG_TEST_DATA_FILES_H
#define TG_TEST_DATA_FILES_H

#include "Errors.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace tg::data {

/// A test with a directory of its own, which its end removes.
class FilesTest : public testing::Test {
protected:
  FilesTest() { std::filesystem::create_directories(directory); }
  ~FilesTest() override { std::filesystem::remove_all(directory); }

  std::string path(const std::string &name) const {
    return directory + "/" + name;
  }
  /// Writes a file, and the directories above it.
  std::string write(const std::string &name, const std::string &bytes) const {
    std::filesystem::create_directories(
        std::filesystem::path(path(name)).parent_path());
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }

  const std::string directory =
      testing::TempDir() + "tg-data-" +
      testing::UnitTest::GetInstance()->current_test_info()->test_suite_name() +
      "-" + testing::UnitTest::GetInstance()->current_test_info()->name();
};

} // namespace tg::data

#endif // TG_TEST_DATA_FILES_H
