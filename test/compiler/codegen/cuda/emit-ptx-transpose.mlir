// Blocks of threads transpose tiles in shared memory: neighbouring threads
// load neighbours, and store neighbours.
// RUN: emit-ptx %s | FileCheck %s

// CHECK: // launch whole: 5 parameters, threads affine_map<() -> (256)> in blocks of 128
// CHECK: // launch edges: 8 parameters, threads affine_map<()[s0, s1] -> (((s1 ceildiv 32) * (s0 ceildiv 32)) * 128)> in blocks of 128
// CHECK: // launch channels: 5 parameters, threads affine_map<() -> (1024)> in blocks of 128
// CHECK: // launch colours: 5 parameters, threads affine_map<() -> (4096)> in blocks of 128
// CHECK: // launch small: 5 parameters, threads affine_map<() -> (256)> in blocks of 128
// CHECK: // launch rows: 5 parameters, threads affine_map<() -> (16384)> in blocks of 128

// All loads precede a barrier, all stores follow it.

// CHECK-LABEL: .visible .entry whole(
// CHECK-NOT: ld.shared
// CHECK-COUNT-8: ld.global.b32
// CHECK-NOT: ld.global
// CHECK-COUNT-8: st.shared.b32
// CHECK: bar
// CHECK-COUNT-8: ld.shared.b32
// CHECK-COUNT-8: st.global.b32
// CHECK-NOT: st.global
// CHECK: ret;
tgx.kernel @whole loop(%x: tensor<32x64xf32>) attributes {alignments = array<i64: 64, 64>} {
  %0 = tg.transpose %x {permutation = [1, 0]} : (tensor<32x64xf32>) -> tensor<64x32xf32>
  tgx.yield %0 : tensor<64x32xf32>
}

// Tiles at the end of the rows are stored element by element. The other operand
// is loaded as it is stored.

// CHECK-LABEL: .visible .entry edges(
// CHECK-COUNT-8: ld.global.b32
// CHECK-NOT: ld.global
// CHECK: bar
// CHECK: ld.shared.b32
// CHECK: add.rn.f32
// CHECK: ret;
tgx.kernel @edges loop[s0, s1](%x: tensor<?x?xf32> [s0, s1], %y: tensor<?x?xf32> [s1, s0]) {
  %0 = tg.transpose %x {permutation = [1, 0]} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = tg.add %0, %y : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  tgx.yield %1 : tensor<?x?xf32>
}

// Height and width are one side of the tiles.

// CHECK-LABEL: .visible .entry channels(
// CHECK: bar
// CHECK: ret;
tgx.kernel @channels loop(%x: tensor<2x64x8x8xf32>) attributes {alignments = array<i64: 64, 64>} {
  %0 = tg.transpose %x {permutation = [0, 2, 3, 1]} : (tensor<2x64x8x8xf32>) -> tensor<2x8x8x64xf32>
  tgx.yield %0 : tensor<2x8x8x64xf32>
}

// A tile of short columns has them whole: 256 rows of three.

// CHECK-LABEL: .visible .entry colours(
// CHECK-COUNT-6: ld.global.b32
// CHECK-NOT: ld.global
// CHECK: bar
// CHECK-COUNT-6: st.global.b32
// CHECK-NOT: st.global
// CHECK: ret;
tgx.kernel @colours loop(%x: tensor<8x3x32x32xf32>) attributes {alignments = array<i64: 64, 64>} {
  %0 = tg.transpose %x {permutation = [0, 2, 3, 1]} : (tensor<8x3x32x32xf32>) -> tensor<8x32x32x3xf32>
  tgx.yield %0 : tensor<8x32x32x3xf32>
}

// Short rows and columns have a thread for each element.

// CHECK-LABEL: .visible .entry small(
// CHECK-NOT: bar
// CHECK: ret;
tgx.kernel @small loop(%x: tensor<16x16xf32>) attributes {alignments = array<i64: 64, 64>} {
  %0 = tg.transpose %x {permutation = [1, 0]} : (tensor<16x16xf32>) -> tensor<16x16xf32>
  tgx.yield %0 : tensor<16x16xf32>
}

// Neighbours that stay neighbours need no tiles, and have joined accesses.

// CHECK-LABEL: .visible .entry rows(
// CHECK-NOT: bar
// CHECK: ld.global.v4.b32
// CHECK-NOT: bar
// CHECK: st.global.v4.b32
// CHECK: ret;
tgx.kernel @rows loop(%x: tensor<32x32x64xf32>) attributes {alignments = array<i64: 64, 64>} {
  %0 = tg.transpose %x {permutation = [1, 0, 2]} : (tensor<32x32x64xf32>) -> tensor<32x32x64xf32>
  tgx.yield %0 : tensor<32x32x64xf32>
}
