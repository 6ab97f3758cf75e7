#include "support/Cuda.h"

using namespace tg::test;

namespace {

using ControlTest = CudaTest;

TEST_F(ControlTest, Loops) {
  CUfunction function = kernel(kernelOf(2, R"(
mov.b64 %d1, 0;
mov.b64 %d2, 0;
Next:
setp.ge.u64 %q1, %d1, %p1;
@%q1 bra Done;
add.s64 %d1, %d1, 1;
and.b64 %d3, %d1, 1;
setp.eq.s64 %q2, %d3, 0;
@!%q2 add.s64 %d2, %d2, %d1;
bra.uni Next;
Done:
st.global.b64 [%p0], %d2;
)"),
                               "k");
  Buffer to(8);
  run(function, 1, 1, {to.address, 100});
  EXPECT_EQ(to.take<int64_t>(1)[0], 2500);
}

TEST_F(ControlTest, IndexedBranches) {
  CUfunction function = kernel(kernelOf(2, R"(
mov.u32 %r1, %tid.x;
mov.b32 %r2, 0;
T: .branchtargets A, B, A;
brx.idx %r1, T;
A:
mov.b32 %r2, 10;
bra Done;
B:
mov.b32 %r2, 20;
Done:
mul.wide.u32 %d1, %r1, 4;
add.s64 %d1, %d1, %p0;
st.global.b32 [%d1], %r2;
)"),
                               "k");
  Buffer to(12);
  run(function, 1, 3, {to.address, 0});
  EXPECT_EQ(to.take<int>(3), (std::vector<int>{10, 20, 10}));
}

/// Each call has its own registers, parameters and local memory.
TEST_F(ControlTest, RecursiveCalls) {
  CUfunction function = kernel(moduleOf(R"(
.func (.param .b32 result) factorial(.param .b32 n) {
.local .b32 saved;
.reg .pred %p<2>; .reg .b32 %r<5>;
ld.param.b32 %r1, [n];
st.local.b32 [saved], %r1;
mov.b32 %r2, 1;
setp.le.u32 %p1, %r1, 1;
@%p1 bra Done;
{
.param .b32 argument;
.param .b32 returned;
sub.s32 %r3, %r1, 1;
st.param.b32 [argument], %r3;
call.uni (returned), factorial, (argument);
ld.param.b32 %r2, [returned];
}
Done:
ld.local.b32 %r4, [saved];
mul.lo.s32 %r2, %r2, %r4;
st.param.b32 [result], %r2;
ret;
}
.visible .entry k(.param .u64 to) {
.reg .b32 %r<2>; .reg .b64 %d<2>;
ld.param.b64 %d1, [to];
{
.param .b32 argument;
.param .b32 returned;
st.param.b32 [argument], 6;
call (returned), factorial, (argument);
ld.param.b32 %r1, [returned];
}
st.global.b32 [%d1], %r1;
ret;
})"),
                               "k");
  Buffer to(4);
  run(function, 1, 1, {to.address});
  EXPECT_EQ(to.take<int>(1)[0], 720);
}

TEST_F(ControlTest, StructuresAsArgumentsAndResults) {
  CUfunction function = kernel(moduleOf(R"(
.func (.param .align 8 .b8 result[16]) swap(.param .align 8 .b8 pair[16]) {
.reg .b64 %d<3>;
ld.param.b64 %d1, [pair];
ld.param.b64 %d2, [pair+8];
st.param.b64 [result], %d2;
st.param.b64 [result+8], %d1;
ret;
}
.visible .entry k(.param .u64 to) {
.reg .b64 %d<4>;
ld.param.b64 %d1, [to];
{
.param .align 8 .b8 param0[16];
.param .align 8 .b8 retval0[16];
st.param.b64 [param0], 3;
st.param.b64 [param0+8], 4;
call.uni (retval0), swap, (param0);
ld.param.b64 %d2, [retval0];
ld.param.b64 %d3, [retval0+8];
}
st.global.v2.b64 [%d1], {%d2, %d3};
ret;
})"),
                               "k");
  Buffer to(16);
  run(function, 1, 1, {to.address});
  EXPECT_EQ(to.take<int64_t>(2), (std::vector<int64_t>{4, 3}));
}

/// exit ends a thread inside of a call.
TEST_F(ControlTest, ExitsOfThreads) {
  CUfunction function = kernel(moduleOf(R"(
.func leave() { exit; }
.visible .entry k(.param .u64 to) {
.reg .pred %p<2>; .reg .b32 %r<2>; .reg .b64 %d<2>;
ld.param.b64 %d1, [to];
mov.u32 %r1, %tid.x;
setp.lt.u32 %p1, %r1, 3;
@%p1 call leave;
red.global.add.u32 [%d1], 1;
ret;
})"),
                               "k");
  Buffer to(4);
  to.put(std::vector<int>{0});
  run(function, 2, 8, {to.address});
  EXPECT_EQ(to.take<int>(1)[0], 10);
}

TEST_F(ControlTest, SpecialRegisters) {
  CUfunction function = kernel(kernelOf(1, R"(
mov.u32 %r1, %ctaid.y;
mov.u32 %r2, %nctaid.x;
mov.u32 %r3, %ctaid.x;
mad.lo.u32 %r1, %r1, %r2, %r3;
mov.u32 %r2, %ntid.x;
mov.u32 %r3, %ntid.y;
mul.lo.u32 %r4, %r2, %r3;
mov.u32 %r5, %tid.y;
mov.u32 %r6, %tid.x;
mad.lo.u32 %r5, %r5, %r2, %r6;
mad.lo.u32 %r1, %r1, %r4, %r5;
mul.wide.u32 %d1, %r1, 8;
add.s64 %d1, %d1, %p0;
mov.u32 %r7, %laneid;
mov.u32 %r8, WARP_SZ;
st.global.v2.b32 [%d1], {%r7, %r8};
)"),
                               "k");
  Buffer to(6 * 40 * 8);
  CUdeviceptr address = to.address;
  void *parameters[] = {&address};
  EXPECT_EQ(cuda.cuLaunchKernel(function, 3, 2, 1, 10, 4, 1, 0, nullptr,
                                parameters, nullptr),
            CUDA_SUCCESS);
  std::vector<uint32_t> found = to.take<uint32_t>(6 * 40 * 2);
  for (unsigned i = 0; i < 240; ++i) {
    EXPECT_EQ(found[2 * i], i % 40 % 32);
    EXPECT_EQ(found[2 * i + 1], 32u);
  }
}

/// Sums in a tree: every step needs the results of all threads.
TEST_F(ControlTest, Barriers) {
  CUfunction function = kernel(moduleOf(R"(
.shared .align 4 .b8 sums[512];
.visible .entry k(.param .u64 to) {
.reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %d<9>;
ld.param.b64 %d1, [to];
mov.u32 %r1, %tid.x;
mul.wide.u32 %d2, %r1, 4;
mov.b64 %d3, sums;
add.s64 %d3, %d3, %d2;
st.shared.b32 [%d3], %r1;
mov.b32 %r2, 64;
Next:
bar.sync 0;
setp.ge.u32 %p1, %r1, %r2;
mul.wide.u32 %d4, %r2, 4;
add.s64 %d4, %d4, %d3;
@!%p1 ld.shared.b32 %r3, [%d4];
@!%p1 ld.shared.b32 %r4, [%d3];
@!%p1 add.s32 %r4, %r4, %r3;
@!%p1 st.shared.b32 [%d3], %r4;
shr.u32 %r2, %r2, 1;
setp.ne.u32 %p2, %r2, 0;
@%p2 bra Next;
barrier.sync 0;
setp.ne.u32 %p1, %r1, 0;
@%p1 ret;
mov.u32 %r5, %ctaid.x;
mul.wide.u32 %d5, %r5, 4;
add.s64 %d5, %d5, %d1;
ld.shared.b32 %r6, [sums];
st.global.b32 [%d5], %r6;
ret;
})"),
                               "k");
  Buffer to(12);
  run(function, 3, 128, {to.address});
  EXPECT_EQ(to.take<int>(3), (std::vector<int>{8128, 8128, 8128}));
}

/// Threads that have ended do not count, and functions may wait.
TEST_F(ControlTest, BarriersInFunctionsWithoutSomeThreads) {
  CUfunction function = kernel(moduleOf(R"(
.shared .b32 s;
.func wait() { bar.sync 1; ret; }
.visible .entry k(.param .u64 to) {
.reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %d<9>;
ld.param.b64 %d1, [to];
mov.u32 %r1, %tid.x;
setp.ge.u32 %p1, %r1, 5;
@%p1 exit;
setp.eq.u32 %p2, %r1, 4;
@%p2 st.shared.b32 [s], 77;
call.uni wait;
ld.shared.b32 %r2, [s];
mul.wide.u32 %d2, %r1, 4;
add.s64 %d1, %d1, %d2;
st.global.b32 [%d1], %r2;
ret;
})"),
                               "k");
  Buffer to(20);
  run(function, 1, 8, {to.address});
  EXPECT_EQ(to.take<int>(5), std::vector<int>(5, 77));
}

TEST_F(ControlTest, DynamicSharedMemory) {
  CUfunction function = kernel(moduleOf(R"(
.shared .b32 first;
.extern .shared .align 16 .b8 rest[];
.visible .entry k(.param .u64 to) {
.reg .b32 %r<3>; .reg .b64 %d<3>;
ld.param.b64 %d1, [to];
st.shared.b32 [first], 1;
st.shared.b32 [rest+60], 2;
ld.shared.b32 %r1, [first];
ld.shared.b32 %r2, [rest+60];
st.global.v2.b32 [%d1], {%r1, %r2};
ret;
})"),
                               "k");
  Buffer to(8);
  CUdeviceptr address = to.address;
  void *parameters[] = {&address};
  EXPECT_EQ(cuda.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 64, nullptr,
                                parameters, nullptr),
            CUDA_SUCCESS);
  EXPECT_EQ(to.take<int>(2), (std::vector<int>{1, 2}));
}

} // namespace
