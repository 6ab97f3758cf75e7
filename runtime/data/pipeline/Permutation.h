/// Permutations that are functions of a key.
#ifndef TG_RUNTIME_DATA_PIPELINE_PERMUTATION_H
#define TG_RUNTIME_DATA_PIPELINE_PERMUTATION_H

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace tg::data {

/// A pseudorandom permutation of the numbers less than `count`, without a
/// table: the swap-or-not shuffle of Hoang, Morris and Rogaway (2012). Each
/// round pairs the numbers x and k - x and swaps each pair with probability
/// 1/2.
class Permutation {
public:
  Permutation(uint64_t key, uint64_t count);

  /// Returns the element at `index`, which is less than the count.
  uint64_t at(uint64_t index) const;
  bool isOf(uint64_t otherKey, uint64_t otherCount) const {
    return key == otherKey && count == otherCount;
  }

private:
  struct Round {
    uint64_t offset; // k
    uint64_t hash;   // of the key of the round
  };

  uint64_t key, count;
  std::vector<Round> rounds;
};

/// The permutation that was used last. Thread-safe.
class LastPermutation {
public:
  std::shared_ptr<const Permutation> get(uint64_t key, uint64_t count);

private:
  std::mutex mutex;
  std::shared_ptr<const Permutation> last;
};

} // namespace tg::data

#endif // TG_RUNTIME_DATA_PIPELINE_PERMUTATION_H
