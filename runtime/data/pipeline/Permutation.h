/// Permutations that are functions of a key.
#ifndef TG_RUNTIME_DATA_PIPELINE_PERMUTATION_H
#define TG_RUNTIME_DATA_PIPELINE_PERMUTATION_H

#include <cstdint>

namespace tg::data {

/// Returns the element at `index` in a pseudorandom permutation of the numbers
/// less than `count`, which is more than `index`. Computes it without a table,
/// by the swap-or-not shuffle of Hoang, Morris and Rogaway (2012): each round
/// pairs the numbers x and k - x and swaps each pair with probability 1/2.
uint64_t permuted(uint64_t key, uint64_t index, uint64_t count);

} // namespace tg::data

#endif // TG_RUNTIME_DATA_PIPELINE_PERMUTATION_H
