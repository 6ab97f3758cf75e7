//===- BatchFeaturesTest.cpp - batches of features of records -------------===//
#include "tg/data/batch_features.hpp"

#include "test/data/Files.h"
#include "test/data/Support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tg::data;
using testing::ElementsAre;

namespace {

class BatchFeatures : public FilesTest {
protected:
  /// Writes records with the numbers from 0.
  std::string writeNumbers(const std::string &name, int64_t count,
                           Compression compression) const {
    Feature all(i64, {count});
    std::iota(all.values<int64_t>().begin(), all.values<int64_t>().end(), 0);
    writeTFRecords(path(name), {{"n", all}}, compression);
    return path(name);
  }

  const std::vector<ExampleFeature> features = {rawFeature("n", i64, {})};
};

TEST_F(BatchFeatures, InOrder) {
  for (const Compression compression : {Compression::none, Compression::gzip}) {
    const std::string file = writeNumbers("a.tfrecord", 5, compression);
    const Dataset data =
        readBatchFeatures({file}, features, {.size = 2, .shuffles = false});
    EXPECT_THAT(epochOf(data), ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3),
                                           ElementsAre(4)));
    const Dataset twice = readBatchFeatures(
        {file}, features,
        {.size = 4, .dropsRemainder = true, .shuffles = false, .epochs = 2});
    EXPECT_THAT(epochOf(twice),
                ElementsAre(ElementsAre(0, 1, 2, 3), ElementsAre(4, 0, 1, 2)));
  }
}

TEST_F(BatchFeatures, Shuffled) {
  for (const Compression compression : {Compression::none, Compression::gzip}) {
    const std::string file = writeNumbers("a.tfrecord", 64, compression);
    const auto flat = [&](uint64_t seed, uint64_t epoch) {
      std::vector<int64_t> all;
      for (const auto &batch : epochOf(
               readBatchFeatures({file}, features, {.size = 4, .seed = seed}),
               epoch))
        all.insert(all.end(), batch.begin(), batch.end());
      return all;
    };
    std::vector<int64_t> first = flat(1, 0);
    EXPECT_EQ(first, flat(1, 0));
    EXPECT_NE(first, flat(1, 1));
    EXPECT_NE(first, flat(2, 0));
    std::ranges::sort(first);
    for (int64_t i = 0; i < 64; ++i)
      EXPECT_EQ(first[static_cast<size_t>(i)], i);
    // A buffer of one example keeps the order.
    EXPECT_THAT(epochOf(readBatchFeatures({file}, features,
                                          {.size = 64, .buffer = 1}))[0][63],
                63);
  }
  EXPECT_EQ(errorOf([&] { readBatchFeatures({}, features); }),
            "expected files of records, found none");
}

} // namespace
