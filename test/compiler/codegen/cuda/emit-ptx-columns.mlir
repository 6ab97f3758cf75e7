// A block of an elementwise kernel computes some columns of many rows, and
// loads what the rows have in common once.
// RUN: emit-ptx %s | FileCheck %s

// CHECK: // launch rows: 8 parameters, threads affine_map<()[s0] -> ((s0 ceildiv 512) * 128)> in blocks of 128
// CHECK: // launch wide: 6 parameters, threads affine_map<() -> (32768)> in blocks of 128
// CHECK: // launch few: 6 parameters, threads affine_map<() -> (2048)> in blocks of 128

// A thread loads its columns from shared memory, then 8 rows at a time, and
// then those that are left. One element of a column is loaded once.

// CHECK-LABEL: .visible .entry rows(
// CHECK: ld.global.v4.b32
// CHECK-NEXT: st.shared.v4.b32
// CHECK: bar.sync
// CHECK: ld.shared.v4.b32
// CHECK-COUNT-8: ld.global.v4.b32
// CHECK-COUNT-8: ld.global.b32
// CHECK-NOT: ld.global
// CHECK-COUNT-8: st.global.v4.b32
// CHECK: ld.global.v4.b32
// CHECK: ld.global.b32
// CHECK: st.global.v4.b32
// CHECK-NOT: st.global
// CHECK: ret;
tgx.kernel @rows loop[s0](%x: tensor<?x8xf32> [s0, 8], %row: tensor<8xf32>, %column: tensor<?x1xf32> [s0, 1]) attributes {alignments = array<i64: 64, 64, 4, 64>} {
  %0 = tg.add %x, %row : (tensor<?x8xf32>, tensor<8xf32>) -> tensor<?x8xf32>
  %1 = tg.mul %0, %column : (tensor<?x8xf32>, tensor<?x1xf32>) -> tensor<?x8xf32>
  tgx.yield %1 : tensor<?x8xf32>
}

// A root of a column is computed once. If an address is not aligned, a thread
// computes one element after the other.

// CHECK-LABEL: .visible .entry wide(
// CHECK: sqrt.rn.f32
// CHECK: ld.global.b32
// CHECK: div.rn.f32
// CHECK: st.global.b32
// CHECK: bar.sync
// CHECK-COUNT-4: sqrt.rn.f32
// CHECK-NOT: sqrt
// CHECK-COUNT-8: ld.global.v4.b32
// CHECK-NOT: sqrt
// CHECK: ret;
tgx.kernel @wide loop(%x: tensor<1024x1000xf32>, %variance: tensor<1000xf32>) attributes {alignments = array<i64: 4, 64, 64>} {
  %0 = tg.sqrt %variance : tensor<1000xf32>
  %1 = tg.div %x, %0 : (tensor<1024x1000xf32>, tensor<1000xf32>) -> tensor<1024x1000xf32>
  tgx.yield %1 : tensor<1024x1000xf32>
}

// A tensor that is too small for this has a thread for each run.

// CHECK-LABEL: .visible .entry few(
// CHECK-NOT: bar.sync
// CHECK: ret;
tgx.kernel @few loop(%x: tensor<1024x8xf32>, %row: tensor<8xf32>) attributes {alignments = array<i64: 64, 64, 64>} {
  %0 = tg.add %x, %row : (tensor<1024x8xf32>, tensor<8xf32>) -> tensor<1024x8xf32>
  tgx.yield %0 : tensor<1024x8xf32>
}
