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
  EXPECT_EQ(errorOf([&] {
              randomSplit({5, -1}, generator, Rows(x));
            }),
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
