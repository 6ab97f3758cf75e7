//===- Permutation.cpp - permutations that are functions of a key ---------===//
#include "Permutation.h"

#include "tg/data/random.hpp"

#include <algorithm>
#include <bit>

uint64_t tg::data::permuted(uint64_t key, uint64_t index, uint64_t count) {
  // The distance from a uniform permutation falls by a constant factor with
  // each log2(count) rounds.
  const auto rounds = static_cast<uint64_t>(6 * std::bit_width(count - 1));
  for (uint64_t round = 0; round < rounds; ++round) {
    const uint64_t roundKey = hashCounters({key, round});
    const uint64_t offset = roundKey % count;
    const uint64_t partner =
        offset >= index ? offset - index : offset + (count - index);
    if (hashCounters({roundKey, std::max(index, partner)}) & 1)
      index = partner;
  }
  return index;
}
