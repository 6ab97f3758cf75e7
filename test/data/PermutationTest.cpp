//===- PermutationTest.cpp - permutations without tables ------------------===//
#include "runtime/data/pipeline/Permutation.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <set>
#include <vector>

using namespace tg::data;

static std::vector<uint64_t> orderOf(uint64_t key, uint64_t count) {
  std::vector<uint64_t> order;
  const Permutation permutation(key, count);
  for (uint64_t i = 0; i < count; ++i)
    order.push_back(permutation.at(i));
  return order;
}

TEST(Permutation, HasEachNumberOnce) {
  for (uint64_t count : {1, 2, 3, 10, 64, 65, 1000, 4099}) {
    const std::vector<uint64_t> order = orderOf(3, count);
    EXPECT_EQ(std::set<uint64_t>(order.begin(), order.end()).size(), count);
    EXPECT_LT(*std::max_element(order.begin(), order.end()), count);
  }
}

TEST(Permutation, AllOrdersOfFourAreEquallyLikely) {
  std::map<std::vector<uint64_t>, int> frequencies;
  const int trials = 24 * 1000;
  for (int key = 0; key < trials; ++key)
    ++frequencies[orderOf(static_cast<uint64_t>(key), 4)];
  ASSERT_EQ(frequencies.size(), 24u);
  double chi = 0;
  for (const auto &[order, frequency] : frequencies)
    chi += (frequency - 1000) * (frequency - 1000) / 1000.0;
  EXPECT_LT(chi, 49.7); // 23 degrees of freedom: exceeded once in 1000 times
}

TEST(Permutation, NeighboursSpreadOverLargeSets) {
  const uint64_t count = 10'000'019;
  const Permutation permutation(5, count);
  double sum = 0, product = 0;
  const int trials = 20'000;
  for (int i = 0; i < trials; ++i) {
    const double x = double(permutation.at(uint64_t(i))) / count - 0.5;
    const double y = double(permutation.at(uint64_t(i) + 1)) / count - 0.5;
    sum += x;
    product += x * y;
  }
  // The means of independent numbers have deviations of 0.002 and 0.0006.
  EXPECT_NEAR(sum / trials, 0, 0.008);
  EXPECT_NEAR(product / trials, 0, 0.0024);
}

TEST(Permutation, LargestCount) {
  const uint64_t count = ~uint64_t(0);
  const Permutation permutation(1, count);
  EXPECT_LT(permutation.at(count - 1), count);
  EXPECT_NE(permutation.at(0), permutation.at(1));
}

TEST(Permutation, OrdersOfEarlierVersionsStay) {
  EXPECT_EQ(orderOf(7, 10),
            (std::vector<uint64_t>{4, 3, 7, 1, 2, 8, 6, 5, 0, 9}));
  EXPECT_EQ(Permutation(7, 10'000'019).at(123), 8791259u);
}

TEST(Permutation, TheLastOneIsKept) {
  LastPermutation last;
  const auto first = last.get(3, 10);
  EXPECT_EQ(last.get(3, 10), first);
  EXPECT_EQ(last.get(3, 11)->at(5), Permutation(3, 11).at(5));
  EXPECT_EQ(last.get(4, 11)->at(5), Permutation(4, 11).at(5));
}
