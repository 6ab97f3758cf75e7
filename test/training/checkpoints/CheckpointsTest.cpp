/// Checkpoints of a training: written behind the steps, kept, found again, and
/// read as untrusted input.
#include "test/runtime/support/Line.h"
#include "test/runtime/support/ModelFile.h"

#include "tg/data/feature.hpp"
#include "tg/training/checkpoints.hpp"

#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tg;
using namespace tg::test;
using namespace tg::training;
using testing::ElementsAre;
using testing::HasSubstr;
namespace fs = std::filesystem;

namespace {

class CheckpointsTest : public testing::Test {
protected:
  void SetUp() override {
    directory =
        testing::TempDir() + "/tg-checkpoints-" + std::to_string(::getpid());
    fs::remove_all(directory);
    fs::create_directory(directory);
  }
  void TearDown() override { fs::remove_all(directory); }

  /// Saves a checkpoint whose variables say its step.
  void save(CheckpointWriter &writer, uint64_t step,
            const std::vector<std::string> &names = {}) {
    const auto value = static_cast<float>(step);
    context.set<float>("line/weight", {value, value, value, value});
    writer.save(model, context, {step, {{"data.position", "1:2"}}}, names);
  }
  std::string pathOf(uint64_t step) { return checkpointPath(directory, step); }
  /// Returns the first weight of a checkpoint, which is its step.
  float weightIn(const std::string &path) {
    Context fresh = model.context();
    loadCheckpoint(fresh, path);
    return fresh.get<float>("line/weight")[0];
  }
  /// Returns the names of all files, in order.
  std::vector<std::string> files() {
    std::vector<std::string> names;
    for (const auto &entry : fs::directory_iterator(directory))
      names.push_back(entry.path().filename());
    std::ranges::sort(names);
    return names;
  }

  Model model = Model::load(linePath);
  Context context = model.context({.seed = 1});
  std::string directory;
};

/// Returns the message of the exception that a task throws, or "".
template <typename Task> std::string messageOf(Task task) {
  try {
    task();
  } catch (const std::runtime_error &error) {
    return error.what();
  }
  return "";
}

/// Runs a task in a child process and returns its result, or -1 if it was
/// killed.
template <typename Task> int runInChild(Task task) {
  const pid_t child = ::fork();
  if (child == 0)
    ::_exit(task());
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace

TEST_F(CheckpointsTest, returnWhatWasSaved) {
  CheckpointWriter writer(directory);
  const CheckpointState state = {12, {{"seed", "7"}, {"callback.a", "\n\""}}};
  context.set<float>("line/weight", {1, 2, 3, 4});
  writer.save(model, context, state);
  // The copy is written, whatever the next step does.
  context.set<float>("line/weight", {0, 0, 0, 0});
  writer.wait();
  const auto found = newestCheckpoint(directory);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->path, pathOf(12));
  EXPECT_EQ(found->state, state);
  Context fresh = model.context();
  loadCheckpoint(fresh, found->path);
  EXPECT_EQ(fresh.get<float>("line/weight"), (std::vector<float>{1, 2, 3, 4}));
}

TEST_F(CheckpointsTest, areWrittenAfterTheirPreparation) {
  CheckpointWriter writer(directory);
  std::vector<std::string> before = {"none"};
  writer.save(model, context, {1, {}}, {}, [&] { before = files(); });
  writer.wait();
  EXPECT_THAT(before, ElementsAre());
  EXPECT_THAT(files(), ElementsAre("checkpoint-1.safetensors"));
  writer.save(model, context, {2, {}}, {},
              [] { throw data::DataError("not prepared"); });
  EXPECT_EQ(messageOf([&] { writer.wait(); }), "not prepared");
  EXPECT_THAT(files(), ElementsAre("checkpoint-1.safetensors"));
}

TEST_F(CheckpointsTest, oldOnesAreRemoved) {
  CheckpointWriter writer(directory, {.keep = 2});
  for (uint64_t step : {0, 5, 10, 100, 110})
    save(writer, step,
         step == 5 ? std::vector<std::string>{"min-loss"}
                   : std::vector<std::string>{});
  writer.wait();
  EXPECT_THAT(files(), ElementsAre("checkpoint-100.safetensors",
                                   "checkpoint-110.safetensors",
                                   "min-loss.safetensors"));
  EXPECT_EQ(weightIn(directory + "/min-loss.safetensors"), 5);
  EXPECT_EQ(readCheckpoint(directory + "/min-loss.safetensors").step, 5u);
  EXPECT_EQ(weightIn(pathOf(100)), 100);
}

TEST_F(CheckpointsTest, allAreKeptOnDemand) {
  CheckpointWriter writer(directory, {.keep = 0});
  for (uint64_t step = 0; step < 6; ++step)
    save(writer, step);
  writer.wait();
  EXPECT_EQ(files().size(), 6u);
}

TEST_F(CheckpointsTest, whatIsNoCheckpointIsPassedOver) {
  {
    CheckpointWriter writer(directory);
    save(writer, 10);
    save(writer, 20);
  }
  const Bytes whole = readFile(pathOf(20));
  fs::create_directory(pathOf(90));
  fs::create_symlink(pathOf(20), pathOf(80));
  ASSERT_EQ(::mkfifo(pathOf(70).c_str(), 0600), 0);
  ASSERT_TRUE(writeFile(pathOf(60), {}));
  ASSERT_TRUE(writeFile(pathOf(50), Bytes(whole.begin(), whole.end() - 1)));
  ASSERT_TRUE(writeFile(pathOf(40), whole));      // is the one of step 20
  model.save(context.snapshot(), {}, pathOf(30)); // is of no training
  std::vector<SkippedCheckpoint> skipped;
  const auto found = newestCheckpoint(directory, &skipped);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->path, pathOf(20));
  ASSERT_EQ(skipped.size(), 7u);
  const char *const reasons[] = {
      "a directory",      "a link",  "another kind",           "0 bytes",
      "hash of the data", "step 20", "without number of steps"};
  for (size_t i = 0; i < skipped.size(); ++i) {
    EXPECT_EQ(skipped[i].path, pathOf(90 - 10 * i));
    EXPECT_THAT(skipped[i].reason, HasSubstr(reasons[i]));
  }
  // The next checkpoint removes none of them, and not the last whole one.
  CheckpointWriter writer(directory, {.keep = 2});
  save(writer, 25);
  writer.wait();
  EXPECT_EQ(newestCheckpoint(directory)->path, pathOf(25));
  EXPECT_FALSE(fs::exists(pathOf(10)));
  EXPECT_EQ(files().size(), 9u);
  EXPECT_THAT(messageOf([&] {
                save(writer, 90);
                writer.wait();
              }),
              HasSubstr("is not a regular file"));
}

TEST_F(CheckpointsTest, noCutOrChangedFileIsTaken) {
  {
    CheckpointWriter writer(directory);
    save(writer, 1);
    save(writer, 2);
  }
  for (size_t i = 0; i < 8 * fs::file_size(pathOf(2)); ++i) {
    const auto mask = static_cast<uint8_t>(1 << i % 8);
    ASSERT_TRUE(changeByte(pathOf(2), i / 8, mask));
    ASSERT_EQ(newestCheckpoint(directory)->state.step, 1u) << "bit " << i;
    ASSERT_TRUE(changeByte(pathOf(2), i / 8, mask));
  }
  ASSERT_EQ(newestCheckpoint(directory)->state.step, 2u);
  while (const uint64_t size = fs::file_size(pathOf(2))) {
    fs::resize_file(pathOf(2), size - 1);
    ASSERT_EQ(newestCheckpoint(directory)->state.step, 1u) << size;
  }
}

TEST_F(CheckpointsTest, anotherModelIsRefused) {
  CheckpointWriter writer(directory);
  save(writer, 1);
  writer.wait();
  Context longer = Model::load(longerPath).context();
  EXPECT_THAT(messageOf([&] { loadCheckpoint(longer, pathOf(1)); }),
              HasSubstr("missing '"));
}

TEST_F(CheckpointsTest, refusesNamesAndKeys) {
  CheckpointWriter writer(directory);
  for (const char *name : {"", "a/b", "..", ".x", "checkpoint-7"})
    EXPECT_THAT(messageOf([&] { save(writer, 1, {name}); }),
                HasSubstr("expected the name"))
        << name;
  EXPECT_THAT(
      messageOf([&] { writer.save(model, context, {1, {{"step", "2"}}}); }),
      HasSubstr("an entry with the key 'step'"));
  EXPECT_THAT(messageOf([&] {
                writer.save(model, context, {1, {{"tg.model", "x"}}});
                writer.wait();
              }),
              HasSubstr("key 'tg.model'"));
  EXPECT_TRUE(files().empty());
  EXPECT_THAT(messageOf([&] { newestCheckpoint(directory + "/none"); }),
              HasSubstr("No such file"));
  EXPECT_FALSE(newestCheckpoint(directory));
}

TEST_F(CheckpointsTest, aLimitOfFileSizesIsAnErrorOfTheNextSave) {
  EXPECT_EQ(runInChild([&] {
              CheckpointWriter writer(directory);
              save(writer, 1);
              writer.wait();
              const rlimit limit = {100, 100};
              ::setrlimit(RLIMIT_FSIZE, &limit);
              save(writer, 2);
              const bool isThrown = messageOf([&] {
                                      save(writer, 3);
                                    }).find("too large") != std::string::npos;
              // Each error is thrown once.
              return isThrown && messageOf([&] { writer.wait(); }).empty() ? 7
                                                                           : 1;
            }),
            7);
  EXPECT_THAT(files(), ElementsAre("checkpoint-1.safetensors"));
  EXPECT_EQ(weightIn(pathOf(1)), 1);
}

/// Mounts an empty disk of 16 KB at a path that only this process sees. Returns
/// false if the system does not allow it.
static bool mountSmallDisk(const std::string &path) {
  const uid_t user = ::geteuid();
  if (::unshare(CLONE_NEWNS) != 0) {
    if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0)
      return false;
    std::ofstream("/proc/self/uid_map") << "0 " << user << " 1";
  }
  return ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         ::mount("none", path.c_str(), "tmpfs", 0, "size=16k") == 0;
}

TEST_F(CheckpointsTest, aFullDiskKeepsTheOldOnes) {
  const int result = runInChild([&] {
    if (!mountSmallDisk(directory))
      return 77;
    CheckpointWriter writer(directory, {.keep = 2});
    uint64_t step = 1;
    std::string message;
    // Three checkpoints fit, of which two are kept. A large file of another
    // program then takes the place.
    for (; step <= 5; ++step)
      save(writer, step);
    writer.wait();
    std::ofstream(directory + "/other") << std::string(16384, 'x');
    save(writer, step);
    message = messageOf([&] { writer.wait(); });
    if (message.find("No space left") == std::string::npos)
      return 1;
    if (newestCheckpoint(directory)->state.step != 5 ||
        weightIn(pathOf(5)) != 5 || weightIn(pathOf(4)) != 4)
      return 2;
    // The next save succeeds when there is room again.
    fs::remove(directory + "/other");
    save(writer, step);
    writer.wait();
    return newestCheckpoint(directory)->state.step == step ? 0 : 3;
  });
  if (result == 77)
    GTEST_SKIP() << "the system does not allow to mount a disk";
  EXPECT_EQ(result, 0);
}

TEST_F(CheckpointsTest, aKilledWriterLeavesWholeOnes) {
  {
    CheckpointWriter writer(directory);
    save(writer, 0);
  }
  uint64_t newest = 0;
  for (int round = 0; round < 20; ++round) {
    const pid_t child = ::fork();
    if (child == 0) {
      CheckpointWriter writer(directory, {.keep = 2});
      for (uint64_t step = newest + 1;; ++step)
        if (!messageOf([&] { save(writer, step); }).empty())
          ::_exit(1);
    }
    ::usleep(static_cast<useconds_t>(1000 + round * 700));
    ::kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
    std::vector<SkippedCheckpoint> skipped;
    const auto found = newestCheckpoint(directory, &skipped);
    ASSERT_TRUE(found);
    EXPECT_TRUE(skipped.empty());
    EXPECT_GE(found->state.step, newest);
    newest = found->state.step;
    EXPECT_EQ(weightIn(found->path), static_cast<float>(newest));
  }
  // The next writer removes what the killed ones left, of any step, unless it
  // is locked.
  ASSERT_TRUE(
      writeFile(directory + "/.checkpoint-999.safetensors.tg-save-0.tmp", {1}));
  ASSERT_TRUE(
      writeFile(directory + "/.checkpoint-998.safetensors.tg-save-0.tmp", {1}));
  std::FILE *const used = std::fopen(
      (directory + "/.checkpoint-998.safetensors.tg-save-0.tmp").c_str(), "r");
  ASSERT_NE(used, nullptr);
  ASSERT_EQ(::flock(::fileno(used), LOCK_EX), 0);
  CheckpointWriter writer(directory, {.keep = 1});
  save(writer, newest + 1);
  writer.wait();
  EXPECT_THAT(files(), ElementsAre(".checkpoint-998.safetensors.tg-save-0.tmp",
                                   "checkpoint-" + std::to_string(newest + 1) +
                                       ".safetensors"));
  std::fclose(used);
}
