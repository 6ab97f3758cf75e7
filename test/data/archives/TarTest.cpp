//===- TarTest.cpp - tar archives, and damaged ones -----------------------===//
#include "tg/data/tar.hpp"
#include "TarFiles.h"
#include "test/data/Files.h"
#include "tg/data/loader.hpp"
#include "tg/data/pipeline.hpp"

#include <algorithm>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tg::data;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {
class Tar : public FilesTest {};

constexpr tg_dtype_t i64 = {TG_DTYPE_INT, 64, 1};
constexpr tg_dtype_t f32 = {TG_DTYPE_FLOAT, 32, 1};
} // namespace

/// Three examples with a text and a class.
static std::string threeExamples() {
  std::string bytes = tarEntry("d/", "", '5');
  for (int i = 0; i < 3; ++i) {
    const std::string base = "d/000" + std::to_string(i);
    bytes += tarEntry(base + ".txt", "text " + std::to_string(i));
    bytes += tarEntry(base + ".skipped", std::string(700, 's'));
    bytes += tarEntry(base + ".CLS", " " + std::to_string(10 * i) + "\n");
  }
  return bytes + tarEntry("README", "no extension") + tarEnd();
}

static const std::vector<TarFeature> textAndClass = {
    {.name = "txt"},
    {.name = "label",
     .extensions = {"cls"},
     .format = EntryFormat::numbers,
     .dtype = i64,
     .shape = {}}};

/// Returns the text and the class of an example.
static std::string described(const Example &example) {
  const std::span<const std::byte> text = example.features[0].bytes();
  return std::string(reinterpret_cast<const char *>(text.data()), text.size()) +
         " " + std::to_string(example.features[1].values<int64_t>()[0]);
}

static std::vector<std::string> allOf(const Dataset &data) {
  Loader loader(data, {.threads = 2});
  std::vector<std::string> all;
  while (const Example *example = loader.next())
    all.push_back(described(*example));
  return all;
}

TEST_F(Tar, EntriesWithOneBaseNameAreAnExample) {
  const Dataset data = openTar({write("a.tar", threeExamples())}, textAndClass);
  EXPECT_EQ(data.size(), 3u);
  EXPECT_THAT(allOf(data), ElementsAre("text 0 0", "text 1 10", "text 2 20"));
  EXPECT_EQ(described(data.read(0, 1)), "text 1 10");
  EXPECT_EQ(data.places(0, 2)[0], path("a.tar") + ":2");
  const Dataset both =
      openTar({path("a.tar"), write("b.tar", threeExamples())}, textAndClass);
  EXPECT_EQ(both.size(), 6u);
  EXPECT_EQ(both.places(0, 4)[0], path("b.tar") + ":1");
  EXPECT_EQ(described(both.read(0, 4)), "text 1 10");
}

TEST_F(Tar, CompressedArchivesAreStreams) {
  const Dataset data =
      openTar({write("a.tar.gz", gzipped(threeExamples()))}, textAndClass);
  EXPECT_FALSE(data.hasRandomAccess());
  EXPECT_THAT(allOf(data), ElementsAre("text 0 0", "text 1 10", "text 2 20"));
  Loader loader(data, {.threads = 0}, {0, {2}});
  EXPECT_EQ(described(*loader.next()), "text 2 20");
}

TEST_F(Tar, NumbersAreTextOrNpyOrJson) {
  TarWriter writer(path("a.tar"));
  Feature points(f32, {2});
  points.values<float>()[0] = 0.5f;
  points.values<float>()[1] = -2;
  writer.write("0", {{"p", f32, {2}}}, {points});
  const auto text = [&](const std::string &name, const std::string &contents) {
    writer.write(name, std::as_bytes(std::span(contents)));
  };
  text("0.list", "1 2\t3\r\n");
  text("0.json", R"({"a": {"b": [[1, 2], [3, 4]]}, "c": 2.5, "d": true})");
  text("0.raw", std::string("\x01\x02\x03\x04", 4));
  writer.close();
  const tg_dtype_t i1 = {TG_DTYPE_BOOL, 8, 1}, i16 = {TG_DTYPE_INT, 16, 1};
  const Dataset data = openTar(
      {path("a.tar")}, {{"p", {"p.npy"}, EntryFormat::numbers, f32, {-1}},
                        {"list", {}, EntryFormat::numbers, i64, {-1}},
                        {"b", {"json"}, EntryFormat::json, i64, {2, 2}, "/a/b"},
                        {"c", {"json"}, EntryFormat::json, f32, {}, "/c"},
                        {"d", {"json"}, EntryFormat::json, i1, {}, "/d"},
                        {"raw", {}, EntryFormat::raw, i16, {2}}});
  const std::vector<Feature> all = data.read(0, 0).features;
  EXPECT_THAT(all[0].values<float>(), ElementsAre(0.5f, -2.0f));
  EXPECT_THAT(all[1].values<int64_t>(), ElementsAre(1, 2, 3));
  EXPECT_THAT(all[2].values<int64_t>(), ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(all[3].values<float>()[0], 2.5f);
  EXPECT_EQ(all[4].values<uint8_t>()[0], 1);
  EXPECT_THAT(all[5].values<int16_t>(), ElementsAre(0x201, 0x403));
  const auto wrong = [&](TarFeature feature) {
    return errorOf([&] { openTar({path("a.tar")}, {feature}).read(0, 0); });
  };
  EXPECT_THAT(wrong({"list", {}, EntryFormat::numbers, i64, {2}}),
              HasSubstr("a.tar: record 0 at byte 1024: feature 'list': "
                        "expected values of i64 [2], found 3"));
  EXPECT_THAT(wrong({"p", {"p.npy"}, EntryFormat::numbers, i64, {2}}),
              HasSubstr("expected an array of i64 [2], found f32 [2]"));
  EXPECT_THAT(wrong({"b", {"json"}, EntryFormat::json, i64, {}, "/c"}),
              HasSubstr("expected numbers of i64 [], found 2.5"));
  EXPECT_THAT(wrong({"b", {"json"}, EntryFormat::json, i64, {}, "/x"}),
              HasSubstr("expected a value at '/x' of the JSON text, found "
                        "none"));
  EXPECT_THAT(wrong({"b", {"list"}, EntryFormat::json, i64, {}, "/x"}),
              HasSubstr("expected a JSON text, found an error at byte"));
  EXPECT_THAT(wrong({"b", {"json"}, EntryFormat::json, i64, {}, "x"}),
              HasSubstr("expected a pointer such as /label, found 'x'"));
}

TEST_F(Tar, NumbersAsTextAreBounded) {
  const auto error = [&](const std::string &text) {
    const std::string file =
        write("a.tar.gz", gzipped(tarEntry("0.x", text) + tarEnd()));
    return errorOf([&] {
      Loader loader(
          openTar({file}, {{"x", {}, EntryFormat::numbers, i64, {-1}}}),
          {.threads = 0});
      loader.next();
    });
  };
  EXPECT_THAT(error(std::string(2000, '1')),
              HasSubstr("expected numbers of i64 [?], found '1111"));
  EXPECT_EQ(error(""), "no error");
  EXPECT_THAT(error(std::string((32 << 20) + 1, ' ')),
              HasSubstr("expected at most 33554432 bytes of numbers as text"));
}

TEST_F(Tar, JsonIsBounded) {
  const auto error = [&](const std::string &json) {
    const std::string file =
        write("a.tar", tarEntry("0.json", json) + tarEnd());
    return errorOf([&] {
      openTar({file}, {{"x", {"json"}, EntryFormat::json, i64, {-1}, ""}})
          .read(0, 0);
    });
  };
  EXPECT_EQ(error("[1, 2]"), "no error");
  EXPECT_THAT(error(std::string(100000, '[')),
              HasSubstr("expected at most 64 levels of JSON, found more"));
  EXPECT_THAT(error(std::string(2 << 20, ' ') + "1"),
              HasSubstr("expected at most 1048576 bytes of JSON"));
  EXPECT_THAT(error("[1, {}]"), HasSubstr("found object"));
}

TEST_F(Tar, WrongExamplesNameTheirPlace) {
  const auto error = [&](const std::string &bytes) {
    const std::string file = write("a.tar", bytes);
    return errorOf([&] { allOf(openTar({file}, textAndClass)); });
  };
  const std::string good = tarEntry("0.txt", "a") + tarEntry("0.cls", "1");
  EXPECT_THAT(error(good + tarEntry("1.txt", "b") + tarEnd()),
              HasSubstr("a.tar: record 1 at byte 2048: feature 'label': "
                        "expected an entry '1.cls', found none"));
  EXPECT_THAT(error(good + tarEntry("0.txt", "b") + tarEnd()),
              HasSubstr("a.tar: record 0 at byte 2048: feature 'txt': expected "
                        "one entry in an example, found .txt and .txt"));
  EXPECT_THAT(error(good + tarEntry("1.txt", "", '2') + tarEnd()),
              HasSubstr("expected a regular file in the archive, found a "
                        "link"));
  EXPECT_THAT(error(good + tarEntry("1.txt", "", '6') + tarEnd()),
              HasSubstr("found a device or pipe"));
  EXPECT_THAT(error(good + tarEnd() + good + tarEnd()),
              HasSubstr("a.tar: record 0 at byte 2048: expected nothing behind "
                        "the end of the archive, found more bytes"));
  EXPECT_THAT(error(good + std::string(2 << 20, '\0')),
              HasSubstr("found more than 1 MiB of zeros"));
  EXPECT_THAT(error("no archive"), HasSubstr("expected a tar archive, found"));
  EXPECT_THAT(error(""), HasSubstr("expected a tar archive, found"));
  EXPECT_THAT(error(tarEntry("0.txt", "a") + tarEntry("0.cls", "x") + tarEnd()),
              HasSubstr("a.tar: record 0 at byte 1024: feature 'label': "
                        "expected numbers of i64 [], found 'x'"));
  std::string wrongSum = good + tarEnd();
  wrongSum[1024] = 'z'; // a name, whose header has a checksum
  EXPECT_THAT(error(wrongSum), HasSubstr("a.tar: record 0 at byte 1024"));
}

TEST_F(Tar, AStreamContinuesAfterWrongExamples) {
  const std::string bytes = tarEntry("0.txt", "a") + tarEntry("0.cls", "x") +
                            tarEntry("1.txt", "b") + tarEntry("2.txt", "c") +
                            tarEntry("2.cls", "2") + tarEnd();
  const Dataset data =
      openTar({write("a.tar.gz", gzipped(bytes))}, textAndClass);
  Loader loader(data, {.threads = 0});
  EXPECT_THROW(loader.next(), DataError);
  EXPECT_THROW(loader.next(), DataError);
  EXPECT_EQ(described(*loader.next()), "c 2");
  EXPECT_EQ(loader.next(), nullptr);
  Loader resumed(data, {.threads = 0}, {0, {1}});
  EXPECT_THROW(resumed.next(), DataError);
  EXPECT_EQ(described(*resumed.next()), "c 2");
}

TEST_F(Tar, CutAtAnyByteIsRefused) {
  const std::string bytes = threeExamples();
  const std::string packed = gzipped(bytes);
  for (size_t size = 0; size < bytes.size();
       size += size % 512 < 500 ? 37 : 1) {
    const std::string file = write("a.tar", bytes.substr(0, size));
    EXPECT_NE(errorOf([&] { allOf(openTar({file}, textAndClass)); }),
              "no error")
        << size;
  }
  for (size_t size = 0; size < packed.size(); ++size) {
    const std::string file = write("a.tar.gz", packed.substr(0, size));
    EXPECT_THAT(errorOf([&] { allOf(openTar({file}, textAndClass)); }),
                HasSubstr("a.tar.gz"))
        << size;
  }
}

TEST_F(Tar, ChecksumsOfCompressedArchivesAreCompared) {
  std::string packed = gzipped(threeExamples());
  packed[packed.size() - 6] ^= 1; // in the CRC-32
  const std::string file = write("a.tar.gz", packed);
  EXPECT_THAT(errorOf([&] { allOf(openTar({file}, textAndClass)); }),
              HasSubstr("expected valid compressed data, found an error"));
}

/// Any bit may change: the examples are the same, others, or refused.
TEST_F(Tar, ChangedBitsGiveNoFault) {
  const std::string bytes = threeExamples();
  for (size_t bit = 0; bit < 8 * bytes.size(); bit += 61) {
    std::string changed = bytes;
    changed[bit / 8] ^= static_cast<char>(1 << bit % 8);
    const std::string file = write("a.tar", changed);
    errorOf([&] { allOf(openTar({file}, textAndClass)); });
  }
}

TEST_F(Tar, LengthsBeyondTheFileAllocateNothing) {
  std::string bytes = tarEntry("0.txt", "a", '0', uint64_t(200) << 20);
  EXPECT_THAT(errorOf([&] {
                openTar({write("a.tar", bytes + tarEnd())}, {{.name = "txt"}});
              }),
              HasSubstr("a.tar: record 0 at byte 0: expected 209715200 bytes "
                        "of an entry, found 1536 bytes to the end of the "
                        "file"));
  bytes = tarEntry("0.txt", "a", '0', uint64_t(5) << 30);
  EXPECT_THAT(errorOf([&] {
                allOf(openTar({write("a.tar.gz", gzipped(bytes + tarEnd()))},
                              {{.name = "txt"}}));
              }),
              HasSubstr("expected at most 134217728 bytes, the limit of the "
                        "reader, found an entry of 5368709120"));
}

TEST_F(Tar, ExamplesAreBounded) {
  const std::string file = write("a.tar", threeExamples());
  const auto error = [&](uint64_t limit) {
    return errorOf([&] {
      EXPECT_EQ(allOf(openTar({file}, textAndClass, {.maxExampleBytes = limit}))
                    .size(),
                3u);
    });
  };
  EXPECT_EQ(error(720), "no error");
  EXPECT_THAT(error(705),
              HasSubstr("a.tar: record 0 at byte 1536: expected at most 705 "
                        "bytes of an example, the limit of the reader, found "
                        "more"));
  EXPECT_THAT(error(600), HasSubstr("expected at most 600 bytes, the limit of "
                                    "the reader, found an entry of 700"));
}

TEST_F(Tar, FilesThatChangeAreRefused) {
  const std::string file = write("a.tar", threeExamples());
  const Dataset data = openTar({file}, textAndClass);
  struct timespec times[2] = {{1, 0}, {1, 0}};
  ASSERT_EQ(::utimensat(AT_FDCWD, file.c_str(), times, 0), 0);
  EXPECT_THAT(errorOf([&] { data.read(0, 1); }),
              HasSubstr("expected the file as it was when the data set was "
                        "made"));
  ASSERT_EQ(::truncate(file.c_str(), 512), 0);
  EXPECT_THAT(errorOf([&] { data.read(0, 2); }),
              HasSubstr("a.tar: record 2 at byte"));
}

TEST_F(Tar, PipesAreRefused) {
  ASSERT_EQ(::mkfifo(path("a.tar").c_str(), 0600), 0);
  ASSERT_EQ(::mkfifo(path("a.tar.gz").c_str(), 0600), 0);
  EXPECT_THAT(errorOf([&] { openTar({path("a.tar")}, textAndClass); }),
              HasSubstr("a.tar"));
  EXPECT_THAT(errorOf([&] { openTar({path("a.tar.gz")}, textAndClass); }),
              HasSubstr("a.tar.gz"));
}

TEST_F(Tar, WritesWhatItReads) {
  for (const std::string name : {"a.tar", "b.tar.gz"}) {
    const auto make = [&] {
      TarWriter writer(path(name));
      for (int64_t i = 0; i < 2; ++i) {
        Feature label(i64, {}), points(f32, {2, 1}),
            bytes({TG_DTYPE_UINT, 8, 1}, {3});
        label.values<int64_t>()[0] = -i;
        points.values<float>()[0] = points.values<float>()[1] = float(i) / 3;
        std::fill_n(bytes.data(), 3, std::byte('a'));
        writer.write(std::to_string(i),
                     {{"label", i64, {}},
                      {"p", f32, {2, 1}},
                      {"b", {TG_DTYPE_UINT, 8, 1}, {3}}},
                     {label, points, bytes});
      }
      EXPECT_FALSE(std::filesystem::exists(path(name)));
      writer.close();
      return contentsOf(path(name));
    };
    const std::string first = make();
    std::filesystem::remove(path(name));
    EXPECT_EQ(make(), first);
    Loader loader(openSource(path(name)), {.threads = 0});
    loader.next();
    const Example *second = loader.next();
    ASSERT_TRUE(second);
    EXPECT_EQ(second->features[1].values<float>()[1], 1.0f / 3);
    EXPECT_EQ(second->features[0].byteCount(), 2u); // the text "-1"
    EXPECT_EQ(second->features[2].byteCount(), 3u);
    EXPECT_EQ(loader.next(), nullptr);
  }
}

TEST_F(Tar, Descriptions) {
  write("a.tar", threeExamples());
  const Dataset data = openDescription(
      R"({"files": "*.tar", "features": {
           "txt": {"type": "bytes"},
           "label": {"type": "i64", "extensions": "cls"}},
          "shuffle": true, "seed": 3})",
      directory);
  std::vector<std::string> all = allOf(data);
  std::sort(all.begin(), all.end());
  EXPECT_THAT(all, ElementsAre("text 0 0", "text 1 10", "text 2 20"));
  const auto error = [&](const std::string &features) {
    return errorOf([&] {
      openDescription(R"({"files": "a.tar", "features": )" + features + "}",
                      directory);
    });
  };
  EXPECT_EQ(error(R"({"a": {"type": "bytes", "raw": true}})"),
            "features.a.raw: expected none for this type, found "
            R"({"type":"bytes","raw":true})");
  EXPECT_THAT(error(R"({"a": {"type": "i64", "extension": "b"}})"),
              HasSubstr("extension"));
  EXPECT_THAT(error(R"({"a": {"type": "i64", "extensions": []}})"),
              HasSubstr("expected at least one name"));
  EXPECT_THAT(error(R"({"a": {"type": "i64", "pointer": 3}})"),
              HasSubstr("expected a text such as"));
  EXPECT_THAT(error("{}"), HasSubstr("expected an object with at least one"));
}
