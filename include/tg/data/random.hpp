/// Random numbers of stages, which depend on counters alone.
#ifndef TG_DATA_RANDOM_HPP
#define TG_DATA_RANDOM_HPP

#include "../cxx20.h"

#include <cstdint>
#include <initializer_list>
#include <limits>

namespace tg::data {

/// Returns the hash of the counters that `number` is the hash of, and one more.
constexpr uint64_t hashCounter(uint64_t number, uint64_t counter) {
  number += counter + 0x9e3779b97f4a7c15;
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
  number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
  return number ^ (number >> 31);
}

/// Hashes a sequence of counters to a pseudorandom number, with one mixing step
/// of splitmix64 (Steele, Lea and Flood, 2014) for each.
constexpr uint64_t hashCounters(std::initializer_list<uint64_t> counters) {
  uint64_t number = 0;
  for (uint64_t counter : counters)
    number = hashCounter(number, counter);
  return number;
}

/// The random choices of one stage for one example. Equal seeds, epochs,
/// examples and stages give equal numbers on every machine.
class Random {
public:
  using result_type = uint64_t;

  Random(uint64_t seed, uint64_t epoch, uint64_t exampleId, uint64_t stageId)
      : Random(hashCounters({seed, epoch, exampleId}), stageId) {}

  /// Returns the choices of a stage, which is `stages` stages after this one,
  /// for the same seed, epoch and example.
  Random later(uint64_t stages) const { return {example, stage + stages}; }

  static constexpr uint64_t min() { return 0; }
  static constexpr uint64_t max() {
    return std::numeric_limits<uint64_t>::max();
  }
  /// Returns the next 64 random bits.
  uint64_t operator()() { return hashCounters({key, drawn++}); }
  /// Returns a number in [0, 1), a multiple of 2^-53.
  double uniform() { return static_cast<double>((*this)() >> 11) * 0x1p-53; }
  double uniform(double low, double high) {
    return low + (high - low) * uniform();
  }
  /// Returns a whole number less than `end`, which is at least 1. The
  /// probabilities differ by less than end / 2^64.
  uint64_t below(uint64_t end) {
    return static_cast<uint64_t>(
        (static_cast<unsigned __int128>((*this)()) * end) >> 64);
  }

private:
  Random(uint64_t hash, uint64_t number)
      : example(hash), stage(number), key(hashCounter(hash, number)) {}

  uint64_t example; // the hash of seed, epoch and example
  uint64_t stage;
  uint64_t key;
  uint64_t drawn = 0;
};

} // namespace tg::data

#endif // TG_DATA_RANDOM_HPP
