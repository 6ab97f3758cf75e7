/// Categories, splits and names of runs.
#include <tg/training.hpp>

#include <cstdlib>
#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace tg;

template <typename Call> static std::string errorOf(Call call) {
  try {
    call();
  } catch (const std::invalid_argument &error) {
    return error.what();
  }
  return "";
}

TEST(CategoriesTest, numbersNamesInTheirOrder) {
  const std::vector<std::string> animals = {"cow", "ant", "cow", "bee"};
  const Categories<std::string> known = catToNum(animals);
  EXPECT_EQ(known.names, (std::vector<std::string>{"ant", "bee", "cow"}));
  EXPECT_EQ(known.numbers, (std::vector<int32_t>{2, 0, 2, 1}));
  EXPECT_EQ(makeOneHot(known.numbers, known.names.size()),
            (std::vector<float>{0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 1, 0}));
  EXPECT_EQ(catToNum<std::string>({"bee", "bee"}, known.names),
            (std::vector<int32_t>{1, 1}));
  EXPECT_EQ(errorOf([&] { catToNum<std::string>({"bat"}, known.names); }),
            "expected one of 3 categories, found 'bat'");
  EXPECT_EQ(catToNum<int>({30, -1, 30}).numbers,
            (std::vector<int32_t>{1, 0, 1}));
  EXPECT_TRUE(catToNum<int>({}).names.empty());
  EXPECT_EQ(catToOneHot<std::string>({"cow", "ant"}, known.names),
            (std::vector<float>{0, 0, 1, 1, 0, 0}));
}

TEST(ExtentsTest, ofWindows) {
  const Window plain{.kernel = 5}, strided{.kernel = 3, .stride = 2},
      dilated{.kernel = 5, .dilation = 2};
  EXPECT_EQ(sameExtent(7, strided), 4);
  EXPECT_EQ(validExtent(100, plain), 96);
  EXPECT_EQ(validExtent(100, dilated), 92);
  EXPECT_EQ(validExtent(8, strided), 3);
  EXPECT_EQ(validExtent(2, plain), 0);
  EXPECT_EQ(desameExtent(4, strided), 8);
  // A transposed convolution of a valid one has the extent of its input.
  for (const Window &window : {plain, strided, dilated})
    EXPECT_EQ(validExtent(devalidExtent(9, window), window), 9);
  EXPECT_EQ(devalidExtents({4, 4}, {strided, plain}),
            (std::vector<int64_t>{9, 8}));
  EXPECT_EQ(sameExtents({5, 6}, {strided, strided}),
            (std::vector<int64_t>{3, 3}));
  EXPECT_EQ(validExtents({5}, {strided}), (std::vector<int64_t>{2}));
  EXPECT_EQ(desameExtents({5}, {strided}), (std::vector<int64_t>{10}));
  EXPECT_EQ(errorOf([&] { sameExtents({5, 6}, {plain}); }),
            "expected a window for each of 2 extents, found 1");
  EXPECT_EQ(errorOf([&] { validExtent(4, {.kernel = 0}); }),
            "expected an extent of 0 or more and windows of 1 or more, found "
            "4, kernel 0, stride 1 and dilation 1");
}

TEST(SplitTest, inOrderOrAtRandom) {
  std::vector<int32_t> y(12);
  std::iota(y.begin(), y.end(), 0);
  const auto inOrder = splitArrays({}, Rows(y));
  ASSERT_EQ(inOrder.size(), 2u);
  EXPECT_EQ(std::get<0>(inOrder[0]).elements,
            (std::vector<int32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(std::get<0>(inOrder[1]).elements, (std::vector<int32_t>{10, 11}));
  const auto drawn = [&](uint64_t seed) {
    return std::get<0>(
               splitArrays({.randomizes = true, .seed = seed}, Rows(y))[0])
        .elements;
  };
  EXPECT_EQ(drawn(1), drawn(1));
  EXPECT_NE(drawn(1), drawn(2));
}

TEST(SplitTest, ofDataSets) {
  data::Feature all({TG_DTYPE_INT, 32, 1}, {12});
  std::iota(all.values<int32_t>().begin(), all.values<int32_t>().end(), 0);
  const data::Dataset data = data::Dataset::fromArrays({"n"}, {all});
  for (bool isRandom : {false, true}) {
    const auto parts = splitDataset(data, {.randomizes = isRandom, .seed = 3});
    ASSERT_EQ(parts.size(), 2u);
    std::vector<int32_t> seen;
    for (const data::Dataset &part : parts)
      // Each epoch has the same examples.
      for (uint64_t i = 0; i < *part.size(); ++i) {
        seen.push_back(part.read(0, i).features[0].values<int32_t>()[0]);
        EXPECT_EQ(seen.back(),
                  part.read(7, i).features[0].values<int32_t>()[0]);
      }
    EXPECT_EQ(*parts[0].size(), 10u);
    EXPECT_EQ(std::is_sorted(seen.begin(), seen.end()), !isRandom);
    std::ranges::sort(seen);
    for (int32_t i = 0; i < 12; ++i)
      EXPECT_EQ(seen[static_cast<size_t>(i)], i);
  }
  EXPECT_THROW(splitDataset(data.repeat()), data::DataError);
}

TEST(SplitTest, putsEachExampleIntoOnePart) {
  std::vector<float> x;
  std::vector<int32_t> y;
  for (int i = 0; i < 100; ++i) {
    x.insert(x.end(), {float(i), float(-i)});
    y.push_back(i);
  }
  std::mt19937 generator(1), same(1);
  const auto parts = randomSplit({5, 1, 4}, generator, Rows(x, 2), Rows(y));
  ASSERT_EQ(parts.size(), 3u);
  std::set<int32_t> seen;
  size_t sizes[] = {50, 10, 40};
  for (size_t i = 0; i < 3; ++i) {
    const auto &[rows, labels] = parts[i];
    EXPECT_EQ(labels.rows().size(), sizes[i]);
    for (size_t row = 0; row < sizes[i]; ++row) {
      EXPECT_EQ(rows.rows()[row][0], float(labels.elements[row]));
      EXPECT_EQ(rows.rows()[row][1], -float(labels.elements[row]));
      seen.insert(labels.elements[row]);
    }
  }
  EXPECT_EQ(seen.size(), 100u);
  const std::vector<int32_t> &first = std::get<1>(parts[0]).elements;
  EXPECT_FALSE(std::is_sorted(first.begin(), first.end()));
  EXPECT_EQ(std::get<0>(randomSplit({5, 5}, same, Rows(y))[0]).elements, first);
}

TEST(SplitTest, roundsDownButForTheLast) {
  std::mt19937 generator(1);
  const std::vector<float> x(7);
  const auto parts = randomSplit({5, 1}, generator, Rows(x));
  EXPECT_EQ(std::get<0>(parts[0]).elements.size(), 5u);
  EXPECT_EQ(std::get<0>(parts[1]).elements.size(), 2u);
  const std::vector<float> ten(10);
  const auto tenths = randomSplit({0.7, 0.2, 0.1}, generator, Rows(ten));
  EXPECT_EQ(std::get<0>(tenths[0]).elements.size(), 7u);
  EXPECT_EQ(std::get<0>(tenths[1]).elements.size(), 2u);
}

TEST(SplitTest, refusesWhatIsNoRatio) {
  std::mt19937 generator(1);
  const std::vector<float> x(6);
  const std::vector<int32_t> y(5);
  EXPECT_EQ(errorOf([&] { randomSplit({5, -1}, generator, Rows(x)); }),
            "expected parts of 0 or more, found -1.000000");
  EXPECT_EQ(errorOf([&] { randomSplit({}, generator, Rows(x)); }),
            "expected a ratio with a part above 0, found none");
  EXPECT_EQ(errorOf([&] { randomSplit({1}, generator, Rows(x), Rows(y)); }),
            "expected arrays of 6 rows, found 5");
}

TEST(TimeStampTest, isLocalTimeThatSorts) {
  ::setenv("TZ", "UTC0", 1);
  ::tzset();
  using std::chrono::system_clock;
  EXPECT_EQ(timeStamp(system_clock::from_time_t(0)), "1970-01-01_00-00-00");
  EXPECT_EQ(timeStamp(system_clock::from_time_t(1774997947)),
            "2026-03-31_22-59-07");
  EXPECT_LE(timeStamp(), timeStamp());
}
