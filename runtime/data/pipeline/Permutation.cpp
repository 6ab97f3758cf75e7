//===- Permutation.cpp - permutations that are functions of a key ---------===//
#include "Permutation.h"

#include "tg/data/random.hpp"

#include <algorithm>
#include <bit>

using namespace tg::data;

Permutation::Permutation(uint64_t permutationKey, uint64_t size)
    : key(permutationKey), count(size) {
  // The distance from a uniform permutation falls by a constant factor with
  // each log2(count) rounds.
  rounds.resize(static_cast<size_t>(6 * std::bit_width(count - 1)));
  for (size_t i = 0; i < rounds.size(); ++i) {
    const uint64_t roundKey = hashCounters({key, i});
    rounds[i] = {roundKey % count, hashCounters({roundKey})};
  }
}

uint64_t Permutation::at(uint64_t index) const {
  for (const Round &round : rounds) {
    const uint64_t partner = round.offset >= index
                                 ? round.offset - index
                                 : round.offset + (count - index);
    const bool swaps = hashCounter(round.hash, std::max(index, partner)) & 1;
    index = swaps ? partner : index;
  }
  return index;
}

std::shared_ptr<const Permutation> LastPermutation::get(uint64_t key,
                                                        uint64_t count) {
  std::lock_guard lock(mutex);
  if (!last || !last->isOf(key, count))
    last = std::make_shared<Permutation>(key, count);
  return last;
}
