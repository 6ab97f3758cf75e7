/// Checkpoints: written atomically, and read as untrusted input.
#include "support/Line.h"
#include "support/ModelFile.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tg::test;
namespace fs = std::filesystem;

namespace {

class CheckpointTest : public LineTest {
protected:
  void SetUp() override {
    LineTest::SetUp();
    directory =
        testing::TempDir() + "/tg-checkpoint-" + std::to_string(::getpid());
    fs::create_directory(directory);
    path = directory + "/state.safetensors";
    ASSERT_EQ(tg_context_init(context, 1, &error), TG_OK);
    ASSERT_EQ(train(context), TG_OK);
  }
  void TearDown() override {
    fs::remove_all(directory);
    LineTest::TearDown();
  }

  tg_status_t save() {
    return tg_context_save_variables(context, path.c_str(), &error);
  }
  tg_status_t load() {
    return tg_context_load_variables(context, path.c_str(), &error);
  }
  size_t filesInDirectory() {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(directory), {}));
  }
  /// Loads a file with this header and data. A failure must change nothing.
  tg_status_t loadBytes(const Bytes &bytes) {
    EXPECT_TRUE(writeFile(path, bytes));
    const std::vector<uint8_t> before = variables(context);
    const tg_status_t status = load();
    if (status != TG_OK) {
      EXPECT_EQ(variables(context), before) << error.message;
    }
    return status;
  }
  tg_status_t loadHeader(const std::string &header, size_t dataBytes = 24) {
    Bytes bytes(8 + header.size() + dataBytes);
    const uint64_t length = header.size();
    std::memcpy(bytes.data(), &length, 8);
    std::memcpy(bytes.data() + 8, header.data(), header.size());
    return loadBytes(bytes);
  }

  std::string directory, path;
};

const std::string weight =
    R"("line/weight":{"dtype":"F32","shape":[4],"data_offsets":[8,24]})";
const std::string step =
    R"("line/step":{"dtype":"I64","shape":[],"data_offsets":[0,8]})";

/// Returns the header with one text replaced by another.
std::string changed(const std::string &from, const std::string &to) {
  std::string header = "{" + weight + "," + step + "}";
  const size_t at = header.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return header.replace(at, from.size(), to);
}

} // namespace

TEST_F(CheckpointTest, savesAndLoads) {
  ASSERT_EQ(save(), TG_OK) << error.message;
  const std::vector<uint8_t> expected = variables(context);
  ASSERT_EQ(train(context), TG_OK);
  ASSERT_EQ(load(), TG_OK) << error.message;
  EXPECT_EQ(variables(context), expected);
  EXPECT_EQ(test(context), TG_OK) << error.message;
  EXPECT_EQ(filesInDirectory(), 1u);
}

TEST_F(CheckpointTest, equalVariablesMakeEqualFiles) {
  ASSERT_EQ(save(), TG_OK);
  const Bytes first = readFile(path);
  ASSERT_EQ(save(), TG_OK);
  EXPECT_EQ(readFile(path), first);
  uint64_t length;
  std::memcpy(&length, first.data(), 8);
  EXPECT_EQ(length % 8, 0u);
  EXPECT_EQ(first.size(), 8 + length + 24);
}

TEST_F(CheckpointTest, readsFilesOfOtherWriters) {
  EXPECT_EQ(loadHeader("{" + weight + "," + step + "}"), TG_OK)
      << error.message;
  EXPECT_EQ(loadHeader("{\"__metadata__\":{\"format\":\"pt\"}," + step + "," +
                       weight + "}   "),
            TG_OK)
      << error.message;
}

TEST_F(CheckpointTest, refusesTruncations) {
  ASSERT_EQ(save(), TG_OK);
  const Bytes file = readFile(path);
  for (size_t i = 0; i < file.size(); ++i)
    EXPECT_NE(loadBytes(Bytes(file.begin(), file.begin() + long(i))), TG_OK)
        << i;
}

TEST_F(CheckpointTest, eachFlippedBitIsRefused) {
  ASSERT_EQ(save(), TG_OK);
  const std::vector<uint8_t> before = variables(context);
  for (size_t i = 0; i < 8 * fs::file_size(path); ++i) {
    const auto mask = static_cast<uint8_t>(1 << i % 8);
    ASSERT_TRUE(changeByte(path, i / 8, mask));
    EXPECT_NE(load(), TG_OK) << "bit " << i;
    ASSERT_TRUE(changeByte(path, i / 8, mask));
  }
  EXPECT_EQ(variables(context), before);
  EXPECT_EQ(load(), TG_OK) << error.message;
}

TEST_F(CheckpointTest, refusesWrongSizesBeforeUsingThem) {
  EXPECT_EQ(loadBytes({}), TG_ERROR_FORMAT);
  EXPECT_EQ(loadBytes(Bytes(7, 0)), TG_ERROR_FORMAT);
  EXPECT_EQ(loadBytes(Bytes(8, 0)), TG_ERROR_FORMAT);
  for (uint64_t length : {uint64_t(9), uint64_t(1) << 30, uint64_t(1) << 63,
                          ~uint64_t(0), ~uint64_t(7)}) {
    Bytes bytes(16, '{');
    std::memcpy(bytes.data(), &length, 8);
    EXPECT_EQ(loadBytes(bytes), TG_ERROR_FORMAT) << length;
  }
}

TEST_F(CheckpointTest, refusesWhatIsNotTheFormat) {
  for (const char *header :
       {"{", "[]", "null", " {}", "\xef\xbb\xbf{}", "{}x", "{\"\xff\":{}}",
        "{\"__metadata__\":1}", "{\"__metadata__\":{\"a\":1}}",
        "{\"__metadata__\":{},\"__metadata__\":{}}",
        "{\"__metadata__\":{\"tg.data_sha256\":\"xyz\"}}"})
    EXPECT_EQ(loadHeader(header), TG_ERROR_FORMAT) << header;
  for (const char *header :
       {"{\"__metadata__\":{\"tg.hashes\":\"header, data\"}}",
        "{\"__metadata__\":{\"a\":\"b\",\"tg.header_sha256\":\"0\"}}"})
    EXPECT_EQ(loadHeader(header), TG_ERROR_CORRUPT) << header;
  EXPECT_EQ(loadHeader(std::string("{}\0}", 4)), TG_ERROR_FORMAT);
  EXPECT_EQ(loadHeader("{" + step + "," + step + "," + weight + "}"),
            TG_ERROR_FORMAT);
  EXPECT_EQ(loadHeader(std::string(100000, '[')), TG_ERROR_FORMAT);
  EXPECT_EQ(loadHeader("{\"line/step\":" + std::string(100000, '{')),
            TG_ERROR_FORMAT);
}

TEST_F(CheckpointTest, refusesWrongTensors) {
  const auto expect = [&](tg_status_t status, const std::string &from,
                          const std::string &to) {
    EXPECT_EQ(loadHeader(changed(from, to)), status) << to << error.message;
  };
  expect(TG_ERROR_NOT_FOUND, "line/step", "line/stop");
  expect(TG_ERROR_NOT_FOUND, "line/step", "../../etc/passwd");
  expect(TG_ERROR_NOT_FOUND, "," + step, "");
  expect(TG_ERROR_DTYPE, "I64", "F64");
  expect(TG_ERROR_DTYPE, "I64", "nonsense of great length");
  expect(TG_ERROR_DIM, "[4]", "[5]");
  EXPECT_NE(std::strstr(error.message, "state.safetensors': tensor "
                                       "'line/weight': dim 0 is 5, expected 4"),
            nullptr)
      << error.message;
  EXPECT_EQ(error.found, 5);
  EXPECT_EQ(error.expected, 4);
  expect(TG_ERROR_DIM, "[4]", "[2,2]");
  expect(TG_ERROR_DIM, "[4]", "[4,18446744073709551615]");
  expect(TG_ERROR_FORMAT, "[4]", "[-4]");
  expect(TG_ERROR_FORMAT, "[4]", "[4.0]");
  expect(TG_ERROR_FORMAT, "[4]", "[99999999999999999999999]");
  expect(TG_ERROR_FORMAT, "[4]", "\"4\"");
  expect(TG_ERROR_FORMAT, "\"shape\":[4],", "");
  expect(TG_ERROR_FORMAT, "\"shape\":[4],", "\"shape\":[4],\"shape\":[4],");
  expect(TG_ERROR_FORMAT, "\"shape\":[4],", "\"shape\":[4],\"extra\":1,");
}

TEST_F(CheckpointTest, refusesWrongOffsets) {
  const auto expect = [&](const std::string &from, const std::string &to,
                          size_t dataBytes = 24) {
    EXPECT_EQ(loadHeader(changed(from, to), dataBytes), TG_ERROR_FORMAT)
        << to << error.message;
  };
  expect("[8,24]", "[0,16]");                   // overlap
  expect("[8,24]", "[12,28]", 28);              // gap
  expect("[8,24]", "[16,32]");                  // beyond the end
  expect("[8,24]", "[24,8]");                   // descending
  expect("[8,24]", "[8,20]");                   // not shape times type
  expect("[8,24]", "[8]");                      // too few
  expect("[8,24]", "[8,16,24]");                // too many
  expect("[8,24]", "[18446744073709551608,8]"); // wraps
  expect("[8,24]", "[8,24]", 25);               // trailing bytes
  expect("[8,24]", "[8,24]", 23);               // cut short
  EXPECT_NE(std::strstr(error.message,
                        "state.safetensors': the file is cut short: tensor "
                        "'line/weight' ends at byte 24 of the data, found 23 "
                        "bytes"),
            nullptr)
      << error.message;
  EXPECT_EQ(error.found, 23);
  EXPECT_EQ(error.expected, 24);
}

TEST_F(CheckpointTest, aMillionForeignTensorsAreRefused) {
  std::string header = "{";
  for (int i = 0; i < 300000; ++i)
    header += "\"t" + std::to_string(i) +
              "\":{\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[0,0]},";
  header.back() = '}';
  EXPECT_EQ(loadHeader(header), TG_ERROR_NOT_FOUND);
}

TEST_F(CheckpointTest, loadingIntoAnUninitializedContextInitializesIt) {
  ASSERT_EQ(save(), TG_OK);
  tg_context_t *fresh = createContext();
  EXPECT_EQ(tg_context_save_variables(fresh, path.c_str(), &error),
            TG_ERROR_SLAB);
  ASSERT_EQ(tg_context_load_variables(fresh, path.c_str(), &error), TG_OK)
      << error.message;
  EXPECT_EQ(variables(fresh), variables(context));
  tg_context_destroy(fresh);
}

TEST_F(CheckpointTest, pathsThatCannotBeWrittenLeaveNothing) {
  const auto trySave = [&](const std::string &to) {
    return tg_context_save_variables(context, to.c_str(), &error);
  };
  EXPECT_EQ(trySave("/nonexistent/x"), TG_ERROR_IO);
  EXPECT_EQ(trySave(directory), TG_ERROR_IO); // a directory: cannot be replaced
  EXPECT_EQ(trySave(directory + "/"), TG_ERROR_IO);
  EXPECT_EQ(trySave(std::string(5000, 'x')), TG_ERROR_IO);
  EXPECT_EQ(tg_context_save_variables(context, nullptr, &error), TG_ERROR_NULL);
  EXPECT_EQ(filesInDirectory(), 0u);
  EXPECT_EQ(tg_context_load_variables(context, directory.c_str(), &error),
            TG_ERROR_IO);
}

TEST_F(CheckpointTest, onlyRegularFilesAreReplaced) {
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(save(), TG_ERROR_IO);
  EXPECT_NE(std::string(error.message).find("is not a regular file"),
            std::string::npos);
  EXPECT_EQ(load(), TG_ERROR_IO); // and does not hang
  EXPECT_TRUE(fs::is_fifo(path));
  fs::remove(path);
  ASSERT_TRUE(writeFile(path, {1, 2, 3}));
  fs::permissions(path, fs::perms::owner_read);
  EXPECT_EQ(save(), TG_ERROR_IO); // a read-only file is kept, even by root
  EXPECT_EQ(readFile(path), (Bytes{1, 2, 3}));
  EXPECT_EQ(filesInDirectory(), 1u);
}

TEST_F(CheckpointTest, aLinkIsReplacedAndNotFollowed) {
  const std::string behind = directory + "/behind";
  ASSERT_TRUE(writeFile(behind, {1, 2, 3}));
  fs::create_symlink(behind, path);
  ASSERT_EQ(save(), TG_OK) << error.message;
  EXPECT_EQ(readFile(behind), (Bytes{1, 2, 3}));
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(path)));
}

// A write beyond the file size limit raises SIGXFSZ, which is fatal by default.
// The caller owns its handling; tested are the default action, ignoring and
// counting it.
TEST_F(CheckpointTest, aFailedWriteKeepsTheOldFileAndTheHost) {
  static volatile sig_atomic_t caught = 0;
  ASSERT_EQ(save(), TG_OK);
  const Bytes before = readFile(path);
  ASSERT_EQ(train(context), TG_OK);
  const auto count = [](int) { caught = 1; };
  for (void (*handler)(int) :
       {SIG_DFL, SIG_IGN, static_cast<void (*)(int)>(count)}) {
    const pid_t child = ::fork();
    if (child == 0) {
      const rlimit limit = {100, 100}; // no file above 100 bytes
      ::signal(SIGXFSZ, handler);
      ::setrlimit(RLIMIT_FSIZE, &limit);
      const bool isRefused =
          save() == TG_ERROR_IO && std::strstr(error.message, "too large");
      struct sigaction now;
      ::sigaction(SIGXFSZ, nullptr, &now);
      sigset_t blocked, pending;
      ::pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
      ::sigpending(&pending);
      ::_exit(isRefused && now.sa_handler == handler && !caught &&
                      !::sigismember(&blocked, SIGXFSZ) &&
                      !::sigismember(&pending, SIGXFSZ)
                  ? 0
                  : 1);
    }
    int status;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status)) << "killed by " << WTERMSIG(status);
    EXPECT_EQ(status, 0) << error.message;
    EXPECT_EQ(readFile(path), before);
    EXPECT_EQ(filesInDirectory(), 1u);
  }
}

TEST_F(CheckpointTest, aKilledWriterLeavesAWholeFile) {
  ASSERT_EQ(save(), TG_OK);
  for (int round = 0; round < 20; ++round) {
    const pid_t child = ::fork();
    if (child == 0)
      for (;;)
        if (train(context) != TG_OK || save() != TG_OK)
          ::_exit(1);
    ::usleep(static_cast<useconds_t>(1000 + round * 700));
    ::kill(child, SIGKILL);
    int status;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(load(), TG_OK) << error.message;
  }
  // The next save removes the temporary files of the killed ones.
  EXPECT_EQ(save(), TG_OK) << error.message;
  EXPECT_EQ(filesInDirectory(), 1u);
}

TEST_F(CheckpointTest, saversOfOnePathDoNotRemoveEachOthersFiles) {
  constexpr int savers = 4;
  std::vector<pid_t> children;
  for (int i = 0; i < savers; ++i) {
    children.push_back(::fork());
    if (children.back() == 0) {
      for (int step = 0; step < 50; ++step)
        if (save() != TG_OK) {
          std::fprintf(stderr, "%s\n", error.message);
          ::_exit(1);
        }
      ::_exit(0);
    }
  }
  for (pid_t child : children) {
    int status;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(load(), TG_OK) << error.message;
  EXPECT_EQ(filesInDirectory(), 1u);
}

// A temporary file in use is locked. The next saver leaves it and all files of
// other programs alone and takes another name.
TEST_F(CheckpointTest, filesAsideInUseAreLeftAlone) {
  const std::string first = directory + "/.state.safetensors.tg-save-0.tmp";
  const int other = ::open(first.c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_EQ(::flock(other, LOCK_EX | LOCK_NB), 0);
  const std::string link = directory + "/.state.safetensors.tg-save-1.tmp";
  fs::create_symlink("nowhere", link);
  ASSERT_EQ(save(), TG_OK) << error.message;
  EXPECT_EQ(filesInDirectory(), 3u);
  ::close(other);
  ASSERT_EQ(save(), TG_OK) << error.message;
  EXPECT_EQ(filesInDirectory(), 2u);
  EXPECT_TRUE(fs::is_symlink(link));
}
