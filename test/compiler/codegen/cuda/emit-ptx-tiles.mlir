// Products of matrices in tiles of blocks of threads.
// RUN: emit-ptx %s | FileCheck %s
// RUN: emit-ptx %s | FileCheck %s --check-prefix=TILE

// CHECK: // launch gemm: 7 parameters, threads affine_map<() -> (16384)> in blocks of 128
// CHECK: // launch windows: 6 parameters, threads affine_map<() -> (25088)> in blocks of 128
// CHECK: // launch row: 6 parameters, threads affine_map<() -> (4096)> in blocks of 128
// CHECK: // launch long_sum: 6 parameters, threads affine_map<() -> (2048)> in blocks of 128
// CHECK: // launch short: 6 parameters, threads affine_map<() -> (1024)> in blocks of 128
// CHECK: // launch fused: 6 parameters, threads affine_map<() -> (16384)> in blocks of 128
// CHECK: // launch fused_both: 6 parameters, threads affine_map<() -> (16384)> in blocks of 128
// CHECK: // launch doubles: 6 parameters, threads affine_map<() -> (65536)> in blocks of 128
// CHECK: // launch filter: 6 parameters, threads affine_map<() -> (18432)> in blocks of 128
// CHECK: // launch unaligned: 6 parameters, threads affine_map<() -> (16384)> in blocks of 128

// CHECK-LABEL: .visible .entry gemm(
// CHECK: .shared .align 16
// CHECK-NOT: {{(div|rem).[su]64}}
// The first part, which all threads wait for. The lhs has products side by
// side, which are apart in shared memory.
// CHECK-COUNT-8: cp.async.ca.shared.global [%rd{{[0-9+]+}}], [%rd{{[0-9+]+}}], 4;
// CHECK: cp.async.cg.shared.global [%rd{{[0-9+]+}}], [%rd{{[0-9+]+}}], 16;
// CHECK-NEXT: cp.async.commit_group;
// CHECK: cp.async.wait_group 0;
// CHECK-NEXT: bar.sync 0;
// The copies of a part run while the part before is multiplied. Nothing goes
// through registers.
// CHECK-COUNT-8: cp.async.ca.shared.global
// CHECK: cp.async.cg.shared.global
// CHECK-NEXT: cp.async.commit_group;
// CHECK-NOT: {{ld.global|st.shared|cp.async}}
// CHECK: ld.shared.v4.b32
// CHECK-COUNT-512: fma.rn.f32
// CHECK-NOT: {{ld.global|st.shared|fma.rn}}
// CHECK: cp.async.wait_group 0;
// CHECK-NEXT: bar.sync 0;
// CHECK: bar.sync 0;
// CHECK-NOT: {{fma.rn.f32|cp.async}}
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
// Their places in shared memory are apart, so that they are loaded together;
// filters are copied.

// CHECK-LABEL: .visible .entry windows(
// CHECK: bar.sync 0;
// CHECK: cp.async.commit_group;
// CHECK: fma.rn.f32
// CHECK: st.shared.b32
// CHECK: cp.async.wait_group 0;
// CHECK-NEXT: bar.sync 0;
// CHECK-NOT: cp.async.ca
// CHECK: cp.async.cg.shared.global [%rd{{[0-9+]+}}], [%rd{{[0-9+]+}}], 16;
// CHECK-NOT: cp.async
// CHECK: setp
// CHECK: ld.global.v4.b32
// CHECK: ret;
tgx.kernel @windows contraction(%x: tensor<64x28x28x16xf32>, %w: tensor<3x3x16x64xf32>) attributes {alignments = array<i64: 256, 256, 256>} {
  %0 = tg.conv %x, %w {padding = "same", strides = [2, 2]} : (tensor<64x28x28x16xf32>, tensor<3x3x16x64xf32>) -> tensor<64x14x14x64xf32>
  tgx.yield %0 : tensor<64x14x14x64xf32>
}

// A tile of a single row: a thread copies 128 bytes at a time of the other
// operand, and multiplies where its warp has a slice.

// CHECK-LABEL: .visible .entry row(
// CHECK: bar.sync 0;
// CHECK: cp.async.ca.shared.global
// CHECK-COUNT-8: cp.async.cg.shared.global
// CHECK-NOT: cp.async.c
// CHECK: cp.async.commit_group;
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

// An operand that is computed goes through registers, the other one does not.

// CHECK-LABEL: .visible .entry fused(
// CHECK: bar.sync 0;
// CHECK-NOT: cp.async.ca
// CHECK: cp.async.cg.shared.global
// CHECK: ld.global.v4.b32
// CHECK: cp.async.commit_group;
// CHECK: fma.rn.f32
// CHECK: st.shared.b32
// CHECK: cp.async.wait_group 0;
// CHECK-NEXT: bar.sync 0;
// CHECK: ret;
tgx.kernel @fused contraction(%a: tensor<1024x1024xf32>, %b: tensor<1024x1024xf32>) attributes {alignments = array<i64: 256, 256, 256>} {
  %0 = tg.relu %a : tensor<1024x1024xf32>
  %1 = tg.matmul %0, %b : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  tgx.yield %1 : tensor<1024x1024xf32>
}

// CHECK-LABEL: .visible .entry fused_both(
// CHECK-NOT: cp.async
// CHECK: ret;
tgx.kernel @fused_both contraction(%a: tensor<1024x1024xf32>, %b: tensor<1024x1024xi32>) attributes {alignments = array<i64: 256, 256, 256>} {
  %0 = tg.relu %a : tensor<1024x1024xf32>
  %1 = tg.cast %b {element_type = f32} : (tensor<1024x1024xi32>) -> tensor<1024x1024xf32>
  %2 = tg.matmul %0, %1 : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  tgx.yield %2 : tensor<1024x1024xf32>
}

// CHECK-LABEL: .visible .entry doubles(
// CHECK: bar.sync 0;
// CHECK-NOT: ld.global
// CHECK: cp.async.ca.shared.global [%rd{{[0-9+]+}}], [%rd{{[0-9+]+}}], 8;
// CHECK: cp.async.cg.shared.global [%rd{{[0-9+]+}}], [%rd{{[0-9+]+}}], 16;
// CHECK: cp.async.commit_group;
// CHECK: fma.rn.f64
// CHECK: ret;
tgx.kernel @doubles contraction(%a: tensor<1024x1024xf64>, %b: tensor<1024x1024xf64>) attributes {alignments = array<i64: 256, 256, 256>} {
  %0 = tg.matmul %a, %b : (tensor<1024x1024xf64>, tensor<1024x1024xf64>) -> tensor<1024x1024xf64>
  tgx.yield %0 : tensor<1024x1024xf64>
}

// Copies of no bytes store the zeros around the input.

// CHECK-LABEL: .visible .entry filter(
// CHECK: bar.sync 0;
// CHECK: setp.lt.u
// CHECK-NOT: ld.global
// CHECK: cp.async.cg.shared.global [%rd{{[0-9+]+}}], [%rd{{[0-9+]+}}], 16, %r{{[0-9]+}};
// CHECK: cp.async.cg.shared.global [%rd{{[0-9+]+}}], [%rd{{[0-9+]+}}], 16;
// CHECK: fma.rn.f32
// CHECK: ret;
tgx.kernel @filter contraction(%x: tensor<16x28x28x256xf32>, %g: tensor<16x28x28x256xf32>) attributes {alignments = array<i64: 256, 256, 256>} {
  %0 = tg.conv_filter_grad %x, %g {filter_sizes = [3, 3], padding = "same"} : (tensor<16x28x28x256xf32>, tensor<16x28x28x256xf32>) -> tensor<3x3x256x256xf32>
  tgx.yield %0 : tensor<3x3x256x256xf32>
}

// Rows that begin at any multiple of 4 bytes are copied element by element.

// CHECK-LABEL: .visible .entry unaligned(
// CHECK: bar.sync 0;
// CHECK-NOT: ld.global
// CHECK-COUNT-12: cp.async.ca.shared.global [%rd{{[0-9+]+}}], [%rd{{[0-9+]+}}], 4;
// CHECK-NEXT: cp.async.commit_group;
// CHECK: fma.rn.f32
// CHECK: ret;
tgx.kernel @unaligned contraction(%a: tensor<1024x1024xf32>, %b: tensor<1024x1023xf32>) attributes {alignments = array<i64: 256, 256, 256>} {
  %0 = tg.matmul %a, %b : (tensor<1024x1024xf32>, tensor<1024x1023xf32>) -> tensor<1024x1023xf32>
  tgx.yield %0 : tensor<1024x1023xf32>
}
