#include "support/Evaluate.h"

using namespace tg::test;

namespace {

/// Tests copies to shared memory that arrive at a wait.
class AsyncCopyTest : public InstructionTest {
protected:
  /// Returns the words that the body of a kernel with one thread leaves at
  /// %p1. 64 words that count from 1 lie at %p0, zeros at the shared variable
  /// s of 64 words, whose address is %d1.
  std::vector<uint32_t> runOne(const std::string &body, unsigned count) {
    std::string text = ".shared .align 16 .b8 s[256];\nmov.b64 %d1, s;\n";
    for (unsigned i = 0; i < 64; ++i)
      text += "st.shared.b32 [%d1+" + std::to_string(4 * i) + "], 0;\n";
    std::vector<uint32_t> words(64);
    for (unsigned i = 0; i < 64; ++i)
      words[i] = i + 1;
    Buffer from(256), to(4 * count);
    from.put(words);
    run(kernel(kernelOf(2, text + body), "k"), 1, 1,
        {from.address, to.address});
    return to.take<uint32_t>(count);
  }

  using Words = std::vector<uint32_t>;
};

/// Nothing has arrived before the wait.
TEST_F(AsyncCopyTest, Sizes) {
  noteRun("cp.async.ca.shared.global");
  noteRun("cp.async.cg.shared.global");
  const char *load = "ld.shared.v4.b32 {%r1, %r2, %r3, %r4}, [%d1+16];\n";
  std::string ends = std::string(load) +
                     "st.global.v4.b32 [%p1], {%r1, %r2, %r3, %r4};\n"
                     "cp.async.wait_all;\n" +
                     load +
                     "st.global.v4.b32 [%p1+16], {%r1, %r2, %r3, %r4};\n";
  auto copy = [&](const char *kind, const char *operands) {
    return runOne(std::string("cp.async.") + kind + ".shared.global " +
                      operands + ";\n" + ends,
                  8);
  };
  EXPECT_EQ(copy("ca", "[%d1+16], [%p0], 4"), (Words{0, 0, 0, 0, 1, 0, 0, 0}));
  EXPECT_EQ(copy("ca", "[%d1+24], [%p0+8], 8"),
            (Words{0, 0, 0, 0, 0, 0, 3, 4}));
  EXPECT_EQ(copy("ca", "[s+16], [%p0+32], 16"),
            (Words{0, 0, 0, 0, 9, 10, 11, 12}));
  EXPECT_EQ(copy("cg", "[%d1+16], [%p0+16], 16"),
            (Words{0, 0, 0, 0, 5, 6, 7, 8}));
}

/// The bytes behind those that are read become zeros. Bytes that are not read
/// may lie outside of all memory.
TEST_F(AsyncCopyTest, ZerosBehindTheBytesThatAreRead) {
  EXPECT_EQ(runOne(R"(mov.b32 %r1, -1;
st.shared.v4.b32 [%d1], {%r1, %r1, %r1, %r1};
st.shared.v4.b32 [%d1+16], {%r1, %r1, %r1, %r1};
mov.b32 %r2, 8;
cp.async.ca.shared.global [%d1], [%p0+240], 16, %r2;
cp.async.cg.shared.global [%d1+16], [%p0+4096], 16, 0;
cp.async.wait_all;
ld.shared.v4.b32 {%r1, %r2, %r3, %r4}, [%d1];
st.global.v4.b32 [%p1], {%r1, %r2, %r3, %r4};
ld.shared.v4.b32 {%r1, %r2, %r3, %r4}, [%d1+16];
st.global.v4.b32 [%p1+16], {%r1, %r2, %r3, %r4};
)",
                   8),
            (Words{61, 62, 0, 0, 0, 0, 0, 0}));
}

/// A wait for groups leaves the last ones, and copies behind the last commit,
/// on their way.
TEST_F(AsyncCopyTest, GroupsInTheirOrder) {
  EXPECT_EQ(runOne(R"(cp.async.ca.shared.global [%d1], [%p0], 4;
cp.async.commit_group;
cp.async.ca.shared.global [%d1+4], [%p0+4], 4;
cp.async.commit_group;
cp.async.ca.shared.global [%d1+8], [%p0+8], 4;
cp.async.wait_group 1;
ld.shared.v4.b32 {%r1, %r2, %r3, %r4}, [%d1];
st.global.v4.b32 [%p1], {%r1, %r2, %r3, %r4};
cp.async.wait_group 0;
ld.shared.v4.b32 {%r1, %r2, %r3, %r4}, [%d1];
st.global.v4.b32 [%p1+16], {%r1, %r2, %r3, %r4};
cp.async.wait_all;
ld.shared.v4.b32 {%r1, %r2, %r3, %r4}, [%d1];
st.global.v4.b32 [%p1+32], {%r1, %r2, %r3, %r4};
)",
                   12),
            (Words{1, 0, 0, 0, 1, 2, 0, 0, 1, 2, 3, 0}));
}

/// Each thread waits for its own copies alone.
TEST_F(AsyncCopyTest, WaitsOfThreads) {
  CUfunction function = kernel(kernelOf(2, R"(.shared .b32 s[32];
mov.u32 %r1, %tid.x;
mov.b64 %d1, s;
mul.wide.u32 %d2, %r1, 4;
add.s64 %d3, %d1, %d2;
add.s64 %d4, %p0, %d2;
add.s64 %d5, %p1, %d2;
st.shared.b32 [%d3], 0;
cp.async.ca.shared.global [%d3], [%d4], 4;
and.b32 %r2, %r1, 1;
setp.eq.s32 %q1, %r2, 1;
@%q1 cp.async.wait_all;
ld.shared.b32 %r3, [%d3];
st.global.b32 [%d5], %r3;
)"),
                               "k");
  Buffer from(128), to(128);
  std::vector<uint32_t> words(32, 7);
  from.put(words);
  run(function, 1, 32, {from.address, to.address});
  for (unsigned i = 0; i < 32; i += 2)
    words[i] = 0;
  EXPECT_EQ(to.take<uint32_t>(32), words);
}

TEST_F(AsyncCopyTest, Prefetches) {
  CUfunction function = kernel(kernelOf(1, "prefetch.global.L2 [%p0];\n"
                                           "prefetch.L1 [%p0+4096];\n"
                                           "prefetchu.L1 [%p0];\n"),
                               "k");
  Buffer from(4);
  run(function, 1, 1, {from.address});
}

} // namespace
