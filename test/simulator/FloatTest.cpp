#include "support/Evaluate.h"

using namespace tg::test;

namespace {

/// The name of each floating-point type in PTX.
template <class V> std::string nameOf() {
  return sizeof(V) == 4 ? ".f32" : ".f64";
}

TEST_F(InstructionTest, FloatSums) {
#define RUN(V)                                                                 \
  check("add.rn" + nameOf<V>(), +[](V a, V b) { return a + b; });              \
  check("sub.rn" + nameOf<V>(), +[](V a, V b) { return a - b; });
  RUN(float) RUN(double)
#undef RUN
}

TEST_F(InstructionTest, FloatProducts) {
#define RUN(V)                                                                 \
  check("mul.rn" + nameOf<V>(), +[](V a, V b) { return a * b; });              \
  check(                                                                       \
      "fma.rn" + nameOf<V>(),                                                  \
      +[](V a, V b, V c) { return std::fma(a, b, c); });
  RUN(float) RUN(double)
#undef RUN
}

TEST_F(InstructionTest, FloatQuotientsAndRoots) {
#define RUN(V)                                                                 \
  check("div.rn" + nameOf<V>(), +[](V a, V b) { return a / b; });              \
  check("rcp.rn" + nameOf<V>(), +[](V a) { return 1 / a; });                   \
  check("sqrt.rn" + nameOf<V>(), +[](V a) { return std::sqrt(a); });
  RUN(float) RUN(double)
#undef RUN
}

/// Numbers win over NaN, and -0 is less than +0.
TEST_F(InstructionTest, FloatExtremes) {
#define RUN(V)                                                                 \
  check(                                                                       \
      "min" + nameOf<V>(), +[](V a, V b) {                                     \
        if (a == 0 && b == 0)                                                  \
          return std::signbit(a) ? a : b;                                      \
        return std::fmin(a, b);                                                \
      });                                                                      \
  check(                                                                       \
      "max" + nameOf<V>(), +[](V a, V b) {                                     \
        if (a == 0 && b == 0)                                                  \
          return std::signbit(a) ? b : a;                                      \
        return std::fmax(a, b);                                                \
      });
  RUN(float) RUN(double)
#undef RUN
}

TEST_F(InstructionTest, FloatExtremesWithNaN) {
  check(
      "min.NaN.f32", +[](float a, float b) {
        if (std::isnan(a) || std::isnan(b))
          return std::nanf("");
        if (a == 0 && b == 0)
          return std::signbit(a) ? a : b;
        return a < b ? a : b;
      });
  check(
      "max.NaN.f32", +[](float a, float b) {
        if (std::isnan(a) || std::isnan(b))
          return std::nanf("");
        if (a == 0 && b == 0)
          return std::signbit(a) ? b : a;
        return a < b ? b : a;
      });
}

/// Signs of NaN change as well, hence these compare bits.
TEST_F(InstructionTest, FloatSigns) {
  check("neg.f32", +[](uint32_t a) { return a ^ 0x80000000; });
  check("abs.f32", +[](uint32_t a) { return a & 0x7fffffff; });
  check(
      "copysign.f32", +[](uint32_t a, uint32_t b) {
        return (a & 0x80000000) | (b & 0x7fffffff);
      });
  constexpr uint64_t sign = 0x8000000000000000;
  check("neg.f64", +[](uint64_t a) { return a ^ sign; });
  check("abs.f64", +[](uint64_t a) { return a & ~sign; });
  check(
      "copysign.f64",
      +[](uint64_t a, uint64_t b) { return (a & sign) | (b & ~sign); });
}

TEST_F(InstructionTest, FloatProperties) {
#define RUN(V)                                                                 \
  check("testp.finite" + nameOf<V>(), +[](V a) { return bool(a - a == 0); });  \
  check(                                                                       \
      "testp.infinite" + nameOf<V>(),                                          \
      +[](V a) { return bool(std::isinf(a)); });                               \
  check("testp.number" + nameOf<V>(), +[](V a) { return a == a; });            \
  check("testp.notanumber" + nameOf<V>(), +[](V a) { return a != a; });        \
  check(                                                                       \
      "testp.normal" + nameOf<V>(), +[](V a) {                                 \
        bool isLarge = std::fabs(a) >= std::numeric_limits<V>::min();          \
        return a == 0 || (isLarge && !std::isinf(a));                          \
      });                                                                      \
  check(                                                                       \
      "testp.subnormal" + nameOf<V>(), +[](V a) {                              \
        return a != 0 && std::fabs(a) < std::numeric_limits<V>::min();         \
      });
  RUN(float) RUN(double)
#undef RUN
}

/// A product is rounded before a separate sum, but not in fma.
TEST_F(InstructionTest, FloatsAreNotContracted) {
  CUfunction function = kernel(kernelOf(1, R"(
ld.global.b32 %r1, [%p0];
mul.rn.f32 %r2, %r1, %r1;
add.rn.f32 %r2, %r2, 0fBF800000;
fma.rn.f32 %r3, %r1, %r1, 0fBF800000;
st.global.v2.b32 [%p0], {%r2, %r3};
)"),
                               "k");
  Buffer values(8);
  volatile float x = 1.0f + 0x1p-20f;
  values.put(std::vector<float>{x, 0});
  run(function, 1, 1, {values.address});
  volatile float product = x * x;
  EXPECT_EQ(values.take<float>(2),
            (std::vector<float>{product - 1, std::fma(x, x, -1.0f)}));
}

} // namespace
