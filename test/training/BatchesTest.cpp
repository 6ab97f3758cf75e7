/// Batches of arrays and blocks of files.
#include <tg/training/blocks.hpp>

#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <random>

using namespace tg;

/// Returns the numbers 0, 1, 2, ...
template <typename T> static std::vector<T> count(size_t size) {
  std::vector<T> numbers(size);
  std::iota(numbers.begin(), numbers.end(), T(0));
  return numbers;
}

template <typename Batches>
static std::vector<size_t> sizesOf(const Batches &batches) {
  std::vector<size_t> sizes;
  for (const auto &batch : batches)
    sizes.push_back(std::get<0>(batch).size());
  return sizes;
}

TEST(BatchesTest, keepsOrLeavesOutTheSmallLastBatch) {
  const std::vector<float> x = count<float>(200);
  const std::vector<int32_t> y = count<int32_t>(100);
  SequentialIterator all({.size = 32}, Rows(x, 2), Rows(y));
  EXPECT_EQ(all.size(), 100u);
  EXPECT_EQ(sizesOf(all), (std::vector<size_t>{32, 32, 32, 4}));
  SequentialIterator full({.size = 32, .dropsRemainder = true}, Rows(x, 2),
                          Rows(y));
  EXPECT_EQ(sizesOf(full), (std::vector<size_t>{32, 32, 32}));
  EXPECT_EQ(sizesOf(SequentialIterator({.size = 128, .dropsRemainder = true},
                                       Rows(y))),
            std::vector<size_t>());
  size_t row = 0;
  for (auto [images, labels] : all)
    for (size_t i = 0; i < labels.size(); ++i, ++row) {
      EXPECT_EQ(images[i][0], static_cast<float>(2 * row));
      EXPECT_EQ(labels[i][0], static_cast<int32_t>(row));
    }
  EXPECT_EQ(row, 100u);
}

TEST(BatchesTest, slicesAreOfTheSameKind) {
  const std::vector<int32_t> y = count<int32_t>(100);
  SequentialIterator all({.size = 32}, Rows(y));
  SequentialIterator<int32_t> part = all.slice(90, 1000);
  EXPECT_EQ(part.size(), 10u);
  EXPECT_EQ(std::get<0>(part[0])[0][0], 90);
  EXPECT_EQ(all.slice(5, 3).size(), 0u);
}

TEST(BatchesTest, windowsGoByTheirStep) {
  const std::vector<int32_t> y = count<int32_t>(10);
  StepIterator windows(3, {.size = 4}, Rows(y));
  std::vector<std::vector<int32_t>> found;
  for (auto [rows] : windows)
    found.emplace_back(rows.values().begin(), rows.values().end());
  EXPECT_EQ(found, (std::vector<std::vector<int32_t>>{
                       {0, 1, 2, 3}, {3, 4, 5, 6}, {6, 7, 8, 9}, {9}}));
  StepIterator full(3, {.size = 4, .dropsRemainder = true}, Rows(y));
  EXPECT_EQ(full.batchCount(), 3u);
  EXPECT_EQ(full.slice(0, 7).batchCount(), 2u);
}

TEST(BatchesTest, shufflesArraysAlike) {
  const std::vector<float> x = count<float>(30);
  const std::vector<int32_t> y = count<int32_t>(10);
  std::mt19937 generator(1), same(1);
  Shuffled first(Rows(x, 3), Rows(y)), second(Rows(x, 3), Rows(y));
  std::vector<int32_t> order;
  for (auto [images, labels] : first.shuffle(generator, {.size = 4}))
    for (size_t i = 0; i < labels.size(); ++i) {
      EXPECT_EQ(images[i][1], static_cast<float>(3 * labels[i][0] + 1));
      order.push_back(labels[i][0]);
    }
  EXPECT_TRUE(std::is_permutation(order.begin(), order.end(), y.begin()));
  EXPECT_NE(order, y);
  auto again = std::get<1>(second.shuffle(same, {.size = 10})[0]).values();
  EXPECT_TRUE(std::equal(again.begin(), again.end(), order.begin()));
  auto next = std::get<1>(second.shuffle(same, {.size = 10})[0]).values();
  EXPECT_FALSE(std::equal(next.begin(), next.end(), order.begin()));
}

TEST(BatchesTest, ordersFollowFromSeedAndEpoch) {
  const std::vector<int32_t> y = count<int32_t>(10);
  auto orderOf = [](Shuffled<int32_t> &rows, uint64_t seed, uint64_t epoch) {
    auto all = std::get<0>(rows.shuffle(seed, epoch, {.size = 10})[0]).values();
    return std::vector<int32_t>(all.begin(), all.end());
  };
  Shuffled<int32_t> whole{Rows(y)}, resumed{Rows(y)};
  std::vector<std::vector<int32_t>> orders;
  for (uint64_t epoch : {0, 1, 2})
    orders.push_back(orderOf(whole, 7, epoch));
  EXPECT_TRUE(
      std::is_permutation(orders[0].begin(), orders[0].end(), y.begin()));
  EXPECT_EQ(orderOf(resumed, 7, 2), orders[2]);
  EXPECT_EQ(orderOf(whole, 7, 0), orders[0]);
  EXPECT_NE(orders[0], orders[1]);
  EXPECT_NE(orderOf(whole, 8, 0), orders[0]);
  EXPECT_NE(orderOf(whole, 7, uint64_t(1) << 32), orders[0]);
}

/// Returns the message of the exception that a call throws.
template <typename Call> static std::string errorOf(Call call) {
  try {
    call();
  } catch (const std::exception &error) {
    return error.what();
  }
  return "";
}

TEST(BatchesTest, refusesWhatDoesNotFit) {
  const std::vector<int32_t> y = count<int32_t>(10);
  EXPECT_EQ(errorOf([&] { Rows(y, 3); }),
            "expected whole rows of 3 elements, found 10 elements");
  EXPECT_EQ(errorOf([&] { Rows(y, 0); }),
            "expected whole rows of 0 elements, found 10 elements");
  EXPECT_EQ(errorOf([&] { SequentialIterator({}, Rows(y), Rows(y, 2)); }),
            "expected arrays of 10 rows, found 5");
  EXPECT_EQ(errorOf([&] { SequentialIterator({.size = 0}, Rows(y)); }),
            "expected batches of 1 or more, found 0");
  EXPECT_EQ(errorOf([&] { StepIterator(0, {}, Rows(y)); }),
            "expected steps of 1 or more rows, found 0");
}

TEST(BatchesTest, areDataSets) {
  const std::vector<float> x = count<float>(10);
  const std::vector<int32_t> y = count<int32_t>(5);
  const data::Dataset data =
      SequentialIterator({.size = 2}, Rows(x, 2), Rows(y)).dataset({"x", "y"});
  EXPECT_EQ(data.type()[0].text(), "f32 [?, 2]");
  EXPECT_EQ(data.type()[1].text(), "i32 [?]");
  EXPECT_EQ(data.size(), 3u);
  const data::Example last = data.read(0, 2);
  EXPECT_EQ(last.features[0].shape(), (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(last.features[0].values<float>()[1], 9);
  EXPECT_EQ(last.features[1].values<int32_t>()[0], 4);
}

namespace {
using Numbers = DataBlocks<float, int32_t>;
}

/// Loads a fake file: "12" holds the integers below 12 and twice as many
/// floats.
static std::tuple<Table<float>, Table<int32_t>>
load(const Numbers::Paths &paths) {
  if (paths[0] == "broken")
    throw std::runtime_error("'broken' cannot be read");
  const auto rows = static_cast<size_t>(std::stoul(paths[0]));
  return {Table<float>{count<float>(2 * rows), 2},
          Table<int32_t>{count<int32_t>(rows), 1}};
}

TEST(BlocksTest, givesOneBlockAfterTheOther) {
  for (bool preloads : {false, true}) {
    Numbers blocks({{"12"}, {"5"}, {"0"}}, load,
                   {.batches = {.size = 8}, .preloads = preloads});
    EXPECT_EQ(blocks.size(), 3u);
    for (int round = 0; round < 2; ++round, blocks.reset()) {
      std::vector<std::vector<size_t>> sizes;
      while (const auto *block = blocks.next())
        sizes.push_back(sizesOf(block->batches()));
      EXPECT_EQ(sizes, (std::vector<std::vector<size_t>>{{8, 4}, {5}, {}}));
      EXPECT_EQ(blocks.next(), nullptr);
    }
  }
}

TEST(BlocksTest, takesGroupsWrittenInPlace) {
  using Pair = DataBlocks<float, int32_t>;
  EXPECT_EQ(Pair({{"x.npy", "y.npy"}}).size(), 1u);
  EXPECT_EQ(Pair({{"x0.npy", "y0.npy"}, {"x1.npy", "y1.npy"}}).size(), 2u);
  EXPECT_EQ(Pair({{"x.npy", "y.npy"}}, {.preloads = true}).size(), 1u);
}

TEST(BlocksTest, splitsABlock) {
  Numbers blocks({{"12"}}, load);
  auto [training, validation] = blocks.next()->split();
  EXPECT_EQ(training.size(), 10u);
  EXPECT_EQ(validation.size(), 2u);
  EXPECT_EQ(std::get<1>(validation[0])[0][0], 10);
}

TEST(BlocksTest, tellsWhatCannotBeLoaded) {
  for (bool preloads : {false, true}) {
    Numbers blocks({{"3"}, {"broken"}}, load, {.preloads = preloads});
    EXPECT_NE(blocks.next(), nullptr);
    EXPECT_EQ(errorOf([&] { blocks.next(); }), "'broken' cannot be read");
  }
}
