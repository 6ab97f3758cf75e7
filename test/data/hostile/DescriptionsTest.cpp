//===- DescriptionsTest.cpp - wrong descriptions of data sets -------------===//
#include "Kinds.h"

#include <gmock/gmock.h>

using namespace tg::data;
using testing::HasSubstr;

namespace {

class HostileDescriptions : public HostileTest {
protected:
  /// Returns what a description gives, or the message.
  std::string outcomeOf(const std::string &json) const {
    try {
      const Dataset data = openDescription(json, directory);
      Loader loader(data, {.threads = 0});
      for (int step = 0; step < 3; ++step)
        if (!loader.next())
          return "an end";
      return "no end";
    } catch (const DataError &error) {
      return error.what();
    }
  }

  const std::string rows =
      R"("files": "a.tfrecord", "features": {"rows": {"type": "u8", "raw": true, "shape": [2]}})";
};

TEST_F(HostileDescriptions, WithWrongValues) {
  const std::pair<const char *, const char *> all[] = {
      {R"("bach": 2)", "found 'bach'"},
      {R"("batch": 0)", "expected batches of at least 1 example"},
      {R"("batch": -1)", "batch: expected a whole number"},
      {R"("batch": 1.5)", "batch: expected a whole number"},
      {R"("batch": "2")", "batch: expected a whole number"},
      {R"("batch": 1e400)", "a number that no f64 can hold"},
      {R"("batch": 18446744073709551616)", "batch: expected a whole number"},
      {R"("repeat": true, "batch": 1000000000000000000)", "expected memory"},
      {R"("repeat": true, "batch": 18446744073709551615)", "expected "},
      {R"("repeat": 0)", "repeat: expected true or at least 1"},
      {R"("shuffle": 0)", "shuffle: expected true, false or a buffer"},
      {R"("shuffle": null)", "shuffle: expected"},
      {R"("shard": [0, 0])", "expected a shard of less than 0"},
      {R"("shard": [1])", "shard: expected [count, index]"},
      {R"("seed": -1)", "seed: expected a whole number"},
      {R"("cache": 1)", "cache: expected true or false"},
      {R"("map": {})", "map: expected a list"},
      {R"("map": [{"of": "rows"}])", "map[0]: expected one of the stages"},
      {R"("map": [{"cast": "f32"}])", "map[0]: expected one of the features"},
      {R"("map": [{"cast": "f31", "of": "rows"}])", "map[0].cast: expected"},
      {R"("map": [{"resize": [2, 2], "of": "rows"}])", "expected an image"},
      {R"("map": [{"one_hot": 1e9, "of": "rows"}])", "map[0].one_hot"},
      {R"("map": [{"one_hot": 3, "of": "rows"}])", "expected classes of less"},
      {R"("map": [{"reshape": [-1, -1], "of": "rows"}])", "at most one -1"},
      {R"("map": [{"reshape": [9223372036854775807, 3], "of": "rows"}])",
       "expected"},
      {R"("map": [{"transpose": [1], "of": "rows"}])", "a permutation"},
      {R"("zip": [])", "expected one of files, zip"},
  };
  for (const auto &[keys, message] : all)
    EXPECT_THAT(outcomeOf("{" + rows + ", " + keys + "}"), HasSubstr(message))
        << keys;
}

TEST_F(HostileDescriptions, OfOtherFeatures) {
  const std::pair<const char *, const char *> all[] = {
      {R"({"other": {"type": "f32"}})", "feature 'other': expected a value"},
      {R"({"rows": {"type": "f32"}})", "feature 'rows': expected float_list"},
      {R"({"rows": {"type": "u8", "raw": true, "shape": [3]}})",
       "feature 'rows': expected values of ui8 [3], found 2"},
      {R"({"rows": {"type": "png"}})",
       "feature 'rows': expected a PNG or JPEG"},
      {R"({"rows": {"type": "u8", "raw": true, "shape": [-2]}})",
       "at least -1"},
      {R"({"rows": {"type": "u8", "raw": true, "shape": [4294967296, 4294967296, 4294967296]}})",
       "expected"},
      {R"({"rows": {"shape": [2]}})", "the key 'type'"},
      {"[]", "features: expected an object"},
  };
  for (const auto &[features, message] : all)
    EXPECT_THAT(outcomeOf(R"({"files": "a.tfrecord", "features": )" +
                          std::string(features) + "}"),
                HasSubstr(message))
        << features;
}

TEST_F(HostileDescriptions, WithImagesOfHugeSizes) {
  for (const char *change :
       {R"({"resize": [100000, 100000]})",
        R"({"resize": [9223372036854775807, 2]})",
        R"({"random_resized_crop": [1, 16777217]})",
        R"({"crop": [9223372036854775807, 0, 1, 1]})",
        R"({"random_crop": {"size": [2, 2], "padding": 9223372036854775807}})",
        R"({"random_crop": [4, 2]})", R"({"zoom": [0, 1]})",
        R"({"shift": [1e300, 0]})",
        R"({"normalize": {"mean": [0], "std": [0]}})"})
    EXPECT_THAT(outcomeOf(R"({"files": "images", "map": [)" +
                          std::string(change) + "]}"),
                HasSubstr("expected"))
        << change;
}

/// Returns a text `count` times.
std::string repeated(const std::string &text, size_t count) {
  std::string all;
  for (; count; --count)
    all += text;
  return all;
}

TEST_F(HostileDescriptions, OfManyLevels) {
  const size_t count = 200000;
  for (const std::string &json :
       {R"({"a": )" + std::string(count, '['),
        R"({"files": )" + std::string(count, '[') + std::string(count, ']') +
            "}",
        repeated(R"({"zip": [)", count) + repeated("]}", count)}) {
    EXPECT_THAT(outcomeOf(json), HasSubstr("levels of JSON"));
    EXPECT_THAT(errorOf([&] { describeSource(json); }),
                HasSubstr("levels of JSON"));
  }
}

TEST_F(HostileDescriptions, ChangedAtEachByte) {
  const std::string json =
      "{" + rows +
      R"(, "shuffle": 2, "map": [{"cast": "f32", "of": "rows"}], "repeat": 2, "batch": 2})";
  EXPECT_EQ(outcomeOf(json), "no end");
  for (size_t at = 1; at < json.size(); ++at) {
    EXPECT_THAT(outcomeOf(json.substr(0, at)), HasSubstr("expected"));
    for (char other : {'\0', '"', '{', ']', ',', '9', '-', '\x80'}) {
      std::string changed = json;
      changed[at] = other;
      EXPECT_NE(outcomeOf(changed), "") << changed;
    }
  }
}

} // namespace
