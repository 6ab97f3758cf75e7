/// TFRecord files: reading, writing, checksums and indices.
#include "RecordFiles.h"

#include "runtime/data/records/Crc32c.h"

using namespace tg::data;

namespace {
class RecordsTest : public RecordFilesTest {};

/// "abc" and an empty record, computed by a program that shares no code.
const std::string twoRecords("\x03\0\0\0\0\0\0\0\xb0\x99\x49\x0e"
                             "abc"
                             "\x6e\x57\xf1\x21"
                             "\0\0\0\0\0\0\0\0\x29\x03\x98\x07"
                             "\xd8\xea\x82\xa2",
                             35);
} // namespace

TEST(Crc32cTest, matchesPublishedValues) {
  // RFC 3720, B.4.
  std::string up, down;
  for (char i = 0; i < 32; ++i) {
    up += i;
    down += static_cast<char>(31 - i);
  }
  EXPECT_EQ(crc32c(std::string(32, '\0').data(), 32), 0x8a9136aau);
  EXPECT_EQ(crc32c(std::string(32, '\xff').data(), 32), 0x62a8ab43u);
  EXPECT_EQ(crc32c(up.data(), 32), 0x46dd794eu);
  EXPECT_EQ(crc32c(down.data(), 32), 0x113fdb5cu);
  EXPECT_EQ(crc32c("123456789", 9), 0xe3069283u);
  EXPECT_EQ(crc32c("", 0), 0u);
  EXPECT_EQ(crc32c("56789", 5, crc32c("1234", 4)), 0xe3069283u);
}

TEST(Crc32cTest, matchesItsDefinition) {
  std::string bytes;
  uint32_t crc = ~0u;
  for (int i = 0; i < 600; ++i) {
    EXPECT_EQ(crc32c(bytes.data(), bytes.size()), ~crc) << i;
    bytes += static_cast<char>(i * i * 31 + i / 3);
    crc ^= static_cast<unsigned char>(bytes.back());
    for (int bit = 0; bit < 8; ++bit)
      crc = (crc >> 1) ^ (crc & 1 ? 0x82f63b78 : 0);
  }
}

TEST_F(RecordsTest, matchesBytesWrittenByHand) {
  EXPECT_EQ(bytesOf(writeRecords("a", {"abc", ""})), twoRecords);
  const TFRecordSource source({write("b", twoRecords)});
  EXPECT_EQ(readAll(source), (std::vector<std::string>{"abc", ""}));
  EXPECT_EQ(source.type()[0].name, "record");
}

TEST_F(RecordsTest, readsSeveralFiles) {
  const TFRecordSource source({writeRecords("a", {"one", "two"}),
                               writeRecords("none", {}),
                               writeRecords("b", {"three"})});
  ASSERT_EQ(source.size(), 3u);
  EXPECT_EQ(readAll(source), (std::vector<std::string>{"one", "two", "three"}));
  EXPECT_EQ(source.place(1), path("a:1"));
  EXPECT_EQ(source.place(2), path("b:0"));
  EXPECT_EQ(source.location(1), path("a: record 1 at byte 19"));
  EXPECT_EQ(source.offset(1), 19u);
  EXPECT_EQ(errorOf([&] { source.read(3); }),
            "expected a record less than 3, found 3");
  EXPECT_EQ(TFRecordSource(std::vector<std::string>()).size(), 0u);
}

TEST_F(RecordsTest, readsMoreFilesThanStayOpen) {
  std::vector<std::string> files, records;
  const std::string even = bytesOf(writeRecords("even", {"even"}));
  const std::string odd = bytesOf(writeRecords("odd", {"odd"}));
  for (int i = 0; i < 200; ++i) {
    records.push_back(i % 2 ? "odd" : "even");
    files.push_back(write(std::to_string(i), i % 2 ? odd : even));
  }
  const TFRecordSource source(files, {.keepsIndex = false});
  EXPECT_EQ(readAll(source), records);
  write("7", even);
  EXPECT_EQ(errorOf([&] { source.read(7); }),
            "7: record 0 at byte 0: expected the file as it was when the data "
            "set was made, found another or a changed one");
}

TEST_F(RecordsTest, readsRecordsOfAllSizes) {
  // Sizes around those of buffers, and short records after long ones.
  std::vector<std::string> records;
  for (size_t size : {0, 1, 262131, 262132, 262133, 262144, 262145, 5, 300000,
                      2000000, 16384, 16383, 7})
    records.push_back(std::string(size, static_cast<char>('a' + size % 26)));
  for (int i = 0; i < 3000; ++i)
    records.push_back(std::to_string(i));
  for (Compression kind :
       {Compression::none, Compression::gzip, Compression::zlib}) {
    const std::string file = writeRecords("a", records, kind);
    EXPECT_EQ(compressionOf(file), kind);
    EXPECT_EQ(verifyTFRecords(file), records.size());
    EXPECT_EQ(readAll(TFRecordStream({file})), records);
  }
  const TFRecordSource source({writeRecords("a", records)});
  EXPECT_EQ(readAll(source), records);
}

TEST_F(RecordsTest, skipsRecordsOfStreams) {
  const TFRecordStream stream(
      {writeRecords("a", {"0", "1"}),
       writeRecords("b", {"2", "3"}, Compression::gzip)});
  std::vector<Feature> features;
  const auto reader = stream.open(0);
  reader->skip(3);
  ASSERT_TRUE(reader->next(features));
  EXPECT_EQ(text(features[0]), "3");
  EXPECT_FALSE(reader->next(features));
  EXPECT_EQ(stream.place(3), "record 3");
  EXPECT_EQ(stream.location(3), "record 3");
  EXPECT_EQ(TFRecordStream({"a"}).place(3), "a:3");
  EXPECT_EQ(TFRecordStream({"a"}).location(3), "a: record 3");
}

TEST_F(RecordsTest, usesTheIndexOfTheFileAlone) {
  const std::vector<std::string> records = {"zero", "one", "two"};
  const std::string file = writeRecords("a", records);
  const std::string index = file + ".tgindex";
  EXPECT_EQ(readAll(TFRecordSource({file})), records);
  const std::string valid = bytesOf(index);
  EXPECT_EQ(valid.size(), 48 + 3 * 4 + 4u);
  EXPECT_EQ(readAll(TFRecordSource({file})), records);
  EXPECT_EQ(bytesOf(index), valid);
  // A wrong index is ignored and written again.
  for (size_t at = 0; at < valid.size(); at += 3) {
    std::string wrong = valid;
    wrong[at] = static_cast<char>(wrong[at] ^ 1);
    write("a.tgindex", at % 2 ? wrong : valid.substr(0, at));
    EXPECT_EQ(readAll(TFRecordSource({file})), records) << at;
    EXPECT_EQ(bytesOf(index), valid) << at;
  }
  // An index of a former file at the path.
  writeRecords("a", {"x", "y"});
  EXPECT_EQ(readAll(TFRecordSource({file})),
            (std::vector<std::string>{"x", "y"}));
  EXPECT_NE(bytesOf(index), valid);
}

TEST_F(RecordsTest, needsNoIndexFile) {
  const std::string file = writeRecords("a", {"abc"});
  std::filesystem::create_directory(file + ".tgindex"); // cannot be replaced
  EXPECT_EQ(readAll(TFRecordSource({file})), std::vector<std::string>{"abc"});
  const std::string other = writeRecords("b", {"abc"});
  EXPECT_EQ(TFRecordSource({other}, {.keepsIndex = false}).size(), 1u);
  EXPECT_FALSE(std::filesystem::exists(other + ".tgindex"));
}

TEST_F(RecordsTest, findsEveryRecordOfALongFile) {
  std::vector<std::string> records;
  for (size_t i = 0; i < 5000; ++i)
    records.push_back(std::string(i * 7919 % 997, 'x'));
  const std::string file = writeRecords("a", records);
  for (int pass = 0; pass < 2; ++pass) { // scanned, then from the index file
    const TFRecordSource source({file});
    ASSERT_EQ(source.size(), records.size());
    uint64_t offset = 0;
    for (size_t i = 0; i < records.size(); ++i) {
      ASSERT_EQ(source.offset(i), offset);
      offset += 16 + records[i].size();
    }
    for (size_t i = records.size(); i-- > 0;)
      ASSERT_EQ(text(source.read(i)[0]), records[i]);
  }
}

TEST_F(RecordsTest, replacesAFileWhenItIsClosed) {
  const std::string file = writeRecords("a", {"old"});
  const std::string old = bytesOf(file);
  {
    TFRecordWriter writer(file);
    writer.write("new");
    EXPECT_EQ(bytesOf(file), old);
  } // not closed
  EXPECT_EQ(bytesOf(file), old);
  TFRecordWriter writer(file);
  writer.write("new");
  writer.close();
  writer.close();
  EXPECT_EQ(readAll(TFRecordStream({file})), std::vector<std::string>{"new"});
  EXPECT_EQ(errorOf([&] { writer.write("more"); }),
            "'a': expected no record after the file was closed, found one");
  EXPECT_NE(errorOf([&] { TFRecordWriter(path("none/a")); }), "");
  const auto entries = std::filesystem::directory_iterator(directory);
  EXPECT_EQ(std::distance(begin(entries), end(entries)), 1);
}
