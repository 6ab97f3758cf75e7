//===- Scramble.h - pseudorandom numbers of inputs ------------------------===//
#ifndef TG_TEST_NUMERIC_SCRAMBLE_H
#define TG_TEST_NUMERIC_SCRAMBLE_H

#include <cstdint>

namespace tg::test {

/// Returns a pseudorandom number for a counter (splitmix64: Steele, Lea, Flood,
/// "Fast splittable pseudorandom number generators", 2014).
inline uint64_t scramble(uint64_t counter) {
  uint64_t z = counter * 0x9e3779b97f4a7c15u + 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

} // namespace tg::test

#endif // TG_TEST_NUMERIC_SCRAMBLE_H
