// Products of matrices in tiles of blocks of threads.
// RUN: emit-ptx %s | FileCheck %s
// RUN: emit-ptx %s | FileCheck %s --check-prefix=TILE

// CHECK: // launch gemm: 7 parameters, threads affine_map<() -> (16384)> in blocks of 128
// CHECK: // launch windows: 6 parameters, threads affine_map<() -> (25088)> in blocks of 128
// CHECK: // launch row: 6 parameters, threads affine_map<() -> (4096)> in blocks of 128
// CHECK: // launch long_sum: 6 parameters, threads affine_map<() -> (2048)> in blocks of 128
// CHECK: // launch short: 6 parameters, threads affine_map<() -> (1024)> in blocks of 128

// CHECK-LABEL: .visible .entry gemm(
// CHECK: .shared .align 16
// CHECK-NOT: {{(div|rem).[su]64}}
// CHECK: bar.sync 0;
// A part of the operands is loaded before the part in shared memory is used.
// CHECK-COUNT-3: ld.global.v4.b32
// CHECK-NOT: ld.global
// CHECK: ld.shared.v4.b32
// CHECK-COUNT-64: fma.rn.f32
// CHECK: st.shared.v4.b32
// CHECK: bar.sync 0;
// CHECK: bar.sync 0;
// CHECK-NOT: fma.rn.f32
// CHECK: ld.shared.v4.b32
// CHECK: ld.global.v4.b32
// CHECK: st.global.v4.b32
// CHECK: ret;

// The products of a part: 8 for each of 8 x 8 results.
// TILE-LABEL: .visible .entry gemm(
// TILE-COUNT-512: fma.rn.f32
// TILE-NOT: fma.rn.f32
// TILE: ret;
tgx.kernel @gemm contraction(%a: tensor<1024x1024xf32>, %b: tensor<1024x1024xf32>, %c: tensor<1024xf32>) attributes {alignments = array<i64: 256, 256, 256, 256>} {
  %0 = tg.matmul %a, %b : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %1 = tg.add %0, %c : (tensor<1024x1024xf32>, tensor<1024xf32>) -> tensor<1024x1024xf32>
  %2 = tg.relu %1 : tensor<1024x1024xf32>
  tgx.yield %2 : tensor<1024x1024xf32>
}

// Neighbouring channels of a window are all inside of the input or all outside.

// CHECK-LABEL: .visible .entry windows(
// CHECK: bar.sync 0;
// CHECK: setp
// CHECK: ld.global.v4.b32
// CHECK: bar.sync 0;
// CHECK: ret;
tgx.kernel @windows contraction(%x: tensor<64x28x28x16xf32>, %w: tensor<3x3x16x64xf32>) attributes {alignments = array<i64: 256, 256, 256>} {
  %0 = tg.conv %x, %w {padding = "same", strides = [2, 2]} : (tensor<64x28x28x16xf32>, tensor<3x3x16x64xf32>) -> tensor<64x14x14x64xf32>
  tgx.yield %0 : tensor<64x14x14x64xf32>
}

// A tile of a single row: a thread loads 128 bytes at a time of the other
// operand, and multiplies where its warp has a slice.

// CHECK-LABEL: .visible .entry row(
// CHECK: bar.sync 0;
// CHECK-COUNT-8: ld.global.v4.b32
// CHECK-NOT: ld.global.v4
// CHECK-COUNT-16: fma.rn.f32
// CHECK: bar.sync 0;
// CHECK: ret;
tgx.kernel @row contraction(%a: tensor<1x1024xf32>, %b: tensor<1024x1024xf32>) attributes {alignments = array<i64: 16, 16, 16>} {
  %0 = tg.matmul %a, %b {tg.order = #tg.order<blocks = [512, 16]>} : (tensor<1x1024xf32>, tensor<1024x1024xf32>) -> tensor<1x1024xf32>
  tgx.yield %0 : tensor<1x1024xf32>
}

// Tiles of 16 x 16 elements whose warps sum blocks of 512 products each. The
// sums of the 4 warps are added in order.

// CHECK-LABEL: .visible .entry long_sum(
// CHECK: bar.sync 0;
// CHECK: bar.sync 0;
// CHECK-COUNT-32: add.rn.f32
// CHECK-COUNT-128: fma.rn.f32
// CHECK: bar.sync 0;
// CHECK: ret;
tgx.kernel @long_sum contraction(%a: tensor<8192x64xf32>, %b: tensor<8192x64xf32>) attributes {alignments = array<i64: 16, 16, 16>} {
  %0 = tg.matmul %a, %b {transpose_lhs, tg.order = #tg.order<blocks = [512, 16]>} : (tensor<8192x64xf32>, tensor<8192x64xf32>) -> tensor<64x64xf32>
  tgx.yield %0 : tensor<64x64xf32>
}

// A few products are not worth a block of threads.

// CHECK-LABEL: .visible .entry short(
// CHECK-NOT: bar.sync
// CHECK: fma.rn.f32
// CHECK: ret;
tgx.kernel @short contraction(%a: tensor<1x32xf32>, %b: tensor<32x1024xf32>) {
  %0 = tg.matmul %a, %b : (tensor<1x32xf32>, tensor<32x1024xf32>) -> tensor<1x1024xf32>
  tgx.yield %0 : tensor<1x1024xf32>
}
