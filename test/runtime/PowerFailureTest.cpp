/// Checkpoints after a power failure, a killed process or a failing call at
/// every call of a save. This is a program of its own because it replaces file
/// calls.
#include "support/FileCalls.h"
#include "support/Line.h"
#include "support/ModelFile.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <unistd.h>

using namespace tg::test;
namespace fs = std::filesystem;

namespace {

/// A context with two states: `before` in the file, `after` in memory.
class PowerFailureTest : public LineTest {
protected:
  void SetUp() override {
    LineTest::SetUp();
    directory = testing::TempDir() + "/tg-power-" + std::to_string(::getpid());
    fs::create_directory(directory);
    path = directory + "/state.safetensors";
    ASSERT_EQ(tg_context_init(context, 1, &error), TG_OK);
    ASSERT_EQ(save(), TG_OK);
    before = contents();
    ASSERT_EQ(train(context), TG_OK);
    ASSERT_EQ(save(), TG_OK);
    after = contents();
    ASSERT_NE(before, after);
    restore();
  }
  void TearDown() override {
    fs::remove_all(directory);
    LineTest::TearDown();
  }

  tg_status_t save() {
    return tg_context_save_variables(context, path.c_str(), &error);
  }
  std::string contents() {
    const Bytes bytes = readFile(path);
    return {bytes.begin(), bytes.end()};
  }
  /// Recreates the directory with the old file only.
  void restore() {
    fs::remove_all(directory);
    fs::create_directory(directory);
    ASSERT_TRUE(writeFile(path, Bytes(before.begin(), before.end())));
  }
  /// Returns the calls of a successful save.
  std::vector<FileCall> callsOfSave() {
    FileCalls calls;
    EXPECT_EQ(save(), TG_OK) << error.message;
    return calls.made();
  }
  bool isWhole(const std::string &bytes) const {
    return bytes == before || bytes == after;
  }
  /// Returns true if every possible disk state after each call has a complete
  /// file, and the last one the new file.
  bool areSafe(const std::vector<FileCall> &calls) const;

  std::string directory, path, before, after;
};

bool PowerFailureTest::areSafe(const std::vector<FileCall> &calls) const {
  for (size_t count = 0; count <= calls.size(); ++count) {
    const std::vector<FileCall> made(calls.begin(),
                                     calls.begin() + long(count));
    for (const Directory &state : statesAfter({{path, before}}, made)) {
      const auto file = state.find(path);
      if (file == state.end() || !isWhole(file->second) ||
          (count == calls.size() && file->second != after))
        return false;
    }
  }
  return true;
}

/// Returns the number of the first call of the kind.
size_t find(const std::vector<FileCall> &calls, FileCall::Kind kind) {
  const auto found =
      std::find_if(calls.begin(), calls.end(),
                   [&](const FileCall &call) { return call.kind == kind; });
  EXPECT_NE(found, calls.end()) << "no call of kind " << kind;
  return size_t(found - calls.begin());
}

} // namespace

TEST_F(PowerFailureTest, everyStateHasAWholeFile) {
  EXPECT_TRUE(areSafe(callsOfSave()));
  EXPECT_EQ(contents(), after);
}

// The check above must fail if any step of a save is missing.
TEST_F(PowerFailureTest, noStepCanBeLeftOut) {
  const std::vector<FileCall> calls = callsOfSave();
  const size_t sync = find(calls, FileCall::Sync);
  const size_t rename = find(calls, FileCall::Rename);
  const size_t syncDirectory = find(calls, FileCall::SyncDirectory);
  for (size_t step : {sync, rename, syncDirectory}) {
    std::vector<FileCall> fewer = calls;
    fewer.erase(fewer.begin() + long(step));
    EXPECT_FALSE(areSafe(fewer)) << step;
  }
  std::vector<FileCall> late = calls;
  std::swap(late[sync], late[rename]);
  EXPECT_FALSE(areSafe(late));
  std::vector<FileCall> inPlace = calls;
  for (FileCall &call : inPlace)
    if (call.kind == FileCall::Create)
      call.name = path;
  EXPECT_FALSE(areSafe(inPlace));
}

TEST_F(PowerFailureTest, everyStateCanBeLoaded) {
  const std::vector<FileCall> calls = callsOfSave();
  std::set<std::string> found;
  for (size_t count = 0; count <= calls.size(); ++count)
    for (const Directory &state : statesAfter(
             {{path, before}}, {calls.begin(), calls.begin() + long(count)}))
      found.insert(state.at(path));
  EXPECT_EQ(found, (std::set<std::string>{before, after}));
  for (const std::string &bytes : found) {
    ASSERT_TRUE(writeFile(path, Bytes(bytes.begin(), bytes.end())));
    EXPECT_EQ(tg_context_load_variables(context, path.c_str(), &error), TG_OK)
        << error.message;
  }
}

TEST_F(PowerFailureTest, aProcessMayEndAtEveryCall) {
  const size_t count = callsOfSave().size();
  for (size_t number = 0; number < count; ++number) {
    restore();
    EXPECT_TRUE(endsAt(number, [&] { save(); })) << number;
    EXPECT_TRUE(isWhole(contents())) << number;
    // Leftover files do not disturb the next save, which removes them.
    EXPECT_EQ(save(), TG_OK) << error.message;
    EXPECT_EQ(contents(), after);
    EXPECT_EQ(countEntries(directory), 1) << number;
  }
}

TEST_F(PowerFailureTest, everyFailureIsAStatus) {
  const std::vector<FileCall> made = callsOfSave();
  for (int reason : {EIO, ENOSPC})
    for (size_t number = 0; number < made.size(); ++number) {
      restore();
      const long open = countEntries("/proc/self/fd");
      tg_status_t status;
      {
        FileCalls calls;
        calls.failAt(number, reason);
        status = save();
      }
      // The last two calls close the directory and release the lock; their
      // failures are ignored.
      const bool isLast = number + 2 >= made.size();
      EXPECT_EQ(status, isLast ? TG_OK : TG_ERROR_IO) << number;
      if (!isLast)
        EXPECT_NE(std::strstr(error.message, std::strerror(reason)), nullptr)
            << number << ": " << error.message;
      EXPECT_TRUE(isWhole(contents())) << number;
      EXPECT_EQ(countEntries(directory), 1) << number;
      EXPECT_EQ(countEntries("/proc/self/fd"), open) << number;
    }
}

TEST_F(PowerFailureTest, anInterruptedOrShortWriteGoesOn) {
  const std::vector<FileCall> made = callsOfSave();
  for (size_t number = 0; number < made.size(); ++number) {
    if (made[number].kind != FileCall::Write)
      continue;
    restore();
    FileCalls calls;
    calls.failAt(number, EINTR);
    EXPECT_EQ(save(), TG_OK) << error.message;
    EXPECT_EQ(contents(), after);
  }
  restore();
  FileCalls calls;
  calls.writeSingleBytes();
  EXPECT_EQ(save(), TG_OK) << error.message;
  EXPECT_EQ(contents(), after);
}

TEST_F(PowerFailureTest, aDirectoryThatCannotBeSyncedIsNoFailure) {
  const size_t number = find(callsOfSave(), FileCall::SyncDirectory);
  restore();
  FileCalls calls;
  calls.failAt(number, EINVAL);
  EXPECT_EQ(save(), TG_OK) << error.message;
  EXPECT_EQ(contents(), after);
}
