#include "support/Evaluate.h"

#include <cfenv>

using namespace tg::test;

namespace {

/// The name of each type in PTX.
template <class V> std::string nameOf() {
  if (std::is_floating_point_v<V>)
    return sizeof(V) == 4 ? ".f32" : ".f64";
  return (std::is_signed_v<V> ? ".s" : ".u") + std::to_string(8 * sizeof(V));
}

/// The type of the register that takes a result: bytes have 16-bit registers.
template <class V>
using Held = std::conditional_t<
    sizeof(V) == 1, std::conditional_t<std::is_signed_v<V>, int16_t, uint16_t>,
    V>;

#define FOR_INTEGERS(run, ...)                                                 \
  run(uint8_t, __VA_ARGS__) run(int8_t, __VA_ARGS__)                           \
      run(uint16_t, __VA_ARGS__) run(int16_t, __VA_ARGS__)                     \
          run(uint32_t, __VA_ARGS__) run(int32_t, __VA_ARGS__)                 \
              run(uint64_t, __VA_ARGS__) run(int64_t, __VA_ARGS__)

/// Narrower results are extended to their registers.
template <class S> class ToInteger {
public:
  template <class D> static Held<D> convert(S value) {
    return static_cast<D>(value);
  }
};

TEST_F(InstructionTest, IntegerConversions) {
#define RUN(D, S)                                                              \
  check("cvt" + nameOf<D>() + nameOf<S>(), ToInteger<S>::template convert<D>);
  FOR_INTEGERS(RUN, uint8_t)
  FOR_INTEGERS(RUN, int8_t)
  FOR_INTEGERS(RUN, uint16_t)
  FOR_INTEGERS(RUN, int16_t)
  FOR_INTEGERS(RUN, uint32_t)
  FOR_INTEGERS(RUN, int32_t)
  FOR_INTEGERS(RUN, uint64_t)
  FOR_INTEGERS(RUN, int64_t)
#undef RUN
}

/// Rounds to an integer in one of the modes of <cfenv>.
template <int mode, class S> S roundIn(S value) {
  volatile S operand = value;
  std::fesetround(mode);
  volatile S rounded = std::nearbyint(operand);
  std::fesetround(FE_TONEAREST);
  return rounded;
}

/// Returns a rounded value as an integer, by comparisons in long double.
template <int mode, class D, class S> Held<D> toInteger(S value) {
  long double exact = roundIn<mode>(value);
  if (std::isnan(exact))
    return sizeof(S) == 4 && sizeof(D) < 8
               ? D(0)
               : D(uint64_t(1) << (8 * sizeof(D) - 1));
  exact = std::fmin(exact, (long double)std::numeric_limits<D>::max());
  exact = std::fmax(exact, (long double)std::numeric_limits<D>::min());
  return D(exact);
}

TEST_F(InstructionTest, FloatsToIntegers) {
#define RUN(D, S)                                                              \
  check("cvt.rni" + nameOf<D>() + nameOf<S>(), toInteger<FE_TONEAREST, D, S>); \
  check("cvt.rzi" + nameOf<D>() + nameOf<S>(),                                 \
        toInteger<FE_TOWARDZERO, D, S>);                                       \
  check("cvt.rmi" + nameOf<D>() + nameOf<S>(), toInteger<FE_DOWNWARD, D, S>);  \
  check("cvt.rpi" + nameOf<D>() + nameOf<S>(), toInteger<FE_UPWARD, D, S>);
  FOR_INTEGERS(RUN, float)
  FOR_INTEGERS(RUN, double)
#undef RUN
}

TEST_F(InstructionTest, FloatsToIntegralFloats) {
#define RUN(V)                                                                 \
  check("cvt.rni" + nameOf<V>() + nameOf<V>(), roundIn<FE_TONEAREST, V>);      \
  check("cvt.rzi" + nameOf<V>() + nameOf<V>(), roundIn<FE_TOWARDZERO, V>);     \
  check("cvt.rmi" + nameOf<V>() + nameOf<V>(), roundIn<FE_DOWNWARD, V>);       \
  check("cvt.rpi" + nameOf<V>() + nameOf<V>(), roundIn<FE_UPWARD, V>);
  RUN(float) RUN(double)
#undef RUN
}

/// Converts in one of the modes of <cfenv>: through long double, which is exact
/// for every operand.
template <int mode, class D, class S> D toFloat(S value) {
  volatile long double operand = value;
  std::fesetround(mode);
  volatile D rounded = static_cast<D>(operand);
  std::fesetround(FE_TONEAREST);
  return rounded;
}

#define CHECK_MODES(S, D)                                                      \
  check("cvt.rn" + nameOf<D>() + nameOf<S>(), toFloat<FE_TONEAREST, D, S>);    \
  check("cvt.rz" + nameOf<D>() + nameOf<S>(), toFloat<FE_TOWARDZERO, D, S>);   \
  check("cvt.rm" + nameOf<D>() + nameOf<S>(), toFloat<FE_DOWNWARD, D, S>);     \
  check("cvt.rp" + nameOf<D>() + nameOf<S>(), toFloat<FE_UPWARD, D, S>);

TEST_F(InstructionTest, IntegersToFloats){FOR_INTEGERS(CHECK_MODES, float)
                                              FOR_INTEGERS(CHECK_MODES, double)}

TEST_F(InstructionTest, DoublesToSingles) {
  CHECK_MODES(double, float)
  // Overflow, underflow and the middle between two numbers.
  std::vector<Operands> tuples;
  for (double value : {1e39, -1e39, 1e-46, -1e-46, 1 + 0x1p-24, 1 + 0x3p-24})
    tuples.push_back({encode(value)});
  auto expect = [&](const char *opcode, std::vector<float> expected) {
    std::vector<uint64_t> found = evaluate(opcode, {32, {64}}, tuples);
    for (size_t i = 0; i < found.size(); ++i)
      EXPECT_EQ(found[i], encode(expected[i])) << opcode << " " << i;
  };
  const float infinity = std::numeric_limits<float>::infinity();
  const float most = std::numeric_limits<float>::max();
  const float least = std::numeric_limits<float>::denorm_min();
  const float one = 1, next = 1 + 0x1p-23f, second = 1 + 0x1p-22f;
  expect("cvt.rn.f32.f64", {infinity, -infinity, 0, -0.0f, one, second});
  expect("cvt.rz.f32.f64", {most, -most, 0, -0.0f, one, next});
  expect("cvt.rm.f32.f64", {most, -infinity, 0, -least, one, next});
  expect("cvt.rp.f32.f64", {infinity, -most, least, -0.0f, next, second});
}

TEST_F(InstructionTest, SinglesToDoubles) {
  check("cvt.f64.f32", +[](float a) { return double(a); });
}

/// A result that is wider than its type is extended, also without a sign.
TEST_F(InstructionTest, WiderRegisters) {
  CUfunction function = kernel(kernelOf(1, R"(
mov.b32 %r1, 0xfffffe81;
cvt.s8.s32 %r2, %r1;
cvt.u8.u32 %r3, %r1;
cvt.s16.s32 %d1, %r1;
st.global.b32 [%p0], %r2;
st.global.b32 [%p0+4], %r3;
st.global.b64 [%p0+8], %d1;
)"),
                               "k");
  Buffer results(16);
  run(function, 1, 1, {results.address});
  EXPECT_EQ(results.take<int>(2), (std::vector<int>{-127, 0x81}));
  EXPECT_EQ(results.take<int64_t>(2)[1], -383);
}

} // namespace
