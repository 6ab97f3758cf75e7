//===- LoaderTest.cpp - threads, prefetch and positions -------------------===//
#include "Support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

using namespace tg::data;
using testing::ElementsAre;

/// Returns data sets that together have all stages.
static std::vector<Dataset> allKinds() {
  const auto keeps = [](const Example &example) {
    return example.features[0].values<int64_t>()[0] % 3 != 0;
  };
  const auto noise = [](const Example &, Random &random) {
    Feature drawn(i64, {});
    drawn.values<int64_t>()[0] = static_cast<int64_t>(random.below(1000));
    return std::vector<Feature>{drawn};
  };
  std::vector<Dataset> all;
  const auto rest = [](const Example &example) {
    return static_cast<uint64_t>(example.features[0].values<int64_t>()[0] % 5);
  };
  for (const Dataset &data : {numbers(23), streamed(23)}) {
    all.push_back(data);
    all.push_back(data.bucketed(
        {.length = rest, .boundaries = {1, 4}, .sizes = {2, 3, 2}}));
    all.push_back(data.filter(keeps)
                      .shuffle({.seed = 4, .buffer = 6})
                      .map(noise)
                      .bucketed({.length = rest,
                                 .boundaries = {2},
                                 .sizes = {4, 3},
                                 .dropsRemainder = true})
                      .repeat(2));
    all.push_back(data.filter(keeps)
                      .shuffle({.seed = 1, .buffer = 5})
                      .map(noise)
                      .batch({.size = 3}));
    all.push_back(data.map(noise).cache().repeat(2).skip(3).shard(2, 1));
    all.push_back(
        Dataset::interleave({data.filter(keeps), data}, 2).batch({.size = 4}));
    all.push_back(Dataset::concatenate({data, data.filter(keeps)}).repeat(2));
    all.push_back(Dataset::mix({data, data.map(noise)}, {1, 2}));
    all.push_back(
        Dataset::zip({data.shuffle({.seed = 1, .buffer = 7}).map(noise),
                      streamed(19, "m")}));
  }
  all.push_back(numbers(50).shuffle().map(noise).batch({.size = 8}));
  return all;
}

TEST(Loader, ThreadsAndPrefetchChangeNothing) {
  for (const Dataset &data : allKinds()) {
    const Elements first = epochOf(data), second = epochOf(data, 1);
    for (const LoaderOptions &options :
         {LoaderOptions{1, 1}, LoaderOptions{1, 4}, LoaderOptions{3, 2},
          LoaderOptions{4, 16}}) {
      Loader loader(data, options);
      EXPECT_EQ(rest(loader), first) << data.description();
      EXPECT_EQ(rest(loader), second) << data.description();
    }
  }
}

TEST(Loader, ContinuesAtEveryPosition) {
  for (const Dataset &data : allKinds()) {
    Elements all = epochOf(data);
    Loader loader(data, {.threads = 2, .prefetch = 3});
    for (size_t done = 0; done <= all.size(); ++done) {
      const Position position = Position::parse(loader.position().text());
      EXPECT_EQ(position, loader.position());
      Loader other(data, {.threads = unsigned(done % 3)}, position);
      EXPECT_EQ(rest(other), Elements(all.begin() + ptrdiff_t(done), all.end()))
          << data.description() << " at " << position.text();
      loader.next();
    }
    // The loader has begun the next epoch.
    EXPECT_EQ(loader.position().epoch, 1u);
    EXPECT_EQ(rest(loader), epochOf(data, 1));
  }
}

TEST(Loader, PositionsAreShort) {
  Loader loader(numbers(1000000).shuffle().repeat().batch({.size = 32}));
  for (int step = 0; step < 100; ++step)
    loader.next();
  EXPECT_EQ(loader.position().text(), "0:100");
}

TEST(Loader, ReportsErrorsInTheirPlace) {
  const Dataset data = numbers(6).map([](const Example &example, Random &) {
    if (example.id == 3)
      throw DataError("a.bin: record 3 is broken");
    return example.features;
  });
  for (unsigned threads : {0, 1, 3}) {
    Loader loader(data, {.threads = threads});
    for (int i = 0; i < 3; ++i)
      EXPECT_THAT(numbersOf(*loader.next()), ElementsAre(i));
    EXPECT_THROW(loader.next(), DataError);
    EXPECT_THAT(numbersOf(*loader.next()), ElementsAre(4));
    EXPECT_EQ(loader.position().text(), "0:5");
  }
}

TEST(Loader, RefusesPositionsOfOtherDataSets) {
  const auto begin = [](const std::string &text) {
    Loader loader(numbers(6), {}, Position::parse(text));
  };
  EXPECT_NO_THROW(begin("0:6"));
  EXPECT_THROW(begin("0:7"), DataError);
  EXPECT_THROW(begin("0:1:1"), DataError);
  EXPECT_THROW(begin(""), DataError);
  EXPECT_THROW(begin("1:"), DataError);
  EXPECT_THROW(begin("-1"), DataError);
  EXPECT_THROW(begin("99999999999999999999999"), DataError);
}

/// A loader can be destroyed while its threads read ahead.
TEST(Loader, EndsEarly) {
  for (int i = 0; i < 50; ++i) {
    Loader loader(numbers(1000).filter([](const Example &example) {
      return example.id % 2 == 0;
    }),
                  {.threads = 3, .prefetch = 8});
    loader.next();
  }
}

TEST(Loader, BatchesUseMemoryAgain) {
  Loader loader(numbers(10000).batch({.size = 100}), {.threads = 0});
  std::set<const void *> memories;
  while (const Example *batch = loader.next())
    memories.insert(batch->features[0].data());
  EXPECT_LE(memories.size(), 2u);
}
