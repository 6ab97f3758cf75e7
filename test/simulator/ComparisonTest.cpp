#include "support/Evaluate.h"

using namespace tg::test;

namespace {

/// Expects a comparison and its combinations with a predicate.
#define CHECK_COMPARISON(V, name, type, expression)                            \
  check("setp." name type, +[](V a, V b) -> bool { return expression; });      \
  check(                                                                       \
      "setp." name ".and" type,                                                \
      +[](V a, V b, bool c) -> bool { return (expression) && c; });            \
  check(                                                                       \
      "setp." name ".or" type,                                                 \
      +[](V a, V b, bool c) -> bool { return (expression) || c; });            \
  check(                                                                       \
      "setp." name ".xor" type,                                                \
      +[](V a, V b, bool c) -> bool { return (expression) != c; });

#define CHECK_EQUALITY(V, type)                                                \
  CHECK_COMPARISON(V, "eq", type, a == b)                                      \
  CHECK_COMPARISON(V, "ne", type, (a < b) || (a > b))

#define CHECK_ORDER(V, type)                                                   \
  CHECK_EQUALITY(V, type)                                                      \
  CHECK_COMPARISON(V, "lt", type, a < b)                                       \
  CHECK_COMPARISON(V, "le", type, a <= b)                                      \
  CHECK_COMPARISON(V, "gt", type, a > b)                                       \
  CHECK_COMPARISON(V, "ge", type, a >= b)

#define CHECK_UNSIGNED(V, type)                                                \
  CHECK_ORDER(V, type)                                                         \
  CHECK_COMPARISON(V, "lo", type, a < b)                                       \
  CHECK_COMPARISON(V, "ls", type, a <= b)                                      \
  CHECK_COMPARISON(V, "hi", type, a > b)                                       \
  CHECK_COMPARISON(V, "hs", type, a >= b)

TEST_F(InstructionTest, ComparisonsOfBits){
    CHECK_EQUALITY(uint16_t, ".b16") CHECK_EQUALITY(uint32_t, ".b32")
        CHECK_EQUALITY(uint64_t, ".b64")}

TEST_F(InstructionTest, ComparisonsOfSignedIntegers){
    CHECK_ORDER(int16_t, ".s16") CHECK_ORDER(int32_t, ".s32")
        CHECK_ORDER(int64_t, ".s64")}

TEST_F(InstructionTest, ComparisonsOfUnsignedIntegers) {
  CHECK_UNSIGNED(uint16_t, ".u16")
  CHECK_UNSIGNED(uint32_t, ".u32")
  CHECK_UNSIGNED(uint64_t, ".u64")
}

/// Returns true if an operand is NaN.
template <class V> bool isUnordered(V a, V b) {
  return std::isnan(a) || std::isnan(b);
}

#define CHECK_FLOATS(V, type)                                                  \
  CHECK_ORDER(V, type)                                                         \
  CHECK_COMPARISON(V, "equ", type, isUnordered(a, b) || a == b)                \
  CHECK_COMPARISON(V, "neu", type, isUnordered(a, b) || a != b)                \
  CHECK_COMPARISON(V, "ltu", type, isUnordered(a, b) || a < b)                 \
  CHECK_COMPARISON(V, "leu", type, isUnordered(a, b) || a <= b)                \
  CHECK_COMPARISON(V, "gtu", type, isUnordered(a, b) || a > b)                 \
  CHECK_COMPARISON(V, "geu", type, isUnordered(a, b) || a >= b)                \
  CHECK_COMPARISON(V, "num", type, !isUnordered(a, b))                         \
  CHECK_COMPARISON(V, "nan", type, isUnordered(a, b))

TEST_F(InstructionTest, ComparisonsOfSingles){CHECK_FLOATS(float, ".f32")}

TEST_F(InstructionTest, ComparisonsOfDoubles){CHECK_FLOATS(double, ".f64")}

TEST_F(InstructionTest, Selections) {
#define RUN(V, ...)                                                            \
  for (const char *type : {__VA_ARGS__})                                       \
    check(                                                                     \
        std::string("selp.") + type,                                           \
        +[](V a, V b, bool c) { return c ? a : b; });
  RUN(uint16_t, "b16", "u16", "s16")
  RUN(uint32_t, "b32", "u32", "s32", "f32")
  RUN(uint64_t, "b64", "u64", "s64", "f64")
#undef RUN
}

TEST_F(InstructionTest, SelectionsBySign) {
#define RUN(V, ...)                                                            \
  for (const char *type : {__VA_ARGS__}) {                                     \
    check(                                                                     \
        std::string("slct.") + type + ".s32",                                  \
        +[](V a, V b, int32_t c) { return c >= 0 ? a : b; });                  \
    check(                                                                     \
        std::string("slct.") + type + ".f32",                                  \
        +[](V a, V b, float c) { return c >= 0 ? a : b; });                    \
  }
  RUN(uint16_t, "b16", "u16", "s16")
  RUN(uint32_t, "b32", "u32", "s32", "f32")
  RUN(uint64_t, "b64", "u64", "s64", "f64")
#undef RUN
}

/// The last predicate of setp and selp may be negated.
TEST_F(InstructionTest, NegatedPredicates) {
  CUfunction function = kernel(kernelOf(1, R"(
setp.eq.u64 %q1, %p0, %p0;
setp.eq.and.u64 %q2, %p0, %p0, !%q1;
selp.b32 %r1, 1, 2, %q2;
selp.b32 %r2, 3, 4, !%q2;
st.global.v2.b32 [%p0], {%r1, %r2};
)"),
                               "k");
  Buffer results(8);
  run(function, 1, 1, {results.address});
  EXPECT_EQ(results.take<int>(2), (std::vector<int>{2, 3}));
}

} // namespace
