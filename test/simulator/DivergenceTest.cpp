#include "support/Cuda.h"

using namespace tg::test;

namespace {

/// Tests warps whose lanes take different ways.
class DivergenceTest : public CudaTest {
protected:
  /// Returns what the threads of a block store at [%d9], which is the place of
  /// a word for each of them, in the order of threads. Their number is in %r1.
  std::vector<uint32_t> runBlock(unsigned threads, const std::string &body,
                                 const std::string &functions = "") {
    std::string text = kernelOf(1, "mov.u32 %r1, %tid.x;\n"
                                   "mul.wide.u32 %d9, %r1, 4;\n"
                                   "add.s64 %d9, %d9, %p0;\n" +
                                       body);
    text.insert(text.find(".visible"), functions);
    Buffer to(threads * 4);
    run(kernel(text, "k"), 1, threads, {to.address});
    return to.take<uint32_t>(threads);
  }
};

/// Each lane leaves the loop after another number of rounds. Behind the loop
/// all of them go on together.
TEST_F(DivergenceTest, LoopsOfDifferentLengths) {
  std::vector<uint32_t> found = runBlock(32, R"(mov.b32 %r2, 0;
mov.b32 %r3, 0;
Next:
setp.gt.u32 %q1, %r2, %r1;
@%q1 bra Done;
add.s32 %r3, %r3, %r2;
add.s32 %r2, %r2, 1;
bra Next;
Done:
activemask.b32 %r4;
popc.b32 %r4, %r4;
mad.lo.s32 %r3, %r4, 1000, %r3;
st.global.b32 [%d9], %r3;
)");
  for (unsigned i = 0; i < 32; ++i)
    EXPECT_EQ(found[i], 32000 + i * (i + 1) / 2);
}

/// A step that lanes execute together counts for each of them.
TEST_F(DivergenceTest, InstructionsOfLanes) {
  uint64_t before = counters().instructions;
  runBlock(40, "setp.lt.u32 %q1, %r1, 3;\n"
               "@%q1 bra Done;\n"
               "st.global.b32 [%d9], %r1;\n"
               "Done:\n");
  // One parameter, 3 for the address, 2 for the branch, and the return.
  EXPECT_EQ(counters().instructions - before, 40u * 7 + 37);
}

/// A lane that waits for a lock lets the lane run that has it.
TEST_F(DivergenceTest, LocksBetweenLanes) {
  std::vector<uint32_t> found = runBlock(64, R"(.shared .b32 lock;
.shared .b32 sum;
setp.ne.u32 %q1, %r1, 0;
@%q1 bra Ready;
st.shared.b32 [lock], 0;
st.shared.b32 [sum], 0;
Ready:
bar.sync 0;
Again:
atom.shared.cas.b32 %r2, [lock], 0, 1;
setp.ne.b32 %q2, %r2, 0;
@%q2 bra Again;
ld.shared.b32 %r3, [sum];
add.s32 %r3, %r3, %r1;
st.shared.b32 [sum], %r3;
atom.shared.exch.b32 %r4, [lock], 0;
bar.sync 0;
ld.shared.b32 %r5, [sum];
st.global.b32 [%d9], %r5;
)");
  EXPECT_EQ(found, std::vector<uint32_t>(64, 2016));
}

/// Each lane calls itself another number of times, and has its own registers,
/// parameters and local memory of each call.
TEST_F(DivergenceTest, CallsOfDifferentDepths) {
  std::vector<uint32_t> found = runBlock(32, R"({
.param .b32 n;
.param .b32 r;
st.param.b32 [n], %r1;
call.uni (r), triangle, (n);
ld.param.b32 %r2, [r];
}
st.global.b32 [%d9], %r2;
)",
                                         R"(
.func (.param .b32 result) triangle(.param .b32 n) {
.local .b32 saved;
.reg .pred %p<2>; .reg .b32 %r<5>; .reg .b64 %d<3>;
ld.param.b32 %r1, [n];
cvt.u64.u32 %d1, %r1;
st.local.b32 [saved], %r1;
mov.b32 %r2, 0;
setp.eq.s32 %p1, %r1, 0;
@%p1 bra Done;
{
.param .b32 m;
.param .b32 s;
sub.s32 %r3, %r1, 1;
st.param.b32 [m], %r3;
call (s), triangle, (m);
ld.param.b32 %r2, [s];
}
Done:
ld.local.b32 %r4, [saved];
cvt.u32.u64 %r3, %d1;
add.s32 %r4, %r4, %r3;
shr.u32 %r4, %r4, 1;
add.s32 %r2, %r2, %r4;
st.param.b32 [result], %r2;
ret;
}
)");
  for (unsigned i = 0; i < 32; ++i)
    EXPECT_EQ(found[i], i * (i + 1) / 2);
}

/// Lanes in functions of different frames.
TEST_F(DivergenceTest, CallsOfDifferentFunctions) {
  const char *functions = R"(
.func (.param .b32 result) even(.param .b32 n) {
.reg .b32 %r<5>; .reg .b64 %d<9>;
ld.param.b32 %r1, [n];
mul.wide.u32 %d8, %r1, 3;
bar.warp.sync 0x55555555;
cvt.u32.u64 %r2, %d8;
st.param.b32 [result], %r2;
ret;
}
.func (.param .b32 result) odd(.param .b32 n) {
.reg .b32 %r<30>;
ld.param.b32 %r29, [n];
mul.lo.s32 %r20, %r29, 5;
bar.warp.sync 0xaaaaaaaa;
st.param.b32 [result], %r20;
ret;
}
)";
  std::vector<uint32_t> found = runBlock(32, R"(and.b32 %r2, %r1, 1;
setp.eq.s32 %q1, %r2, 1;
{
.param .b32 n;
.param .b32 r;
st.param.b32 [n], %r1;
@%q1 call (r), odd, (n);
@!%q1 call (r), even, (n);
ld.param.b32 %r2, [r];
}
st.global.b32 [%d9], %r2;
)",
                                         functions);
  for (unsigned i = 0; i < 32; ++i)
    EXPECT_EQ(found[i], i * (i % 2 ? 5 : 3));
}

/// Lanes of a warp wait at barriers on both sides of a branch.
TEST_F(DivergenceTest, BarriersOnBothSides) {
  std::vector<uint32_t> found = runBlock(64, R"(.shared .b32 s[64];
mov.b64 %d1, s;
mul.wide.u32 %d2, %r1, 4;
add.s64 %d2, %d2, %d1;
and.b32 %r2, %r1, 2;
setp.eq.s32 %q1, %r2, 2;
st.shared.b32 [%d2], %r1;
@%q1 bra Other;
bar.sync 0;
bra Done;
Other:
bar.sync 0;
Done:
xor.b32 %r3, %r1, 62;
mul.wide.u32 %d2, %r3, 4;
add.s64 %d2, %d2, %d1;
ld.shared.b32 %r4, [%d2];
st.global.b32 [%d9], %r4;
)");
  for (unsigned i = 0; i < 64; ++i)
    EXPECT_EQ(found[i], i ^ 62);
}

/// Branches by an index, a way for each lane.
TEST_F(DivergenceTest, IndexedBranchesOfLanes) {
  std::vector<uint32_t> found = runBlock(32, R"(and.b32 %r2, %r1, 3;
mov.b32 %r3, 1;
T: .branchtargets A, B, C, D;
brx.idx %r2, T;
A:
add.s32 %r3, %r3, 1;
B:
add.s32 %r3, %r3, 10;
C:
add.s32 %r3, %r3, 100;
D:
activemask.b32 %r4;
popc.b32 %r4, %r4;
mad.lo.s32 %r3, %r4, 1000, %r3;
st.global.b32 [%d9], %r3;
)");
  const uint32_t sums[] = {32112, 32111, 32101, 32001};
  for (unsigned i = 0; i < 32; ++i)
    EXPECT_EQ(found[i], sums[i % 4]);
}

} // namespace
