//===- DescriptionTest.cpp - data sets that a text in JSON describes ------===//
#include "tg/data/arrays.hpp"
#include "tg/data/example.hpp"
#include "tg/data/images.hpp"
#include "tg/data/pipeline.hpp"

#include "test/data/Files.h"
#include "test/data/Support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tg::data;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

constexpr tg_dtype_t u8 = {TG_DTYPE_UINT, 8, 1};

/// Ten images of 4 x 4 pixels in two TFRecord files, and numbers in a .npz
/// file.
class Description : public FilesTest {
protected:
  Description() {
    for (int file = 0; file < 2; ++file) {
      TFRecordWriter writer(path("a-" + std::to_string(file) + ".tfrecord"));
      for (int i = 0; i < 5; ++i)
        writer.write(record(5 * file + i));
      writer.close();
    }
    Feature n(i64, {6});
    std::iota(n.values<int64_t>().begin(), n.values<int64_t>().end(), 0);
    writeNpz(path("n.npz"), {{"n", n}});
  }

  static std::string record(int number) {
    Feature image(u8, {4, 4, 1});
    for (size_t i = 0; i < 16; ++i)
      image.values<uint8_t>()[i] = static_cast<uint8_t>(number * 16 + int(i));
    const std::vector<std::byte> png = encodePng(image);
    Feature label(i64, {1});
    label.values<int64_t>()[0] = number;
    ExampleValue bytes{"image", ExampleKind::bytes};
    bytes.count = 1;
    bytes.strings = {{reinterpret_cast<const char *>(png.data()), png.size()}};
    ExampleValue label1{"label", ExampleKind::int64s};
    label1.count = 1;
    label1.numbers = label;
    return writeExample({bytes, label1});
  }
  Dataset open(const std::string &json) const {
    return openDescription(json, directory);
  }
  std::string errorOf(const std::string &json) const {
    try {
      Loader loader(open(json), {.threads = 0});
      while (loader.next())
        ;
    } catch (const DataError &error) {
      return error.what();
    }
    return "no error";
  }

  const std::string features =
      R"("features": {"image": {"type": "png", "shape": [4, 4, 1]},
                      "label": {"type": "i32"}})";
};

TEST_F(Description, ReadsImagesAndLabels) {
  const Dataset data =
      open(R"({"files": ["a-*.tfrecord"], )" + features + R"(, "batch": 4})");
  EXPECT_EQ(data.size(), 3u);
  EXPECT_EQ(data.type()[0].text(), "f32 [?, 4, 4, 1]");
  EXPECT_EQ(data.type()[1].text(), "i32 [?]");
  const Example last = data.read(0, 2);
  EXPECT_THAT(last.features[1].values<int32_t>(), ElementsAre(8, 9));
  EXPECT_EQ(last.features[0].values<float>()[17], float(9 * 16 + 1) / 255);
  EXPECT_THAT(data.places(0, 1),
              ElementsAre(path("a-0.tfrecord:4"), path("a-1.tfrecord:0"),
                          path("a-1.tfrecord:1"), path("a-1.tfrecord:2")));
}

TEST_F(Description, StagesChangeFeaturesInOrder) {
  const Dataset data = open(
      R"({"files": "a-0.tfrecord", )" + features +
      R"(, "map": [{"center_crop": [2, 2]}, {"flip": {"direction": "horizontal", "probability": 1}},
                   {"normalize": {"mean": [0.5], "std": [0.2]}},
                   {"transpose": [2, 0, 1]}, {"reshape": [-1]},
                   {"one_hot": 10, "of": "label"}]})");
  EXPECT_EQ(data.type()[0].text(), "f32 [4]");
  EXPECT_EQ(data.type()[1].text(), "f32 [10]");
  const Example example = data.read(0, 1);
  const auto normal = [](int pixel) {
    return (float(pixel) / 255 - 0.5f) / 0.2f;
  };
  EXPECT_THAT(example.features[0].values<float>(),
              ElementsAre(testing::FloatEq(normal(16 + 6)),
                          testing::FloatEq(normal(16 + 5)),
                          testing::FloatEq(normal(16 + 10)),
                          testing::FloatEq(normal(16 + 9))));
  EXPECT_THAT(example.features[1].values<float>(),
              ElementsAre(0, 1, 0, 0, 0, 0, 0, 0, 0, 0));
}

/// A change that decodes less of an image, or takes its elements as bytes,
/// gives the same as one of a data set whose images are decoded before.
TEST_F(Description, ImagesAreDecodedWhenTheyAreNeeded) {
  for (
      const char *changes :
      {R"({"random_resized_crop": [5, 3]}, {"rotate": 30})",
       R"({"random_resized_crop": {"size": [2, 2], "interpolation": "nearest"}})",
       R"({"random_crop": {"size": [4, 4], "padding": 2}}, {"flip": "vertical"})",
       R"({"flip": "horizontal"}, {"normalize": {"mean": [0.5], "std": [0.2]}})",
       R"({"crop": [1, 1, 2, 3]}, {"resize": [7, 5]})",
       R"({"resize": {"size": [3, 9], "interpolation": "nearest"}})",
       R"({"channel_shift": 0.3}, {"center_crop": [2, 2]})",
       R"({"one_hot": 10, "of": "label"})"}) {
    const std::string rest =
        features + R"(, "seed": 5, "map": [)" + changes + R"(], "batch": 10})";
    const Dataset late =
        open(R"({"files": ["a-*.tfrecord"], "skip": 0, )" + rest);
    const Dataset early =
        open(R"({"files": ["a-*.tfrecord"], "cache": true, )" + rest);
    for (size_t feature : {0, 1})
      EXPECT_TRUE(
          std::ranges::equal(late.read(1, 0).features[feature].bytes(),
                             early.read(1, 0).features[feature].bytes()))
          << changes;
    EXPECT_EQ(late.type()[0].text(), early.type()[0].text());
  }
}

TEST_F(Description, ImagesOf16Bits) {
  Feature image({TG_DTYPE_UINT, 16, 1}, {2, 2, 1});
  for (size_t i = 0; i < 4; ++i)
    image.values<uint16_t>()[i] = static_cast<uint16_t>(1000 * i + 1);
  const std::vector<std::byte> png = encodePng(image);
  ExampleValue bytes{"image", ExampleKind::bytes};
  bytes.count = 1;
  bytes.strings = {{reinterpret_cast<const char *>(png.data()), png.size()}};
  TFRecordWriter writer(path("16.tfrecord"));
  writer.write(writeExample({bytes}));
  writer.close();
  const Example flipped =
      open(R"({"files": "16.tfrecord", "features": {"image": {"type": "png"}},
               "map": [{"flip": {"direction": "horizontal", "probability": 1}},
                       {"random_resized_crop": {"size": [2, 2], "scale": [1, 1],
                                                "ratio": [1, 1]}}]})")
          .read(0, 0);
  EXPECT_THAT(
      flipped.features[0].values<float>(),
      ElementsAre(1001.f / 65535, 1.f / 65535, 3001.f / 65535, 2001.f / 65535));
}

TEST_F(Description, ShuffledAndAugmentedEpochsDiffer) {
  const Dataset data =
      open(R"({"files": ["a-*.tfrecord"], )" + features +
           R"(, "shuffle": true, "seed": 7, "map": [{"random_crop": [2, 2]}],
              "batch": 10})");
  EXPECT_NE(data.places(0, 0), data.places(1, 0));
  std::set<std::string> files;
  for (const std::string &place : data.places(0, 0))
    files.insert(place);
  EXPECT_EQ(files.size(), 10u);
  EXPECT_THAT(data.read(0, 0).features[0].shape(), ElementsAre(10, 2, 2, 1));
}

TEST_F(Description, Selections) {
  const auto numbersIn = [&](const std::string &rest) {
    std::vector<int64_t> all;
    for (const std::vector<int64_t> &element :
         epochOf(open(R"({"files": "n.npz", )" + rest + "}")))
      all.insert(all.end(), element.begin(), element.end());
    return all;
  };
  EXPECT_THAT(numbersIn(R"("skip": 1, "take": 3)"), ElementsAre(1, 2, 3));
  EXPECT_THAT(numbersIn(R"("shard": [3, 1])"), ElementsAre(1, 4));
  EXPECT_THAT(numbersIn(R"("take": 2, "repeat": 2, "cache": true)"),
              ElementsAre(0, 1, 0, 1));
  EXPECT_THAT(numbersIn(R"("batch": 4, "remainder": "drop")"),
              ElementsAre(0, 1, 2, 3));
}

TEST_F(Description, Filters) {
  const auto filtered = [&](const std::string &filter) {
    return epochOf(
        open(R"({"files": "n.npz", "filter": )" + filter + R"(, "skip": 1})"));
  };
  EXPECT_EQ(filtered(R"({"of": "n", "values": [0, 2, 5]})"),
            (Elements{{2}, {5}}));
  EXPECT_EQ(filtered(R"({"of": "n", "least": 2, "most": 4})"),
            (Elements{{3}, {4}}));
  EXPECT_THAT(errorOf(R"({"files": "n.npz", "filter": {"of": "n"}})"),
              HasSubstr("filter.values: expected a list of numbers, or least "
                        "or most"));
  EXPECT_THAT(errorOf(R"({"files": "n.npz", "filter": {"least": 1}})"),
              HasSubstr("filter.of: expected the name of a feature"));
}

/// A split at random, which is the same in each epoch.
TEST_F(Description, ShufflesOnce) {
  const Dataset data = open(
      R"({"files": "n.npz", "shuffle": true, "seed": 3, "reshuffle": false})");
  EXPECT_EQ(epochOf(data), epochOf(data, 1));
  EXPECT_NE(epochOf(data), epochOf(open(R"({"files": "n.npz"})")));
}

TEST_F(Description, MixesExamplesOfBatches) {
  const std::string text =
      R"({"files": "n.npz", "map": [{"cast": "f32", "of": "n"}], "batch": 6,
          "seed": 4, "map_batches": [{"mixup": 0.5, "of": ["n"]}]})";
  const Feature mixed = open(text).read(0, 0).features[0];
  const std::span<const float> rows = mixed.values<float>();
  // Row i is i - (1 - weight), but for the first one.
  const float weight = rows[1];
  for (int i = 1; i < 6; ++i)
    EXPECT_NEAR(rows[size_t(i)], float(i) - (1 - weight), 1e-5);
  EXPECT_NEAR(rows[0], (1 - weight) * 5, 1e-5);
  EXPECT_NE(open(text).read(1, 0).features[0].values<float>()[1], rows[1]);
  EXPECT_THAT(errorOf(R"({"files": "n.npz", "batch": 6,
                          "map_batches": [{"mixup": 0.5, "of": "n"}]})"),
              HasSubstr("map_batches[0]: expected batches of f32, found n"));
  EXPECT_THAT(errorOf(R"({"files": "n.npz", "map_batches": [{"mixup": 1}]})"),
              HasSubstr("map_batches[0].of: expected names of features"));
}

TEST_F(Description, BucketsOfSimilarLength) {
  EXPECT_THAT(errorOf(R"({"files": "n.npz", "batch": 2, "bucket": {}})"),
              HasSubstr("bucket: expected none beside batch"));
  EXPECT_THAT(errorOf(R"({"files": "n.npz", "bucket": {"sizes": [1]}})"),
              HasSubstr("boundaries"));
  EXPECT_THAT(errorOf(R"({"files": "n.npz", "bucket": {"boundaries": [],
                                                       "sizes": [1, 2]}})"),
              HasSubstr("bucket: expected a size for each bucket"));
}

TEST_F(Description, Combinations) {
  const std::string n = R"({"files": "n.npz", "take": 2})";
  EXPECT_THAT(epochOf(open(R"({"concatenate": [)" + n + ", " + n + "]}")),
              ElementsAre(ElementsAre(0), ElementsAre(1), ElementsAre(0),
                          ElementsAre(1)));
  EXPECT_THAT(epochOf(open(R"({"interleave": [)" + n + ", " + n + "]}")),
              ElementsAre(ElementsAre(0), ElementsAre(0), ElementsAre(1),
                          ElementsAre(1)));
  EXPECT_EQ(errorOf(R"({"zip": [)" + n + ", " + n + "]}"),
            "expected features of different names, found two 'n'");
  EXPECT_FALSE(
      epochOf(open(R"({"mix": [)" + n + ", " + n + R"(], "weights": [3, 1]})"))
          .empty());
}

TEST_F(Description, FilesOfADescriptionAreBesideIt) {
  std::ofstream(path("p.json")) << R"({"files": "n.npz", "batch": 6})";
  EXPECT_THAT(epochOf(openSource(path("p.json"))),
              ElementsAre(ElementsAre(0, 1, 2, 3, 4, 5)));
  EXPECT_EQ(openSource(path("n.npz")).size(), 6u);
  std::ofstream(path("q.json")) << R"({"files": "n.npz", "bacth": 6})";
  try {
    openSource(path("q.json"));
    ADD_FAILURE() << "expected an error";
  } catch (const DataError &error) {
    EXPECT_THAT(error.what(), HasSubstr(path("q.json") + ": expected one of "));
    EXPECT_THAT(error.what(), HasSubstr("found 'bacth'"));
  }
}

TEST_F(Description, SameTextForSameSources) {
  const auto describe = [&](const std::string &rest) {
    return describeSource("{\"files\": \"" + path("n.npz") + "\", " + rest +
                          "}");
  };
  const std::string bytes =
      std::to_string(std::filesystem::file_size(path("n.npz")));
  EXPECT_EQ(describe(R"("seed": 3, "batch": 2)"),
            "batch 2 | files [{\"bytes\":" + bytes +
                ",\"name\":\"n.npz\"}] | seed 3");
  EXPECT_EQ(describe(R"("seed": 3, "batch": 2)"),
            describe(R"("batch":2, "seed":3)"));
  EXPECT_NE(describe(R"("map": [{"normalize": {"mean": 0, "std": 1}}])"),
            describe(R"("map": [{"normalize": {"mean": 1, "std": 1}}])"));
  write("a.so", "one");
  const std::string library =
      R"("map": [{"library": ")" + path("a.so") + R"("}])";
  const std::string first = describe(library);
  write("a.so", "two");
  EXPECT_NE(describe(library), first);
  EXPECT_EQ(describeSource(path("n.npz")),
            "files [{\"bytes\":" + bytes + ",\"name\":\"n.npz\"}]");
  const std::string zip = describeSource(R"({"zip": [{"files": ")" +
                                         path("a-*.tfrecord") + R"("}]})");
  EXPECT_THAT(zip, HasSubstr("\"name\":\"a-0.tfrecord\""));
  EXPECT_THAT(zip, HasSubstr("\"name\":\"a-1.tfrecord\""));
}

TEST_F(Description, RefusesWrongDescriptions) {
  EXPECT_EQ(errorOf("{"),
            "expected a description in JSON, found an error at byte 2");
  EXPECT_EQ(errorOf("{}"), "expected one of files, zip, concatenate, "
                           "interleave and mix, found none or several");
  EXPECT_THAT(errorOf(R"({"files": "no.npz"})"), HasSubstr("no.npz"));
  EXPECT_THAT(errorOf(R"({"files": "a.foo"})"),
              HasSubstr("a.foo: expected one of the endings"));
  EXPECT_EQ(errorOf(R"({"files": "n.npz", "batch": -1})"),
            "batch: expected a whole number of at least 0, found -1");
  EXPECT_EQ(errorOf(R"({"files": "n.npz", "batch": 0})"),
            "expected batches of at least 1 example, found 0");
  EXPECT_EQ(errorOf(R"({"files": "n.npz", "shuffle": 0})"),
            "shuffle: expected true, false or a buffer of at least 1, found 0");
  EXPECT_EQ(errorOf(R"({"files": "n.npz", "remainder": "lose"})"),
            "remainder: expected \"keep\" or \"drop\", found \"lose\"");
  const auto stage = [&](const std::string &text) {
    return errorOf(R"({"files": "a-0.tfrecord", )" + features +
                   R"(, "map": [)" + text + "]}");
  };
  EXPECT_THAT(stage(R"({"turn": 3})"),
              HasSubstr("map[0]: expected one of the stages center_crop"));
  EXPECT_EQ(stage(R"({"flip": "sideways"})"),
            "map[0].flip.direction: expected one of horizontal, vertical, "
            "found \"sideways\"");
  EXPECT_EQ(stage(R"({"crop": [0, 0, 2, 2], "of": "picture"})"),
            "map[0]: expected one of the features image, label, found "
            "'picture'");
  EXPECT_EQ(stage(R"({"crop": [0, 0, 2, 2], "of": "label"})"),
            "map[0].crop: expected an image, f32 or ui8 [height, width, "
            "channels], found i32 []");
  EXPECT_EQ(stage(R"({"crop": [0, 0, 2, 2], "flip": "vertical"})"),
            "map[0]: expected one stage, found 'crop' and 'flip'");
  EXPECT_THAT(stage(R"({"random_crop": [9, 9]})"),
              HasSubstr("a-0.tfrecord: record 0 at byte 0: feature 'image': "));
}

TEST_F(Description, RefusesWrongFeatures) {
  const auto error = [&](const std::string &described) {
    return errorOf(R"({"files": "a-0.tfrecord", "features": )" + described +
                   "}");
  };
  EXPECT_EQ(error(R"({"image": {"type": "gif"}})").substr(0, 50),
            "features.image.type: expected one of the types f32");
  EXPECT_EQ(error("[]"), "features: expected an object with at least one "
                         "feature, found []");
  EXPECT_THAT(error(R"({"image": {"type": "png", "shape": [5, 4, 1]}})"),
              HasSubstr("a-0.tfrecord: record 0 at byte 0: feature 'image': "
                        "expected an image of f32 [5, 4, 1], found"));
  EXPECT_THAT(error(R"({"label": {"type": "f32"}})"),
              HasSubstr("a-0.tfrecord: record 0 at byte 0: "));
  EXPECT_THAT(error(R"({"age": {"type": "i64"}})"), HasSubstr("age"));
  EXPECT_EQ(errorOf(R"({"files": "n.npz", "features": {}})"),
            "features: expected none for files of arrays, found {}");
}

} // namespace
