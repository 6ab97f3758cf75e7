//===- OutputFailureTest.cpp - Output after injected failures -------------===//
//
// Injects a failure into every file call of a write: a power loss, the end of
// the process, a failing call. It is a separate program because it replaces
// file calls.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontend/text/OutputFile.h"
#include "test/runtime/support/FileCalls.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdlib.h>

using namespace tg;
using namespace tg::test;
namespace fs = std::filesystem;

namespace {

const std::string before = "before";
const std::string after(300, 'a');

/// Fixture with a directory that contains the file to replace.
class OutputFailure : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "/tg-output-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory = pattern;
    path = directory + "/model.so";
    restore();
  }
  void TearDown() override { fs::remove_all(directory); }

  /// Restores a directory that contains only the old file.
  void restore() {
    fs::remove_all(directory);
    fs::create_directory(directory);
    std::ofstream(path) << before;
  }
  std::string contents() const {
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }
  /// Returns the error message of a write; empty on success.
  std::string write() const {
    return llvm::toString(
        writeFileAtomically(path, {after.substr(0, 100), after.substr(100)},
                            /*mode=*/0644));
  }
  std::vector<FileCall> callsOfWrite() {
    FileCalls calls;
    EXPECT_EQ(write(), "");
    return calls.made();
  }

  std::string directory, path;
};

TEST_F(OutputFailure, everyStateHasAWholeFile) {
  const std::vector<FileCall> calls = callsOfWrite();
  for (size_t count = 0; count <= calls.size(); ++count)
    for (const Directory &state : statesAfter(
             {{path, before}}, {calls.begin(), calls.begin() + long(count)})) {
      const auto file = state.find(path);
      ASSERT_NE(file, state.end()) << count;
      EXPECT_TRUE(file->second == after ||
                  (file->second == before && count < calls.size()))
          << count << ": " << file->second;
    }
}

TEST_F(OutputFailure, aProcessMayEndAtEveryCall) {
  const size_t count = callsOfWrite().size();
  for (size_t number = 0; number < count; ++number) {
    restore();
    EXPECT_TRUE(endsAt(number, [&] { write(); })) << number;
    EXPECT_TRUE(contents() == before || contents() == after) << number;
    EXPECT_EQ(write(), "") << number;
    EXPECT_EQ(contents(), after) << number;
  }
}

TEST_F(OutputFailure, everyFailureIsAnError) {
  const std::vector<FileCall> made = callsOfWrite();
  for (int reason : {EIO, ENOSPC})
    for (size_t number = 0; number < made.size(); ++number) {
      restore();
      const long open = countEntries("/proc/self/fd");
      std::string message;
      {
        FileCalls calls;
        calls.failAt(number, reason);
        message = write();
      }
      // The last call only closes the directory, so its failure is not an
      // error.
      const bool isLast = number + 1 == made.size();
      EXPECT_EQ(message, isLast ? ""
                                : "cannot write '" + path +
                                      "': " + std::strerror(reason))
          << number;
      EXPECT_TRUE(contents() == before || contents() == after) << number;
      EXPECT_EQ(countEntries(directory), 1) << number;
      EXPECT_EQ(countEntries("/proc/self/fd"), open) << number;
    }
}

TEST_F(OutputFailure, singleBytesAreGoneOnWith) {
  FileCalls calls;
  calls.writeSingleBytes();
  EXPECT_EQ(write(), "");
  EXPECT_EQ(contents(), after);
}

} // namespace
