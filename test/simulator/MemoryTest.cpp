#include "support/Cuda.h"

using namespace tg::test;

namespace {

using MemoryTest = CudaTest;

/// Values of all widths are extended as their types say.
TEST_F(MemoryTest, LoadsAndStoresOfAllTypes) {
  for (const char *space : {"", ".global"})
    for (const char *order :
         {"", ".volatile", ".relaxed.gpu", ".acquire.sys"}) {
      std::string load = std::string("ld") + order + space;
      CUfunction function = kernel(
          kernelOf(2,
                   load + ".s8 %d1, [%p0];\n" + load + ".u8 %d2, [%p0+1];\n" +
                       load + ".s16 %d3, [%p0+2];\n" + load +
                       ".u16 %d4, [%p0+4];\n" + load + ".s32 %d5, [%p0+8];\n" +
                       load + ".u32 %d6, [%p0+12];\n" + load +
                       ".b64 %d7, [%p0+16];\n" + R"(
st.global.v2.b64 [%p1], {%d1, %d2};
st.global.v2.b64 [%p1+16], {%d3, %d4};
st.global.v2.b64 [%p1+32], {%d5, %d6};
st.global.b64 [%p1+48], %d7;
)"),
          "k");
      Buffer from(24), to(56);
      from.put(std::vector<uint8_t>{
          0x80, 0x81, 0xff, 0x80, 0xfe, 0x81, 0, 0, 1, 0, 0, 0x80,
          2,    0,    0,    0x80, 3,    0,    0, 0, 0, 0, 0, 0x80});
      run(function, 1, 1, {from.address, to.address});
      EXPECT_EQ(to.take<int64_t>(7),
                (std::vector<int64_t>{-128, 0x81, -32513, 0x81fe, -2147483647,
                                      0x80000002, INT64_MIN + 3}));
    }
}

TEST_F(MemoryTest, StoresKeepTheirNeighbours) {
  CUfunction function = kernel(kernelOf(1, R"(
mov.b32 %r1, 0x12345678;
st.global.b8 [%p0+1], %r1;
st.release.gpu.global.b16 [%p0+4], %r1;
st.volatile.b32 [%p0+8], %r1;
)"),
                               "k");
  Buffer bytes(16);
  bytes.put(std::vector<uint8_t>(16, 0xaa));
  run(function, 1, 1, {bytes.address});
  EXPECT_EQ(
      bytes.take<uint32_t>(4),
      (std::vector<uint32_t>{0xaaaa78aa, 0xaaaa5678, 0x12345678, 0xaaaaaaaa}));
}

TEST_F(MemoryTest, Vectors) {
  CUfunction function = kernel(kernelOf(2, R"(
ld.global.nc.v4.b32 {%r1, %r2, %r3, %r4}, [%p0];
st.global.v4.b32 [%p1], {%r4, %r3, %r2, 7};
ld.global.v4.b16 {%h1, _, %h3, %h4}, [%p0];
st.v4.b16 [%p1+16], {%h4, %h3, %h1, %h1};
ld.v2.b64 {%d1, %d2}, [%p0];
st.v2.b64 [%p1+32], {%d2, %d1};
)"),
                               "k");
  Buffer from(16), to(48);
  from.put(std::vector<uint32_t>{1, 2, 3, 4});
  run(function, 1, 1, {from.address, to.address});
  EXPECT_EQ(to.take<uint32_t>(12),
            (std::vector<uint32_t>{4, 3, 2, 7, 2 << 16, 1 | 1 << 16, UINT32_MAX,
                                   UINT32_MAX, 3, 4, 1, 2}));
}

TEST_F(MemoryTest, PackedMoves) {
  CUfunction function = kernel(kernelOf(1, R"(
mov.b64 %d1, {1, 2};
mov.b64 {%r1, %r2}, %d1;
mov.b64 {%h1, %h2, %h3, %h4}, %d1;
mov.b32 %r3, {%h3, %h1};
st.global.v4.b32 [%p0], {%r2, %r1, %r3, 0};
)"),
                               "k");
  Buffer to(16);
  run(function, 1, 1, {to.address});
  EXPECT_EQ(to.take<uint32_t>(3), (std::vector<uint32_t>{2, 1, 2 | 1 << 16}));
}

/// Initial values contain addresses of other variables.
TEST_F(MemoryTest, Variables) {
  CUmodule module = load(moduleOf(R"(
.const .align 4 .b32 table[2] = {5, 6};
.global .align 4 .b32 zero;
.global .align 8 .u64 pointer[2] = {generic(table)+4, zero};
.visible .entry k(.param .u64 to) {
.reg .b32 %r<5>; .reg .b64 %d<5>;
ld.param.b64 %d1, [to];
ld.global.b64 %d2, [pointer];
ld.b32 %r1, [%d2];
ld.const.b32 %r2, [table];
ld.global.b64 %d3, [pointer+8];
ld.b32 %r3, [%d3];
mov.b64 %d4, table+4;
ld.const.b32 %r4, [%d4];
st.global.v4.b32 [%d1], {%r1, %r2, %r3, %r4};
ret;
})"));
  CUfunction function = nullptr;
  EXPECT_EQ(cuda.cuModuleGetFunction(&function, module, "k"), CUDA_SUCCESS);
  Buffer to(16);
  run(function, 1, 1, {to.address});
  EXPECT_EQ(to.take<int>(4), (std::vector<int>{6, 5, 0, 6}));
  CUdeviceptr address = 0;
  size_t bytes = 0;
  EXPECT_EQ(cuda.cuModuleGetGlobal_v2(&address, &bytes, module, "zero"),
            CUDA_SUCCESS);
  EXPECT_EQ(bytes, 4u);
  EXPECT_EQ(cuda.cuMemsetD32_v2(address, 9, 1), CUDA_SUCCESS);
  run(function, 1, 1, {to.address});
  EXPECT_EQ(to.take<int>(3)[2], 9);
  EXPECT_EQ(cuda.cuModuleGetGlobal_v2(&address, &bytes, module, "none"),
            CUDA_ERROR_NOT_FOUND);
}

/// Local and shared memory have generic addresses, which differ.
TEST_F(MemoryTest, GenericAddresses) {
  CUfunction function = kernel(moduleOf(R"(
.shared .align 8 .b8 s[16];
.visible .entry k(.param .u64 to) {
.local .align 8 .b8 l[16];
.reg .b32 %r<5>; .reg .b64 %d<9>;
ld.param.b64 %d1, [to];
cvta.to.global.u64 %d1, %d1;
mov.b64 %d2, s;
cvta.shared.u64 %d3, %d2;
mov.b64 %d4, l;
cvta.local.u64 %d5, %d4;
st.b32 [%d3+8], 3;
st.b32 [%d5+8], 4;
ld.shared.b32 %r1, [s+8];
ld.local.b32 %r2, [%d4+8];
cvta.to.shared.u64 %d6, %d3;
cvta.to.local.u64 %d7, %d5;
st.shared.b32 [%d6], 5;
st.local.b32 [%d7], 6;
ld.b32 %r3, [%d3];
ld.b32 %r4, [%d5];
st.global.v4.b32 [%d1], {%r1, %r2, %r3, %r4};
ret;
})"),
                               "k");
  Buffer to(16);
  run(function, 1, 1, {to.address});
  EXPECT_EQ(to.take<int>(4), (std::vector<int>{3, 4, 5, 6}));
}

TEST_F(MemoryTest, ParametersOfAllSizes) {
  CUfunction function = kernel(moduleOf(R"(
.visible .entry k(.param .u64 to, .param .u8 a, .param .u16 b, .param .f32 c,
                  .param .align 16 .b8 d[24], .param .f64 e) {
.reg .b32 %r<9>; .reg .b64 %d<5>;
ld.param.b64 %d1, [to];
ld.param.u8 %r1, [a];
ld.param.s16 %r2, [b];
ld.param.b32 %r3, [c];
ld.param.v2.b32 {%r4, %r5}, [d+16];
ld.param.b64 %d2, [e];
st.global.v4.b32 [%d1], {%r1, %r2, %r3, %r5};
st.global.b64 [%d1+16], %d2;
ret;
})"),
                               "k");
  Buffer to(24);
  uint8_t a = 200;
  int16_t b = -3;
  float c = 1.5f;
  uint32_t d[6] = {1, 2, 3, 4, 5, 6};
  double e = 2.25;
  CUdeviceptr address = to.address;
  void *parameters[] = {&address, &a, &b, &c, d, &e};
  EXPECT_EQ(cuda.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr,
                                parameters, nullptr),
            CUDA_SUCCESS);
  EXPECT_EQ(to.take<int>(4), (std::vector<int>{200, -3, 0x3fc00000, 6}));
  EXPECT_EQ(to.take<double>(3)[2], 2.25);
}

TEST_F(MemoryTest, PinnedMemoryIsAccessible) {
  CUfunction function =
      kernel(kernelOf(1, "ld.global.b32 %r1, [%p0];\nadd.s32 %r1, %r1, 1;\n"
                         "st.global.b32 [%p0], %r1;\n"),
             "k");
  void *pinned = nullptr;
  ASSERT_EQ(cuda.cuMemHostAlloc(&pinned, 4, 0), CUDA_SUCCESS);
  *static_cast<int *>(pinned) = 41;
  run(function, 1, 1, {reinterpret_cast<uint64_t>(pinned)});
  EXPECT_EQ(*static_cast<int *>(pinned), 42);
  EXPECT_EQ(cuda.cuMemFreeHost(pinned), CUDA_SUCCESS);
}

} // namespace
