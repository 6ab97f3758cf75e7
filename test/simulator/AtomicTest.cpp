#include "support/Evaluate.h"

using namespace tg::test;

namespace {

/// Tests atomics by their results and by what they leave in memory.
class AtomicTest : public CudaTest {
protected:
  /// Expects that an update turns memory and an operand into new memory, as
  /// atom and as red, in global memory and through generic addresses.
  template <class V>
  void check(const std::string &name, V before, V operand, V after,
             bool hasReduction = true) {
    std::string width = ".b" + std::to_string(widthOf<V>) + " ";
    std::string bank = sizeof(V) == 8 ? "%d" : "%r";
    for (const char *order :
         {"", ".global", ".sys", ".relaxed.gpu.global", ".acq_rel.cta"}) {
      std::string body = "ld.global" + width + bank + "1, [%p0+8];\natom" +
                         order + "." + name + " " + bank + "2, [%p0], " + bank +
                         "1;\nst.global" + width + "[%p0+16], " + bank + "2;\n";
      if (hasReduction)
        body += "red" + std::string(".global.") + name + " [%p0+24], " + bank +
                "1;\n";
      expect(body, name, before, operand, after, hasReduction ? after : before);
    }
  }

private:
  template <class V>
  void expect(const std::string &body, const std::string &name, V before,
              V operand, V after, V reduced) {
    Buffer words(32);
    words.put(std::vector<uint64_t>{encode(before), encode(operand), 0,
                                    encode(before)});
    run(kernel(kernelOf(1, body), "k"), 1, 1, {words.address});
    EXPECT_EQ(words.take<uint64_t>(4),
              (std::vector<uint64_t>{encode(after), encode(operand),
                                     encode(before), encode(reduced)}))
        << name;
  }
};

TEST_F(AtomicTest, Sums) {
  check<uint32_t>("add.u32", 0xffffffff, 3, 2);
  check<int32_t>("add.s32", -5, 3, -2);
  check<uint64_t>("add.u64", ~uint64_t(0), 3, 2);
  check<float>("add.f32", 1, 0x1p-24f, 1);
  check<double>("add.f64", 0.5, 0.25, 0.75);
}

/// Subnormal numbers count in shared, but not in global memory.
TEST_F(AtomicTest, SumsOfSubnormalNumbers) {
  const float tiny = std::numeric_limits<float>::denorm_min();
  check<float>("add.f32", tiny, tiny, 0);
  check<float>("add.f32", -tiny, -tiny, -0.0f);
  CUfunction function = kernel(moduleOf(R"(
.shared .b32 s;
.visible .entry k(.param .u64 to) {
.reg .b32 %r<5>; .reg .b64 %d<5>;
ld.param.b64 %d1, [to];
st.shared.b32 [s], 1;
atom.shared.add.f32 %r1, [s], 0f00000001;
mov.b64 %d2, s;
cvta.shared.u64 %d2, %d2;
red.add.f32 [%d2], 0f00000001;
ld.shared.b32 %r2, [s];
st.global.b32 [%d1], %r2;
ret;
})"),
                               "k");
  Buffer to(4);
  run(function, 1, 1, {to.address});
  EXPECT_EQ(to.take<uint32_t>(1)[0], 3u);
}

TEST_F(AtomicTest, Extremes) {
  check<uint32_t>("min.u32", 0x80000000, 3, 3);
  check<int32_t>("min.s32", INT32_MIN, 3, INT32_MIN);
  check<uint64_t>("max.u64", uint64_t(1) << 63, 3, uint64_t(1) << 63);
  check<int64_t>("max.s64", INT64_MIN, 3, 3);
  check<uint32_t>("max.u32", 5, 9, 9);
  check<int32_t>("max.s32", -5, -9, -5);
  check<uint64_t>("min.u64", 5, 9, 5);
  check<int64_t>("min.s64", -5, -9, -9);
}

TEST_F(AtomicTest, Logic) {
  check<uint32_t>("and.b32", 12, 10, 8);
  check<uint32_t>("or.b32", 12, 10, 14);
  check<uint32_t>("xor.b32", 12, 10, 6);
  check<uint64_t>("and.b64", 12, 10, 8);
  check<uint64_t>("or.b64", 12, 10, 14);
  check<uint64_t>("xor.b64", 12, 10, 6);
}

TEST_F(AtomicTest, Counters) {
  check<uint32_t>("inc.u32", 4, 5, 5);
  check<uint32_t>("inc.u32", 5, 5, 0);
  check<uint32_t>("dec.u32", 4, 5, 3);
  check<uint32_t>("dec.u32", 0, 5, 5);
  check<uint32_t>("dec.u32", 6, 5, 5);
}

TEST_F(AtomicTest, Exchanges) {
  check<uint32_t>("exch.b32", 12, 10, 10, /*hasReduction=*/false);
  check<uint64_t>("exch.b64", 12, 10, 10, /*hasReduction=*/false);
}

TEST_F(AtomicTest, CompareAndSwap) {
  CUfunction function = kernel(kernelOf(1, R"(
atom.global.cas.b32 %r1, [%p0], 5, 6;
atom.acquire.gpu.cas.b32 %r2, [%p0], 5, 7;
atom.global.cas.b64 %d1, [%p0+8], 8, 9;
mov.b16 %h1, 3;
mov.b16 %h2, 4;
atom.global.cas.b16 %h3, [%p0+16], %h1, %h2;
st.global.v2.b32 [%p0+24], {%r1, %r2};
)"),
                               "k");
  Buffer words(32);
  words.put(std::vector<uint64_t>{5, 8, 0xffff0003, 0});
  run(function, 1, 1, {words.address});
  EXPECT_EQ(words.take<uint64_t>(4),
            (std::vector<uint64_t>{6, 9, 0xffff0004, 5 | uint64_t(6) << 32}));
}

/// All threads of all blocks add, and each sees another value.
TEST_F(AtomicTest, ManyThreads) {
  CUfunction function = kernel(kernelOf(2, R"(
atom.global.add.u32 %r1, [%p0], 1;
mul.wide.u32 %d1, %r1, 4;
add.s64 %d1, %d1, %p1;
st.global.b32 [%d1], %r1;
)"),
                               "k");
  Buffer counter(4), seen(4 * 640);
  counter.put(std::vector<int>{0});
  run(function, 10, 64, {counter.address, seen.address});
  EXPECT_EQ(counter.take<int>(1)[0], 640);
  std::vector<int> found = seen.take<int>(640);
  for (int i = 0; i < 640; ++i)
    EXPECT_EQ(found[i], i);
}

} // namespace
