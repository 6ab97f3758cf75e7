/// Random programs, for comparisons of compiled code with the reference.
#ifndef TG_TEST_NUMERIC_BITS_RANDOMPROGRAM_H
#define TG_TEST_NUMERIC_BITS_RANDOMPROGRAM_H

#include <cstdint>
#include <string>

namespace tg::test {

/// The ops that a random program may contain.
enum class RandomOps {
  /// Elementwise ops, reductions, movements, pooling, loops, branches.
  withoutProducts,
  /// Linear layers and convolutions, too.
  withProducts
};

/// Returns the text of a program with the functions `train`, a step of an
/// optimizer, and `test`. Equal arguments give equal texts on all machines.
std::string makeRandomProgram(uint64_t seed, RandomOps ops);

} // namespace tg::test

#endif // TG_TEST_NUMERIC_BITS_RANDOMPROGRAM_H
