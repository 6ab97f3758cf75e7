#include "support/Evaluate.h"

using namespace tg::test;

namespace {

using Wide = __int128;

/// The name of each integer type in PTX.
template <class V> std::string nameOf() {
  return (std::is_signed_v<V> ? ".s" : ".u") + std::to_string(8 * sizeof(V));
}

/// Expects results of types in turn.
#define FOR_TYPES(run)                                                         \
  run(uint16_t) run(int16_t) run(uint32_t) run(int32_t) run(uint64_t)          \
      run(int64_t)

TEST_F(InstructionTest, IntegerSums) {
#define RUN(V)                                                                 \
  check("add" + nameOf<V>(), +[](V a, V b) { return V(Wide(a) + b); });        \
  check("sub" + nameOf<V>(), +[](V a, V b) { return V(Wide(a) - b); });
  FOR_TYPES(RUN)
#undef RUN
}

TEST_F(InstructionTest, IntegerProducts) {
#define RUN(V)                                                                 \
  check(                                                                       \
      "mul.lo" + nameOf<V>(),                                                  \
      +[](V a, V b) { return V(uint64_t(a) * uint64_t(b)); });                 \
  check(                                                                       \
      "mad.lo" + nameOf<V>(), +[](V a, V b, V c) {                             \
        return V(uint64_t(a) * uint64_t(b) + uint64_t(c));                     \
      });
  FOR_TYPES(RUN)
#undef RUN
}

TEST_F(InstructionTest, UpperHalvesOfProducts) {
#define RUN(V)                                                                 \
  check(                                                                       \
      "mul.hi" + nameOf<V>(), +[](V a, V b) {                                  \
        using Product =                                                        \
            std::conditional_t<std::is_signed_v<V>, Wide, unsigned __int128>;  \
        return V((Product(a) * Product(b)) >> (8 * sizeof(V)));                \
      });
  FOR_TYPES(RUN)
#undef RUN
}

TEST_F(InstructionTest, WideProducts) {
  check(
      "mul.wide.u16",
      +[](uint16_t a, uint16_t b) -> uint32_t { return uint32_t(a) * b; });
  check(
      "mul.wide.s16",
      +[](int16_t a, int16_t b) -> int32_t { return int32_t(a) * b; });
  check(
      "mul.wide.u32",
      +[](uint32_t a, uint32_t b) -> uint64_t { return uint64_t(a) * b; });
  check(
      "mul.wide.s32",
      +[](int32_t a, int32_t b) -> int64_t { return int64_t(a) * b; });
}

TEST_F(InstructionTest, WideSums) {
  check(
      "mad.wide.u16", +[](uint16_t a, uint16_t b, uint32_t c) -> uint32_t {
        return uint32_t(Wide(a) * b + c);
      });
  check(
      "mad.wide.s16", +[](int16_t a, int16_t b, int32_t c) -> int32_t {
        return int32_t(Wide(a) * b + c);
      });
  check(
      "mad.wide.u32", +[](uint32_t a, uint32_t b, uint64_t c) -> uint64_t {
        return uint64_t(Wide(a) * b + c);
      });
  check(
      "mad.wide.s32", +[](int32_t a, int32_t b, int64_t c) -> int64_t {
        return int64_t(Wide(a) * b + c);
      });
}

/// A quotient by 0 is not defined: the simulator gives all bits, and a real
/// device has its own value.
TEST_F(InstructionTest, Quotients) {
#define RUN(V)                                                                 \
  check(                                                                       \
      "div" + nameOf<V>(),                                                     \
      +[](V a, V b) { return b == 0 ? V(-1) : V(Wide(a) / b); });
  FOR_TYPES(RUN)
#undef RUN
}

TEST_F(InstructionTest, Remainders) {
#define RUN(V)                                                                 \
  check(                                                                       \
      "rem" + nameOf<V>(),                                                     \
      +[](V a, V b) { return b == 0 ? a : V(Wide(a) % b); });
  FOR_TYPES(RUN)
#undef RUN
}

TEST_F(InstructionTest, IntegerExtremes) {
#define RUN(V)                                                                 \
  check("min" + nameOf<V>(), +[](V a, V b) { return a < b ? a : b; });         \
  check("max" + nameOf<V>(), +[](V a, V b) { return a < b ? b : a; });
  FOR_TYPES(RUN)
#undef RUN
}

TEST_F(InstructionTest, IntegerSigns) {
#define RUN(V)                                                                 \
  check("neg" + nameOf<V>(), +[](V a) { return V(-Wide(a)); });                \
  check("abs" + nameOf<V>(), +[](V a) { return V(a < 0 ? -Wide(a) : a); });
  RUN(int16_t) RUN(int32_t) RUN(int64_t)
#undef RUN
}

/// Tests carries by sums of two words, which take two instructions.
class CarryTest : public InstructionTest {
protected:
  /// Runs two instructions on (low, high) pairs. Returns their results.
  std::vector<uint64_t> runPair(const std::string &first,
                                const std::string &second, unsigned width,
                                const std::vector<Operands> &tuples) {
    noteRun(first);
    noteRun(second);
    std::string bank = width == 64 ? "%d" : "%r";
    std::string type = ".b" + std::to_string(width) + " ";
    std::string body;
    for (int i = 0; i < 4; ++i)
      body += "ld.global" + type + bank + std::to_string(i + 1) + ", [%p0+" +
              std::to_string(8 * i) + "];\n";
    body += first + " " + bank + "5, " + bank + "1, " + bank + "3;\n";
    body += second + " " + bank + "6, " + bank + "2, " + bank + "4;\n";
    body += "st.global" + type + "[%p1], " + bank + "5;\n";
    body += "st.global" + type + "[%p1+8], " + bank + "6;\n";
    CUfunction function = kernel(kernelOf(2, body), "k");
    Buffer operands(32), results(16);
    std::vector<uint64_t> found;
    for (const Operands &tuple : tuples) {
      operands.put(tuple);
      results.put(std::vector<uint64_t>(2, 0));
      run(function, 1, 1, {operands.address, results.address});
      for (uint64_t word : results.take<uint64_t>(2))
        found.push_back(word);
    }
    return found;
  }

  /// Expects sums or differences of two words.
  template <class V> void checkPair(const std::string &type, bool isSum) {
    std::vector<Operands> tuples = tuplesOfEdges<V, V, V, V>();
    // Every tenth tuple, as each takes a launch.
    std::vector<Operands> some;
    for (size_t i = 0; i < tuples.size(); i += 10)
      some.push_back(tuples[i]);
    std::string name = isSum ? "add" : "sub";
    std::vector<uint64_t> found =
        runPair(name + ".cc" + type, name + "c.cc" + type, widthOf<V>, some);
    EXPECT_EQ(found, runPair(name + ".cc" + type, name + "c" + type, widthOf<V>,
                             some));
    for (size_t i = 0; i < some.size() && !HasFailure(); ++i) {
      const Operands &t = some[i];
      using Pair = unsigned __int128;
      Pair a = Pair(t[1]) << widthOf<V> | t[0];
      Pair b = Pair(t[3]) << widthOf<V> | t[2];
      Pair result = isSum ? a + b : a - b;
      EXPECT_EQ(found[2 * i], V(result)) << testing::PrintToString(t);
      EXPECT_EQ(found[2 * i + 1], V(result >> widthOf<V>))
          << testing::PrintToString(t);
    }
  }
};

TEST_F(CarryTest, Sums) {
  checkPair<uint32_t>(".u32", true);
  checkPair<uint32_t>(".s32", true);
  checkPair<uint64_t>(".u64", true);
  checkPair<uint64_t>(".s64", true);
}

TEST_F(CarryTest, Differences) {
  checkPair<uint32_t>(".u32", false);
  checkPair<uint32_t>(".s32", false);
  checkPair<uint64_t>(".u64", false);
  checkPair<uint64_t>(".s64", false);
}

} // namespace
