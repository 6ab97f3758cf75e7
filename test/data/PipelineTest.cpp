//===- PipelineTest.cpp - stages with and without random access -----------===//
#include "Errors.h"
#include "Support.h"

#include <algorithm>
#include <atomic>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

using namespace tg::data;
using testing::ElementsAre;

/// Makes numbers with random access, or numbers that are read in order.
class Pipeline : public testing::TestWithParam<bool> {
protected:
  static Dataset make(int64_t count, const std::string &name = "n") {
    return GetParam() ? streamed(count, name) : numbers(count, name);
  }
};
INSTANTIATE_TEST_SUITE_P(, Pipeline, testing::Bool(), [](const auto &info) {
  return info.param ? "InOrder" : "RandomAccess";
});

static std::vector<int64_t> flat(const Elements &elements) {
  std::vector<int64_t> all;
  for (const std::vector<int64_t> &element : elements)
    all.insert(all.end(), element.begin(), element.end());
  return all;
}

static std::vector<int64_t> sorted(std::vector<int64_t> all) {
  std::sort(all.begin(), all.end());
  return all;
}

static std::vector<Feature> plus(const Example &example, int64_t added) {
  Feature sum(i64, {});
  sum.values<int64_t>()[0] = example.features[0].values<int64_t>()[0] + added;
  return {sum};
}

TEST_P(Pipeline, BatchKeepsTheOrder) {
  EXPECT_THAT(
      epochOf(make(5).batch({.size = 2})),
      ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3), ElementsAre(4)));
  const Dataset whole = make(5).batch({.size = 2, .dropsRemainder = true});
  EXPECT_THAT(epochOf(whole),
              ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3)));
  EXPECT_THAT(whole.type()[0].shape, ElementsAre(2));
}

TEST_P(Pipeline, Selections) {
  EXPECT_THAT(flat(epochOf(make(5).take(2))), ElementsAre(0, 1));
  EXPECT_THAT(flat(epochOf(make(5).take(9))), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(flat(epochOf(make(5).skip(3))), ElementsAre(3, 4));
  EXPECT_THAT(flat(epochOf(make(5).skip(9))), ElementsAre());
  EXPECT_THAT(flat(epochOf(make(7).shard(3, 1))), ElementsAre(1, 4));
  EXPECT_THAT(flat(epochOf(make(3).repeat(2))), ElementsAre(0, 1, 2, 0, 1, 2));
  EXPECT_THAT(flat(epochOf(make(3).repeat().take(7))),
              ElementsAre(0, 1, 2, 0, 1, 2, 0));
  EXPECT_THAT(flat(epochOf(make(0).repeat().take(7))), ElementsAre());
  EXPECT_EQ(errorOf([] { make(7).shard(3, 3); }),
            "expected a shard of less than 3, found 3");
}

TEST_P(Pipeline, Combinations) {
  EXPECT_THAT(epochOf(Dataset::zip({make(3), make(2, "m")})),
              ElementsAre(ElementsAre(0, 0), ElementsAre(1, 1)));
  EXPECT_THAT(flat(epochOf(Dataset::concatenate({make(2), make(0), make(3)}))),
              ElementsAre(0, 1, 0, 1, 2));
  EXPECT_THAT(flat(epochOf(Dataset::interleave(
                  {make(2), make(5).map([](const Example &example, Random &) {
                     return plus(example, 10);
                   })}))),
              ElementsAre(0, 10, 1, 11, 12, 13, 14));
  EXPECT_THAT(flat(epochOf(Dataset::interleave({make(3), make(5)}, 2))),
              ElementsAre(0, 1, 0, 1, 2, 2, 3, 4));
  EXPECT_EQ(errorOf([] { Dataset::zip({make(3), make(2)}); }),
            "expected features of different names, found two 'n'");
}

TEST_P(Pipeline, MixDrawsByWeight) {
  const Dataset mixed = Dataset::mix(
      {make(4000), make(4000).map([](const Example &example, Random &) {
         return plus(example, 10000);
       })},
      {3, 1}, 5);
  const std::vector<int64_t> all = flat(epochOf(mixed));
  const auto second = std::count_if(all.begin(), all.end(),
                                    [](int64_t n) { return n >= 10000; });
  EXPECT_NEAR(double(second) / double(all.size()), 0.25, 0.03);
  EXPECT_NE(flat(epochOf(mixed, 1)), all);
  EXPECT_EQ(flat(epochOf(mixed)), all);
}

TEST_P(Pipeline, ShuffleHasAnotherOrderInEachEpoch) {
  const Dataset data = make(100).shuffle({.seed = 3, .buffer = 1000});
  const std::vector<int64_t> first = flat(epochOf(data));
  const std::vector<int64_t> second = flat(epochOf(data, 1));
  EXPECT_NE(first, second);
  EXPECT_EQ(sorted(first), flat(epochOf(make(100))));
  EXPECT_EQ(sorted(second), sorted(first));
  EXPECT_NE(first, sorted(first));
  const Dataset once =
      make(100).shuffle({.seed = 3, .buffer = 1000, .reshuffles = false});
  EXPECT_EQ(epochOf(once), epochOf(once, 1));
}

TEST_P(Pipeline, ShuffleKeepsBlocks) {
  const std::vector<int64_t> order =
      flat(epochOf(make(25).shuffle({.seed = 3, .buffer = 10})));
  ASSERT_EQ(order.size(), 25u);
  for (size_t i = 0; i < order.size(); ++i)
    EXPECT_EQ(order[i] / 10, int64_t(i) / 10);
}

TEST_P(Pipeline, FilterAndMap) {
  const Dataset even = make(10).filter([](const Example &example) {
    return example.features[0].values<int64_t>()[0] % 2 == 0;
  });
  EXPECT_THAT(flat(epochOf(even)), ElementsAre(0, 2, 4, 6, 8));
  EXPECT_FALSE(even.hasRandomAccess());
  EXPECT_THAT(flat(epochOf(even.map([](const Example &example, Random &) {
                return plus(example, 1);
              }))),
              ElementsAre(1, 3, 5, 7, 9));
}

/// The random choices of an example depend on its epoch and number, not on
/// its place in a shuffled order.
TEST_P(Pipeline, RandomChoicesFollowFromTheExample) {
  const auto drawn = [](const Example &example, Random &random) {
    Feature pair(i64, {2});
    pair.values<int64_t>()[0] = example.features[0].values<int64_t>()[0];
    pair.values<int64_t>()[1] = static_cast<int64_t>(random.below(1000000));
    return std::vector<Feature>{pair};
  };
  const MapOptions options{.type = ExampleType{{"pair", i64, {2}}}, .seed = 7};
  Elements plain = epochOf(make(50).map(drawn, options));
  const Dataset shuffledFirst =
      make(50).shuffle({.seed = 1, .buffer = 50}).map(drawn, options);
  const Dataset shuffledLast =
      make(50).map(drawn, options).shuffle({.seed = 1, .buffer = 50});
  Elements last = epochOf(shuffledLast);
  std::sort(last.begin(), last.end());
  EXPECT_EQ(plain, last);
  EXPECT_NE(epochOf(make(50).map(drawn, options), 1), plain);
  Elements first = epochOf(shuffledFirst);
  EXPECT_EQ(epochOf(shuffledFirst), first);
  std::set<int64_t> distinct;
  for (const std::vector<int64_t> &pair : first)
    distinct.insert(pair[1]);
  EXPECT_GT(distinct.size(), 48u);
}

TEST_P(Pipeline, CacheReadsOnce) {
  auto calls = std::make_shared<std::atomic<int>>(0);
  const Dataset data = make(6)
                           .map([calls](const Example &example, Random &) {
                             ++*calls;
                             return plus(example, 0);
                           })
                           .cache();
  EXPECT_THAT(flat(epochOf(data)), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(flat(epochOf(data, 1)), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_EQ(*calls, 6);
}

TEST_P(Pipeline, PadsToTheLongestOfABatch) {
  const auto repeated = [](const Example &example, Random &) {
    const int64_t n = example.features[0].values<int64_t>()[0];
    Feature list(i64, {n, 1 + n % 2});
    std::fill(list.values<int64_t>().begin(), list.values<int64_t>().end(), n);
    return std::vector<Feature>{list};
  };
  const Dataset lists =
      make(4).map(repeated, {.type = ExampleType{{"list", i64, {-1, -1}}}});
  Loader loader(lists.batch({.size = 4, .pads = true}), {.threads = 0});
  const Example *batch = loader.next();
  ASSERT_TRUE(batch);
  EXPECT_THAT(batch->features[0].shape(), ElementsAre(4, 3, 2));
  EXPECT_THAT(batch->features[0].values<int64_t>(),
              ElementsAre(0, 0, 0, 0, 0, 0, /**/ 1, 1, 0, 0, 0, 0, /**/ 2, 0, 2,
                          0, 0, 0, /**/ 3, 3, 3, 3, 3, 3));
  EXPECT_EQ(errorOf([&] { epochOf(lists.batch({.size = 4})); }),
            "feature 'list': expected examples of one type and shape in a "
            "batch, found i64 [0, 1] and i64 [1, 2]");
}

TEST_P(Pipeline, BucketsHaveExamplesOfSimilarLength) {
  const auto repeated = [](const Example &example, Random &) {
    const int64_t n = example.features[0].values<int64_t>()[0];
    Feature list(i64, {n % 4});
    std::fill(list.values<int64_t>().begin(), list.values<int64_t>().end(), n);
    return std::vector<Feature>{list};
  };
  const Dataset lists =
      make(11).map(repeated, {.type = ExampleType{{"list", i64, {-1}}}});
  // The lengths are 0 1 2 3 0 1 2 3 0 1 2.
  const BucketOptions options{
      .feature = "list", .boundaries = {1, 3}, .sizes = {2, 3, 2}};
  EXPECT_THAT(epochOf(lists.bucketed(options)),
              ElementsAre(ElementsAre(), /**/
                          ElementsAre(1, 0, 2, 2, 5, 0),
                          ElementsAre(3, 3, 3, 7, 7, 7),
                          ElementsAre(6, 6, 9, 0, 10, 10),
                          /* the rest */ ElementsAre()));
  BucketOptions drops = options;
  drops.dropsRemainder = true;
  EXPECT_EQ(epochOf(lists.bucketed(drops)).size(), 4u);
  EXPECT_EQ(lists.bucketed(options).unbatched().type()[0].name, "list");
  BucketOptions wrong = options;
  wrong.sizes = {2, 3};
  EXPECT_EQ(errorOf([&] { lists.bucketed(wrong); }),
            "expected a size for each bucket, one more than the 2 boundaries, "
            "found 2");
  wrong = options;
  wrong.boundaries = {3, 3};
  EXPECT_EQ(errorOf([&] { lists.bucketed(wrong); }),
            "expected boundaries in ascending order, found others");
  wrong = options;
  wrong.feature = "x";
  EXPECT_EQ(errorOf([&] { lists.bucketed(wrong); }),
            "expected a feature or a function as the length, found no feature "
            "'x'");
  BucketOptions plain = options;
  plain.pads = false;
  EXPECT_THROW(epochOf(lists.bucketed(plain)), DataError);
}

TEST_P(Pipeline, MapChecksItsResults) {
  const auto wrong = [](const Example &, Random &) {
    return std::vector<Feature>{Feature(i64, {3})};
  };
  EXPECT_EQ(errorOf([&] { epochOf(make(1).map(wrong)); }),
            GetParam() ? "0: feature 'n': expected i64 [], found i64 [3]"
                       : "n:0: feature 'n': expected i64 [], found i64 [3]");
}

TEST(PipelineAccess, PlacesNeedNoReading) {
  const Dataset data =
      numbers(10).shuffle({.seed = 2}).batch({.size = 4}).repeat(2);
  EXPECT_EQ(data.size(), 6u);
  const Elements elements = epochOf(data);
  for (uint64_t i = 0; i < 6; ++i) {
    std::vector<std::string> places;
    for (int64_t n : elements[i])
      places.push_back("n:" + std::to_string(n));
    EXPECT_EQ(data.places(0, i), places);
  }
  EXPECT_EQ(errorOf([&] { data.read(0, 6); }),
            "expected an index of less than 6, found 6");
  EXPECT_EQ(errorOf([&] { streamed(3).places(0, 0); }),
            "expected a data set with random access, found one that is read "
            "in order");
  EXPECT_EQ(errorOf([&] { streamed(3).shuffle(); }),
            "expected a buffer to shuffle a data set without random access, "
            "found none");
  EXPECT_EQ(numbers(3).repeat().size(), std::nullopt);
}

TEST(PipelineAccess, DescriptionsDistinguishStages) {
  EXPECT_EQ(numbers(3).shuffle({.seed = 2}).batch({.size = 4}).description(),
            "source(3: n i64 []) | shuffle(seed 2, buffer 0) | batch(4)");
}
