/// Hostile, truncated and changing TFRecord files.
#include "RecordFiles.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <zlib.h>

using namespace tg::data;

namespace {
class BadRecordsTest : public RecordFilesTest {
protected:
  const std::vector<std::string> three = {"first", "", "the third record"};
};
} // namespace

TEST_F(BadRecordsTest, readsAnEmptyFile) {
  const std::string file = write("a", "");
  EXPECT_EQ(verifyTFRecords(file), 0u);
  EXPECT_EQ(TFRecordSource({file}).size(), 0u);
  EXPECT_TRUE(readAll(TFRecordStream({file})).empty());
}

TEST_F(BadRecordsTest, refusesFilesCutAtEachByte) {
  const std::string whole = bytesOf(writeRecords("whole", three));
  for (size_t size = 1; size < whole.size(); ++size) {
    const std::string file = write("a", whole.substr(0, size));
    if (size == 21 || size == 37) { // between records
      EXPECT_EQ(verifyTFRecords(file), size == 21 ? 1u : 2u);
      continue;
    }
    const std::string number = size < 21   ? "0 at byte 0"
                               : size < 37 ? "1 at byte 21"
                                           : "2 at byte 37";
    EXPECT_EQ(refusal(file).find("a: record " + number + ": expected "), 0u)
        << size << ": " << refusal(file);
  }
}

TEST_F(BadRecordsTest, refusesEachChangedByte) {
  const std::string whole = bytesOf(writeRecords("whole", three));
  for (size_t at = 0; at < whole.size(); ++at)
    for (int change : {1, 0x80, 0xff}) {
      std::string changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ change);
      const std::string number = at < 21   ? "0 at byte 0"
                                 : at < 37 ? "1 at byte 21"
                                           : "2 at byte 37";
      EXPECT_EQ(refusal(write("a", changed)).find("a: record " + number), 0u);
    }
}

TEST_F(BadRecordsTest, readsRecordsBesideAChangedOne) {
  std::string bytes = bytesOf(writeRecords("whole", three));
  bytes[12] ^= 1;
  const TFRecordSource source({write("a", bytes)});
  EXPECT_EQ(errorOf([&] { source.read(0); }),
            "a: record 0 at byte 0: expected the checksum 407c4f37 of the "
            "data, found e523ff55");
  EXPECT_EQ(text(source.read(2)[0]), three[2]);
}

/// The largest memory that this process has used, in KiB.
static long peakMemory() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

TEST_F(BadRecordsTest, continuesAfterErrors) {
  const std::string whole = bytesOf(writeRecords("whole", three));
  std::string data = whole, length = whole;
  data[12] ^= 1;
  length[21] ^= 1;
  const std::vector<std::string> files = {write("a", data), write("b", length),
                                          path("none"), write("c", whole)};
  const auto reader = TFRecordStream(files).open(0);
  std::string events;
  for (bool more = true; more;) {
    std::vector<Feature> features;
    const std::string error = errorOf([&] { more = reader->next(features); });
    events += error.empty() ? features.empty() ? "end" : text(features[0]) + ","
                            : error.substr(0, error.find(" at ")) + ",";
  }
  EXPECT_EQ(events,
            "a: record 0,,the third record,first,b: record 1,'none': cannot "
            "open: No such file or directory,first,,the third record,end");
  std::vector<Feature> features;
  EXPECT_FALSE(reader->next(features));
  // A record with wrong data counts, and is not looked at.
  const auto second = TFRecordStream({files[0]}).open(0);
  second->skip(2);
  ASSERT_TRUE(second->next(features));
  EXPECT_EQ(text(features[0]), three[2]);
  EXPECT_NE(errorOf([&] { TFRecordStream({files[1]}).open(0)->skip(3); }), "");
  // A record beyond the limit is skipped, too.
  const auto limited =
      TFRecordStream({path("c")}, {.maxRecordBytes = 4}).open(0);
  EXPECT_EQ(errorOf([&] { limited->next(features); }),
            "c: record 0 at byte 0: expected at most 4 bytes, the limit of the "
            "reader, found 5");
  ASSERT_TRUE(limited->next(features));
  EXPECT_EQ(text(features[0]), "");
}

TEST_F(BadRecordsTest, refusesHugeLengthsWithoutMemory) {
  // The checksums are right: a hostile file can contain them.
  const std::vector<std::string> headers = {
      std::string("\0\0\0\0\0\0\0\x80\x95\x08\x67\xb6", 12), // 2^63
      std::string(8, '\xff') + "\xa6\x7b\x11\x3a",           // 2^64 - 1
      "\xfb" + std::string(7, '\xff') + "\xcd\xbd\xd7\x35"}; // 2^64 - 5
  const long before = peakMemory();
  for (const std::string &header : headers)
    for (size_t rest : {0, 3, 4, 40}) {
      const std::string message =
          refusal(write("a", header + std::string(rest, 'x')));
      EXPECT_NE(message.find(" bytes and a checksum after the length, found " +
                             std::to_string(rest) +
                             " bytes to the end of the file"),
                std::string::npos)
          << message;
    }
  EXPECT_LT(peakMemory() - before, 64 << 10);
}

TEST_F(BadRecordsTest, limitsTheMemoryOfRecords) {
  // 300 MiB: more than the limit. The file is sparse.
  const std::string file = write(
      "a", std::string("\x00\x00\xc0\x12\x00\x00\x00\x00\x21\xad\xfb\x62", 12));
  std::filesystem::resize_file(file, (300 << 20) + 16);
  const long before = peakMemory();
  const std::string message =
      "a: record 0 at byte 0: expected at most 268435456 bytes, the limit of "
      "the reader, found 314572800";
  EXPECT_EQ(errorOf([&] { TFRecordSource({file}).read(0); }), message);
  EXPECT_EQ(errorOf([&] { readAll(TFRecordStream({file})); }), message);
  EXPECT_LT(peakMemory() - before, 64 << 10);
}

TEST_F(BadRecordsTest, refusesCompressedFilesAtRandom) {
  for (Compression kind : {Compression::gzip, Compression::zlib}) {
    const std::string file = writeRecords("a", three, kind);
    EXPECT_NE(errorOf([&] {
                TFRecordSource({file});
              }).find(", as in a compressed file"),
              std::string::npos);
  }
}

TEST_F(BadRecordsTest, refusesCompressedFilesCutAtEachByte) {
  for (Compression kind : {Compression::gzip, Compression::zlib}) {
    const std::string whole = bytesOf(writeRecords("whole", three, kind));
    for (size_t size = 1; size < whole.size(); ++size)
      EXPECT_EQ(refusal(write("a", whole.substr(0, size))).find("a: record "),
                0u);
  }
}

TEST_F(BadRecordsTest, refusesChangedBytesOfCompressedFiles) {
  const std::string whole =
      bytesOf(writeRecords("whole", three, Compression::gzip));
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 4);
    const std::string file = write("a", changed);
    // The header has bytes without meaning: time, level and system.
    if (at >= 4 && at < 10)
      EXPECT_EQ(readAll(TFRecordStream({file})), three);
    else
      EXPECT_EQ(refusal(file).find("a: record "), 0u) << at;
  }
}

TEST_F(BadRecordsTest, readsMembersOfGzipFiles) {
  const std::string one = bytesOf(writeRecords("a", {"1"}, Compression::gzip));
  const std::string two = bytesOf(writeRecords("b", {"2"}, Compression::gzip));
  EXPECT_EQ(readAll(TFRecordStream({write("c", one + two)})),
            (std::vector<std::string>{"1", "2"}));
  const std::string file = write("c", one + "junk");
  EXPECT_EQ(errorOf([&] { readAll(TFRecordStream({file})); }),
            "c: record 1 at byte 17: expected valid compressed data, found an "
            "error: incorrect header check");
}

TEST_F(BadRecordsTest, readsLengthsOfCompressedFilesWithoutMemory) {
  // A record of 200 MiB, of which few bytes exist.
  const std::string record("\x00\x00\x80\x0c\x00\x00\x00\x00\xdd\x54\x7e\x03",
                           12);
  const std::string file = path("a");
  const std::string bytes = record + std::string(1000, 'x');
  gzFile output = gzopen(file.c_str(), "wb");
  gzwrite(output, bytes.data(), static_cast<unsigned>(bytes.size()));
  ASSERT_EQ(gzclose(output), Z_OK);
  const long before = peakMemory();
  EXPECT_EQ(errorOf([&] { readAll(TFRecordStream({file})); }),
            "a: record 0 at byte 0: expected 209715200 bytes and a checksum "
            "after the length, found the end of the file");
  EXPECT_LT(peakMemory() - before, 64 << 10);
}

TEST_F(BadRecordsTest, refusesWhatIsNoFile) {
  EXPECT_EQ(refusal(directory.string()),
            "'" + directory.string() + "' is not a regular file");
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_NE(refusal(path("pipe")).find("is not a regular file"),
            std::string::npos);
  EXPECT_NE(refusal(path("none")).find("No such file"), std::string::npos);
  EXPECT_NE(refusal("/dev/zero").find("is not a regular file"),
            std::string::npos);
}

TEST_F(BadRecordsTest, noticesFilesThatChange) {
  const std::string file = writeRecords("a", three);
  const std::string whole = bytesOf(file);
  const TFRecordSource source({file}, {.keepsIndex = false});
  const auto stream = TFRecordStream({file}).open(0);
  std::vector<Feature> features;
  ASSERT_TRUE(stream->next(features));
  // The reader ignores appended records.
  std::ofstream(file, std::ios::app) << whole;
  EXPECT_EQ(source.size(), 3u);
  EXPECT_EQ(readAll(source), three);
  std::filesystem::resize_file(file, 40);
  EXPECT_EQ(text(source.read(1)[0]), "");
  EXPECT_EQ(errorOf([&] { source.read(2); }),
            "a: record 2 at byte 37: expected 69 bytes in the file, as when "
            "it was opened, found 40");
  // Other records at the same places.
  writeRecords("b", {"f", "irst", "the third record"});
  std::filesystem::resize_file(file, 0);
  std::ofstream(file) << bytesOf(path("b"));
  EXPECT_EQ(errorOf([&] { source.read(0); }),
            "a: record 0 at byte 0: expected the length 5, as when the file "
            "was opened, found 1");
}

TEST_F(BadRecordsTest, noticesStreamsThatShrink) {
  const std::string file = writeRecords("a", {"a", std::string(400000, 'b')});
  const auto stream = TFRecordStream({file}).open(0);
  std::vector<Feature> features;
  ASSERT_TRUE(stream->next(features));
  std::filesystem::resize_file(file, 300000);
  EXPECT_EQ(errorOf([&] { stream->next(features); }),
            "a: record 1 at byte 17: expected 400033 bytes in the file, as "
            "when it was opened, found 300000");
}

TEST_F(BadRecordsTest, reportsAFullDisk) {
  struct rlimit former, small;
  getrlimit(RLIMIT_FSIZE, &former);
  small = former;
  small.rlim_cur = 1 << 20;
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string message = errorOf([&] {
    TFRecordWriter writer(path("a"));
    for (int i = 0; i < 4; ++i)
      writer.write(std::string(400000, 'x'));
    writer.close();
  });
  setrlimit(RLIMIT_FSIZE, &former);
  EXPECT_NE(message.find("cannot write: File too large"), std::string::npos);
  EXPECT_TRUE(std::filesystem::is_empty(directory));
}
