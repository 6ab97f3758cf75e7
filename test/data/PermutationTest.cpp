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
  for (uint64_t i = 0; i < count; ++i)
    order.push_back(permuted(key, i, count));
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
  double sum = 0, product = 0;
  const int trials = 20'000;
  for (int i = 0; i < trials; ++i) {
    const double x = double(permuted(5, uint64_t(i), count)) / count - 0.5;
    const double y = double(permuted(5, uint64_t(i) + 1, count)) / count - 0.5;
    sum += x;
    product += x * y;
  }
  // The means of independent numbers have deviations of 0.002 and 0.0006.
  EXPECT_NEAR(sum / trials, 0, 0.008);
  EXPECT_NEAR(product / trials, 0, 0.0024);
}

TEST(Permutation, LargestCount) {
  const uint64_t count = ~uint64_t(0);
  EXPECT_LT(permuted(1, count - 1, count), count);
  EXPECT_NE(permuted(1, 0, count), permuted(1, 1, count));
}
