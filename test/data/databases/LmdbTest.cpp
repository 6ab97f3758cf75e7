//===- LmdbTest.cpp - LMDB files written by liblmdb, and damaged ones -----===//
#include "tg/data/lmdb.hpp"
#include "test/data/Files.h"
#include "tg/data/pipeline.hpp"

#include <cstring>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <lmdb.h>
#include <map>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace tg::data;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {
using Values = std::map<std::string, std::string>;

class Lmdb : public FilesTest {
protected:
  /// Writes a database with the flags of mdb_dbi_open().
  std::string writeLmdb(const std::string &name, const Values &values,
                        const char *database = nullptr,
                        unsigned flags = 0) const {
    MDB_env *env = nullptr;
    EXPECT_EQ(mdb_env_create(&env), 0);
    mdb_env_set_mapsize(env, 64 << 20);
    mdb_env_set_maxdbs(env, 4);
    EXPECT_EQ(mdb_env_open(env, path(name).c_str(),
                           MDB_NOSUBDIR | MDB_NOLOCK | MDB_NOSYNC, 0644),
              0);
    MDB_txn *txn = nullptr;
    EXPECT_EQ(mdb_txn_begin(env, nullptr, 0, &txn), 0);
    MDB_dbi dbi = 0;
    EXPECT_EQ(mdb_dbi_open(txn, database, MDB_CREATE | flags, &dbi), 0);
    for (const auto &[key, value] : values) {
      MDB_val k{key.size(), const_cast<char *>(key.data())};
      MDB_val v{value.size(), const_cast<char *>(value.data())};
      EXPECT_EQ(mdb_put(txn, dbi, &k, &v, 0), 0);
    }
    EXPECT_EQ(mdb_txn_commit(txn), 0);
    mdb_env_close(env);
    return path(name);
  }
};
} // namespace

static std::string textOf(const Feature &feature) {
  return {reinterpret_cast<const char *>(feature.data()), feature.byteCount()};
}

static Values allOf(const std::string &path) {
  const LmdbSource source(path);
  Values all;
  for (uint64_t i = 0; i < source.size(); ++i)
    all.emplace(source.key(i), textOf(source.read(i)[0]));
  return all;
}

static std::string contentsOf(const std::string &path) {
  std::ostringstream contents;
  contents << std::ifstream(path, std::ios::binary).rdbuf();
  return contents.str();
}

/// Values of all sizes: in pages of keys, and in pages of their own.
static Values manyValues(int count) {
  Values values;
  for (int i = 0; i < count; ++i) {
    char key[16];
    std::snprintf(key, sizeof(key), "%08d", i);
    const size_t size =
        i % 7 == 0 ? 3000 + size_t(i) * 37 % 9000 : size_t(i) * 13 % 200;
    values[key] = std::string(size, static_cast<char>('a' + i % 26));
  }
  return values;
}

TEST_F(Lmdb, ReadsValuesInTheOrderOfTheirKeys) {
  const Values small = {{"b", "2"}, {"a", "1"}, {"c", ""}};
  EXPECT_EQ(allOf(writeLmdb("small.lmdb", small)), small);
  const Values none;
  EXPECT_EQ(allOf(writeLmdb("none.lmdb", none)), none);
  // A tree of three levels, with pages that were used before.
  Values many = manyValues(3000);
  for (int i = 0; i < 3000; ++i)
    many["long " + std::string(200, 'k') + std::to_string(i)] = "v";
  writeLmdb("many.lmdb", many);
  for (auto &[key, value] : many)
    value += "again";
  EXPECT_EQ(allOf(writeLmdb("many.lmdb", many)), many);
  const LmdbSource source(path("many.lmdb"));
  uint64_t index = 0;
  for (const auto &[key, value] : many)
    if (index++ % 500 == 3)
      EXPECT_EQ(source.key(index - 1), key);
  EXPECT_THAT(errorOf([&] { source.read(many.size()); }),
              HasSubstr("expected a record less than"));
}

TEST_F(Lmdb, SkipsTheKeysOfTensorpack) {
  Values values = manyValues(400);
  values["__keys__"] = "list";
  const LmdbSource source(writeLmdb("a.lmdb", values));
  EXPECT_EQ(source.size(), 400u);
  // "__keys__" follows the numbers; names follow it.
  const LmdbSource other(
      writeLmdb("b.lmdb", {{"__keys__", "list"}, {"A", "1"}, {"z", "2"}}));
  EXPECT_EQ(other.key(0), "A");
  EXPECT_EQ(textOf(other.read(1)[0]), "2");
  EXPECT_EQ(other.place(1), path("b.lmdb") + ":1");
  EXPECT_THAT(other.location(1), HasSubstr("b.lmdb: record 1 at byte "));
}

TEST_F(Lmdb, DirectoriesContainDataMdb) {
  std::filesystem::create_directories(path("train_lmdb"));
  writeLmdb("train_lmdb/data.mdb", {{"a", "1"}});
  const Dataset data = openSource(path("train_lmdb"));
  EXPECT_EQ(textOf(data.read(0, 0).features[0]), "1");
  EXPECT_EQ(data.type()[0].name, "value");
  std::filesystem::rename(path("train_lmdb"), path("other"));
  EXPECT_EQ(textOf(openSource(path("other")).read(0, 0).features[0]), "1");
}

TEST_F(Lmdb, RefusesOtherDatabases) {
  EXPECT_THAT(
      errorOf([&] { allOf(writeLmdb("named", {{"a", "1"}}, "train")); }),
      HasSubstr("expected values of keys, found the database 'train'"));
  EXPECT_THAT(errorOf([&] {
                allOf(writeLmdb("several", {{"a", "1"}}, nullptr, MDB_DUPSORT));
              }),
              HasSubstr("expected one value of each key"));
  EXPECT_THAT(errorOf([&] { allOf(write("other", std::string(9000, 'x'))); }),
              HasSubstr("other: expected an LMDB database of version 1 at byte "
                        "0, found another file"));
  EXPECT_THAT(errorOf([&] { allOf(path("missing")); }), HasSubstr("missing"));
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_THAT(errorOf([&] { allOf(path("pipe")); }), HasSubstr("pipe"));
}

/// A file that is cut gives all of its records, if only free pages are missing,
/// or an error.
TEST_F(Lmdb, CutFilesAreRefused) {
  const Values values = manyValues(40);
  const std::string bytes = contentsOf(writeLmdb("a.lmdb", values));
  size_t refused = 0;
  for (size_t size = 0; size < bytes.size();
       size += size % 4096 < 160 ? 7 : 331) {
    const std::string cut = write("cut.lmdb", bytes.substr(0, size));
    Values found;
    const std::string error = errorOf([&] { found = allOf(cut); });
    if (error == "no error")
      EXPECT_EQ(found, values) << size;
    else
      ++refused;
  }
  EXPECT_GT(refused, 100u);
}

TEST_F(Lmdb, ChangedBitsGiveNoFault) {
  const std::string bytes = contentsOf(writeLmdb("a.lmdb", manyValues(12)));
  const std::string file = path("changed.lmdb");
  for (size_t byte = 0; byte < bytes.size();
       byte += byte % 4096 < 160 ? 1 : 311) {
    std::string changed = bytes;
    changed[byte] ^= static_cast<char>(1 << byte % 8);
    write("changed.lmdb", changed);
    errorOf([&] { allOf(file); });
  }
}

/// Stores a number in a copy of a file.
template <typename T>
static std::string with(std::string bytes, size_t at, T number) {
  std::memcpy(bytes.data() + at, &number, sizeof(number));
  return bytes;
}

TEST_F(Lmdb, HostileTreesEnd) {
  const std::string bytes = contentsOf(writeLmdb("a.lmdb", manyValues(2000)));
  // The begin of the newer transaction, and the fields of its main database.
  uint64_t first, second;
  std::memcpy(&first, bytes.data() + 16 + 128, 8);
  std::memcpy(&second, bytes.data() + 4096 + 16 + 128, 8);
  const size_t meta = (second > first ? 4096 : 0) + 16;
  uint64_t root;
  std::memcpy(&root, bytes.data() + meta + 112, 8);
  const auto error = [&](const std::string &changed) {
    write("b.lmdb", changed);
    return errorOf([&] { allOf(path("b.lmdb")); });
  };
  EXPECT_THAT(error(with<uint64_t>(bytes, meta + 112, 1)),
              HasSubstr("b.lmdb: expected a page less than"));
  EXPECT_THAT(error(with<uint64_t>(bytes, meta + 112, ~uint64_t(0) >> 20)),
              HasSubstr("expected a page less than"));
  EXPECT_THAT(error(with<uint64_t>(bytes, meta + 104, 5)),
              HasSubstr("expected 5 keys, found 2000"));
  EXPECT_THAT(error(with<uint16_t>(bytes, meta + 78, 31)),
              HasSubstr("expected a tree of depth 31"));
  EXPECT_THAT(error(with<uint16_t>(bytes, meta + 78, 33)),
              HasSubstr("expected a tree of pages that the file can contain"));
  EXPECT_THAT(error(with<uint32_t>(bytes, 16 + 24, 1 << 20)),
              HasSubstr("expected pages of a power of two"));
  // The first key of the root leads to the root.
  uint16_t node;
  std::memcpy(&node, bytes.data() + root * 4096 + 16, 2);
  EXPECT_THAT(error(with<uint32_t>(bytes, root * 4096 + node,
                                   static_cast<uint32_t>(root))),
              HasSubstr("expected a tree of depth"));
  EXPECT_THAT(error(with<uint16_t>(bytes, root * 4096 + 16, 4095)),
              HasSubstr("expected key 0 in the page, found byte 4095"));
}

TEST_F(Lmdb, FilesThatChangeAreRefused) {
  const std::string file = writeLmdb("a.lmdb", manyValues(10));
  const LmdbSource source(file);
  struct timespec times[2] = {{1, 0}, {1, 0}};
  ASSERT_EQ(::utimensat(AT_FDCWD, file.c_str(), times, 0), 0);
  EXPECT_THAT(errorOf([&] { source.read(1); }),
              HasSubstr("expected the file as it was when the data set was "
                        "made"));
  ASSERT_EQ(::truncate(file.c_str(), 5000), 0);
  EXPECT_THAT(errorOf([&] { source.read(1); }),
              HasSubstr("a.lmdb: record 1 at byte"));
}

//===----------------------------------------------------------------------===//
// Values as features
//===----------------------------------------------------------------------===//

TEST_F(Lmdb, ValuesAreExamples) {
  const ExampleValue name{"name", ExampleKind::bytes, 1, {}, {"first"}};
  writeLmdb("a.lmdb", {{"0", writeExample({name})}, {"1", "no example"}});
  const Dataset data = openSource(path("a.lmdb"));
  EXPECT_EQ(textOf(data.read(0, 0).features[0]), "first");
  EXPECT_THAT(errorOf([&] { data.read(0, 1); }),
              HasSubstr("a.lmdb: record 1 at byte "));
}

TEST_F(Lmdb, ValuesAreRawBytes) {
  writeLmdb("a.lmdb", {{"0", std::string("\1\0\0\0abc", 7)},
                       {"1", std::string("\2\0\0", 3)}});
  const auto open = [&](const std::string &features) {
    return openDescription(R"({"files": "a.lmdb", "values": "raw",
                               "features": )" +
                               features + "}",
                           directory);
  };
  const Dataset data = open(R"({"n": {"type": "i32", "raw": true},
                                "text": {"type": "bytes"}})");
  const std::vector<Feature> first = data.read(0, 0).features;
  EXPECT_EQ(first[0].values<int32_t>()[0], 1);
  EXPECT_EQ(textOf(first[1]), "abc");
  EXPECT_THAT(errorOf([&] { data.read(0, 1); }),
              HasSubstr("expected a value of at least 4 bytes, found 3"));
  EXPECT_THAT(errorOf([&] {
                open(R"({"n": {"type": "i32", "raw": true}})").read(0, 0);
              }),
              HasSubstr("expected a value of 4 bytes, found 7"));
  EXPECT_EQ(errorOf([&] { open(R"({"n": {"type": "i32"}})"); }),
            "features.n: expected \"raw\": true, bytes or an image in raw "
            "values, found numbers");
}

/// The value of Caffe for an image [3, 1, 2] with the label 300.
static std::string datum(const std::string &more = "") {
  return std::string("\x08\x03\x10\x01\x18\x02\x22\x06"
                     "abcdef\x28\xac\x02",
                     17) +
         more;
}

TEST_F(Lmdb, ValuesAreDatums) {
  const auto error = [&](const std::string &value, const std::string &image,
                         const std::string &label = "i32") {
    std::filesystem::remove(path("a.lmdb"));
    writeLmdb("a.lmdb", {{"0", value}});
    return errorOf([&] {
      const Dataset data = openDescription(
          R"({"files": "a.lmdb", "values": "datum", "features": {"image": )" +
              image + R"(, "label": {"type": ")" + label + R"("}}})",
          directory);
      const std::vector<Feature> all = data.read(0, 0).features;
      EXPECT_EQ(textOf(all[0]), "abcdef");
      EXPECT_EQ(all[1].values<int32_t>()[0], 300);
    });
  };
  const std::string image = R"({"type": "u8", "shape": [3, 1, 2]})";
  EXPECT_EQ(error(datum(), image), "no error");
  EXPECT_THAT(error(datum(), R"({"type": "u8", "shape": [1, 3, 2]})"),
              HasSubstr("feature 'image': expected elements of ui8 [3, 1, 2], "
                        "as the value says, found ui8 [1, 3, 2]"));
  EXPECT_THAT(error(datum("\x38\x01"), image),
              HasSubstr("expected elements, found an encoded image"));
  EXPECT_THAT(error(datum(), R"({"type": "png"})"),
              HasSubstr("expected an encoded image, found elements"));
  EXPECT_THAT(error(datum(), image, "i8"),
              HasSubstr("feature 'label': expected a label of i8, found 300"));
  EXPECT_THAT(error(datum("\x32\x03xyz"), image),
              HasSubstr("expected floats of 4 bytes, found 3 bytes"));
  EXPECT_THAT(error(datum().substr(0, 10), image),
              HasSubstr("a.lmdb: record 0 at byte"));
}

TEST_F(Lmdb, WrongDescriptions) {
  writeLmdb("a.lmdb", {{"0", "x"}});
  EXPECT_THAT(errorOf([&] {
                openDescription(R"({"files": "a.lmdb", "values": "pickle",
                                    "features": {"n": {"type": "f32"}}})",
                                directory);
              }),
              HasSubstr("values: expected one of example, raw, datum"));
}
