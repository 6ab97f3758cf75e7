/// Runs single instructions on many operands.
#ifndef TG_TEST_SIMULATOR_SUPPORT_EVALUATE_H
#define TG_TEST_SIMULATOR_SUPPORT_EVALUATE_H

#include "Cuda.h"

#include <bit>
#include <cmath>
#include <limits>

namespace tg::test {

/// The operands of one execution, as bits.
using Operands = std::vector<uint64_t>;

/// Returns the bits of a value without its extension.
template <class V> uint64_t encode(V value) {
  if constexpr (std::is_same_v<V, bool>)
    return value;
  else if constexpr (std::is_same_v<V, float>)
    return std::bit_cast<uint32_t>(value);
  else if constexpr (std::is_same_v<V, double>)
    return std::bit_cast<uint64_t>(value);
  else
    return static_cast<std::make_unsigned_t<V>>(value);
}

/// Returns the value of bits.
template <class V> V decode(uint64_t bits) {
  if constexpr (std::is_same_v<V, bool>)
    return bits != 0;
  else if constexpr (std::is_same_v<V, float>)
    return std::bit_cast<float>(static_cast<uint32_t>(bits));
  else if constexpr (std::is_same_v<V, double>)
    return std::bit_cast<double>(bits);
  else
    return static_cast<V>(bits);
}

/// The width in bits of a type; that of predicates is 1.
template <class V>
inline constexpr unsigned widthOf = std::is_same_v<V, bool> ? 1 : 8 * sizeof(V);

/// Returns values of a type at which operations may go wrong.
template <class V> std::vector<V> edges() {
  using Limits = std::numeric_limits<V>;
  if constexpr (std::is_same_v<V, bool>)
    return {false, true};
  else if constexpr (std::is_integral_v<V>)
    return {0,
            1,
            2,
            7,
            static_cast<V>(8 * sizeof(V) - 1),
            static_cast<V>(8 * sizeof(V)),
            static_cast<V>(-1),
            static_cast<V>(-7),
            Limits::max(),
            Limits::min(),
            static_cast<V>(Limits::max() / 3),
            static_cast<V>(uint64_t(1) << (8 * sizeof(V) - 1))};
  else
    return {V(0), -V(0), V(1), V(-1.5), V(0.5), V(2.5), V(0.1), V(-3e9),
            V(1e19), V(65535.75), Limits::min(), -Limits::denorm_min(),
            Limits::max(), Limits::lowest(), Limits::infinity(),
            -Limits::infinity(), Limits::quiet_NaN(),
            // A NaN with its sign and a payload.
            sizeof(V) == 4 ? decode<V>(0xffc12345)
                           : decode<V>(0xfff8000012345678)};
}

/// Returns every tuple of edge values of types.
template <class... A> std::vector<Operands> tuplesOfEdges() {
  std::vector<Operands> tuples = {{}};
  auto extend = [&]<class V>(V) {
    std::vector<Operands> longer;
    for (const Operands &tuple : tuples)
      for (V value : edges<V>()) {
        longer.push_back(tuple);
        longer.back().push_back(encode(value));
      }
    tuples = std::move(longer);
  };
  (extend(A()), ...);
  return tuples;
}

/// The widths in bits of the result and the operands of an instruction.
struct Widths {
  unsigned result;
  std::vector<unsigned> operands;
};

/// Notes that a test runs an instruction. A run of all tests fails if one of
/// the table is missing.
void noteRun(const std::string &opcode);

/// A test of single instructions.
class InstructionTest : public CudaTest {
protected:
  /// Returns the results of an instruction on tuples of operands.
  std::vector<uint64_t> evaluate(const std::string &opcode,
                                 const Widths &widths,
                                 const std::vector<Operands> &tuples);

  /// Expects the results of a function on all tuples of edge values. A function
  /// from A... to R states the types.
  template <class R, class... A>
  void check(const std::string &opcode, R (*expected)(A...)) {
    std::vector<Operands> tuples = tuplesOfEdges<A...>();
    std::vector<uint64_t> results =
        evaluate(opcode, {widthOf<R>, {widthOf<A>...}}, tuples);
    for (size_t i = 0; i < tuples.size() && !HasFailure(); ++i) {
      R value = apply(expected, tuples[i], std::index_sequence_for<A...>());
      expectSame(value, results[i], opcode, tuples[i]);
    }
  }

private:
  template <class R, class... A, size_t... I>
  static R apply(R (*function)(A...), const Operands &operands,
                 std::index_sequence<I...>) {
    return function(decode<A>(operands[I])...);
  }

  template <class R>
  static void expectSame(R expected, uint64_t found, const std::string &opcode,
                         const Operands &operands) {
    if constexpr (std::is_same_v<R, double>)
      if (std::isnan(expected) && std::isnan(decode<double>(found)))
        return;
    uint64_t bits = encode(expected);
    if constexpr (std::is_same_v<R, float>)
      bits = std::isnan(expected) ? 0x7fffffff : bits;
    EXPECT_EQ(found, bits) << opcode << " of "
                           << testing::PrintToString(operands);
  }
};

} // namespace tg::test

#endif
