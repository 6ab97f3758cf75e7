/// Checkpoints of copies of variables, with entries in their metadata.
#include "support/Line.h"
#include "support/ModelFile.h"

#include "tg/runtime.hpp"

#include <cstring>
#include <filesystem>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace tg::test;
namespace fs = std::filesystem;

namespace {

class EntriesTest : public testing::Test {
protected:
  void SetUp() override {
    directory =
        testing::TempDir() + "/tg-entries-" + std::to_string(::getpid());
    fs::create_directory(directory);
    path = directory + "/state.safetensors";
    block = context.snapshot();
  }
  void TearDown() override { fs::remove_all(directory); }

  void save() { model.save(block, entries, path); }
  /// Saves entries in C. Returns the status.
  tg_status_t saveInC(const std::vector<tg_entry_t> &given) {
    return tg_module_save_block(
        model.handle(), block.data(), block.size(), given.data(),
        static_cast<uint32_t>(given.size()), path.c_str(), &error);
  }
  /// Reads a file. Returns the status, and counts the entries.
  tg_status_t read() {
    visited = 0;
    return tg_checkpoint_read(
        path.c_str(),
        [](void *count, const char *, const char *) {
          ++*static_cast<size_t *>(count);
        },
        &visited, &error);
  }
  tg_status_t readBytes(const Bytes &bytes) {
    EXPECT_TRUE(writeFile(path, bytes));
    return read();
  }
  size_t filesInDirectory() {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(directory), {}));
  }

  tg::Model model = tg::Model::load(linePath);
  tg::Context context = model.context({.seed = 1});
  std::string directory, path;
  std::vector<std::byte> block;
  tg::CheckpointEntries entries = {
      {"data.position", "{\"epoch\": 2}"}, {"empty", ""}, {"other", "x"}};
  size_t visited = 0;
  Error error;
};

/// Returns the status of the exception that a task throws, or TG_OK.
template <typename Task> tg_status_t thrownBy(Task task) {
  try {
    task();
  } catch (const tg::RuntimeError &error) {
    return error.status();
  }
  return TG_OK;
}

} // namespace

TEST_F(EntriesTest, returnWithTheVariables) {
  entries["text"] = "quotes \" and \\, a line\n\ttab \x01 \x7f and "
                    "\"tg.header_sha256\":\"0\", \xc3\xa4 \xf0\x9f\x98\x80";
  entries["\"__metadata__\""] = "{";
  const std::vector<float> expected = context.get<float>("line/weight");
  // The copy is saved, whatever happens to the context meanwhile.
  context.set<float>("line/weight", {9, 9, 9, 9});
  std::thread([&] { save(); }).join();
  EXPECT_EQ(tg::readCheckpointEntries(path), entries);
  tg::Context fresh = model.context();
  fresh.load(path);
  EXPECT_EQ(fresh.get<float>("line/weight"), expected);
  EXPECT_EQ(filesInDirectory(), 1u);
}

TEST_F(EntriesTest, withoutThemTheFileIsThatOfAContext) {
  entries.clear();
  save();
  const Bytes ofBlock = readFile(path);
  context.save(path);
  EXPECT_EQ(readFile(path), ofBlock);
  EXPECT_TRUE(tg::readCheckpointEntries(path).empty());
}

TEST_F(EntriesTest, eachFlippedBitIsRefused) {
  save();
  tg::Context fresh = model.context();
  for (size_t i = 0; i < 8 * fs::file_size(path); ++i) {
    const auto mask = static_cast<uint8_t>(1 << i % 8);
    ASSERT_TRUE(changeByte(path, i / 8, mask));
    EXPECT_NE(read(), TG_OK) << "bit " << i;
    EXPECT_EQ(visited, 0u);
    EXPECT_NE(tg_context_load_variables(fresh.handle(), path.c_str(), &error),
              TG_OK)
        << "bit " << i;
    ASSERT_TRUE(changeByte(path, i / 8, mask));
  }
  EXPECT_EQ(read(), TG_OK) << error.message;
  EXPECT_EQ(visited, 3u);
}

TEST_F(EntriesTest, eachTruncationIsRefused) {
  save();
  Bytes longer = readFile(path);
  while (const uint64_t size = fs::file_size(path)) {
    fs::resize_file(path, size - 1);
    EXPECT_NE(read(), TG_OK) << size;
  }
  longer.push_back(0);
  EXPECT_EQ(readBytes(longer), TG_ERROR_CORRUPT);
  EXPECT_EQ(visited, 0u);
}

TEST_F(EntriesTest, areTexts) {
  EXPECT_EQ(saveInC({{"a", "b"}, {"a", "c"}}), TG_ERROR_FORMAT);
  EXPECT_STREQ(error.message, "two entries have the key 'a'");
  for (const char *key : {"", "format", "tg.", "tg.model", "\xff"})
    EXPECT_EQ(saveInC({{key, "b"}}), TG_ERROR_FORMAT) << key;
  EXPECT_EQ(saveInC({{"a", "\xff"}}), TG_ERROR_FORMAT);
  EXPECT_EQ(saveInC({{"a", "\xc3"}}), TG_ERROR_FORMAT);
  EXPECT_EQ(saveInC({{"a", nullptr}}), TG_ERROR_NULL);
  EXPECT_EQ(saveInC({{nullptr, "a"}}), TG_ERROR_NULL);
  const std::string large(33u << 20, 'x');
  EXPECT_EQ(saveInC({{"a", large.c_str()}}), TG_ERROR_SIZE);
  EXPECT_EQ(saveInC(std::vector<tg_entry_t>(65537, {"a", "b"})), TG_ERROR_SIZE);
  entries["zero"] = std::string("a\0b", 3);
  EXPECT_EQ(thrownBy([&] { save(); }), TG_ERROR_FORMAT);
  EXPECT_EQ(filesInDirectory(), 0u);
}

TEST_F(EntriesTest, belongToABlockOfTheModel) {
  const auto saveBlock = [&](const tg::Model &other, uint64_t bytes) {
    return tg_module_save_block(other.handle(), block.data(), bytes, nullptr, 0,
                                path.c_str(), &error);
  };
  EXPECT_EQ(saveBlock(model, block.size() - 1), TG_ERROR_SIZE);
  EXPECT_EQ(saveBlock(model, 0), TG_ERROR_SIZE);
  EXPECT_EQ(saveBlock(tg::Model::load(otherPath), block.size()), TG_ERROR_SLAB);
  EXPECT_EQ(tg_module_save_block(model.handle(), nullptr, block.size(), nullptr,
                                 0, path.c_str(), &error),
            TG_ERROR_NULL);
  EXPECT_EQ(tg_module_save_block(model.handle(), block.data(), block.size(),
                                 nullptr, 1, path.c_str(), &error),
            TG_ERROR_NULL);
  EXPECT_EQ(tg_module_save_block(nullptr, block.data(), block.size(), nullptr,
                                 0, path.c_str(), &error),
            TG_ERROR_NULL);
  EXPECT_EQ(filesInDirectory(), 0u);
}

TEST_F(EntriesTest, areReadFromWholeFilesOnly) {
  EXPECT_EQ(read(), TG_ERROR_IO); // missing
  EXPECT_EQ(tg_checkpoint_read(nullptr, nullptr, nullptr, &error),
            TG_ERROR_NULL);
  EXPECT_EQ(readBytes({}), TG_ERROR_FORMAT);
  const std::string header = "{\"__metadata__\":{\"a\":\"b\"}}      ";
  Bytes foreign(8 + header.size());
  const uint64_t length = header.size();
  std::memcpy(foreign.data(), &length, 8);
  std::memcpy(foreign.data() + 8, header.data(), length);
  EXPECT_EQ(readBytes(foreign), TG_ERROR_FORMAT);
  EXPECT_NE(std::strstr(error.message, "has no hash of its header"), nullptr);
  fs::remove(path);
  fs::create_directory(path);
  EXPECT_EQ(read(), TG_ERROR_IO);
  fs::remove(path);
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(read(), TG_ERROR_IO); // and does not hang
}

TEST_F(EntriesTest, areCheckedWithoutVisitor) {
  save();
  EXPECT_EQ(tg_checkpoint_read(path.c_str(), nullptr, nullptr, &error), TG_OK);
  EXPECT_EQ(thrownBy([&] { tg::readCheckpointEntries(path + "x"); }),
            TG_ERROR_IO);
}
