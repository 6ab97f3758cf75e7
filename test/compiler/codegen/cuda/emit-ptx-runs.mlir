// A thread of an elementwise kernel computes the elements of 16 bytes.
// RUN: emit-ptx %s | FileCheck %s

// CHECK: // launch plain: 5 parameters, threads affine_map<() -> (256)> in blocks of 128
// CHECK: // launch rows: 7 parameters, threads affine_map<() -> (128)> in blocks of 128
// CHECK: // launch tail: 7 parameters, threads affine_map<()[s0] -> ((s0 * 6) ceildiv 4)> in blocks of 128
// CHECK: // launch dynamic: 9 parameters, threads affine_map<()[s0, s1] -> ((s0 * s1) ceildiv 4)> in blocks of 128
// CHECK: // launch wide: 5 parameters, threads affine_map<() -> (512)> in blocks of 128
// CHECK: // launch masked: 6 parameters, threads affine_map<() -> (256)> in blocks of 128
// CHECK: // launch bytes: 5 parameters, threads affine_map<() -> (64)> in blocks of 128

// Whole runs of aligned tensors have no other code.

// CHECK-LABEL: .visible .entry plain(
// CHECK: bra
// CHECK-NOT: bra
// CHECK: ld.global.v4.b32
// CHECK-NOT: ld.global
// CHECK: st.global.v4.b32
// CHECK-NOT: st.global
// CHECK: ret;
tgx.kernel @plain loop(%x: tensor<1024xf32>) attributes {alignments = array<i64: 64, 64>} {
  %0 = tg.relu %x : tensor<1024xf32>
  tgx.yield %0 : tensor<1024xf32>
}

// Rows that are broadcast are loaded in the same way, one element of a column
// once.

// CHECK-LABEL: .visible .entry rows(
// CHECK: ld.global.b64
// CHECK-DAG: ld.global.v4.b32
// CHECK-DAG: ld.global.v4.b32
// CHECK-DAG: ld.global.b32
// CHECK-NOT: ld.global
// CHECK: st.global.v4.b32
// CHECK-NOT: st.global
// CHECK: ret;
tgx.kernel @rows loop(%x: tensor<64x8xf32>, %row: tensor<8xf32>, %column: tensor<64x1xf32>) attributes {alignments = array<i64: 64, 64, 4, 64>} {
  %0 = tg.add %x, %row : (tensor<64x8xf32>, tensor<8xf32>) -> tensor<64x8xf32>
  %1 = tg.mul %0, %column : (tensor<64x8xf32>, tensor<64x1xf32>) -> tensor<64x8xf32>
  tgx.yield %1 : tensor<64x8xf32>
}

// Runs that end in other rows than they begin load the broadcast row element by
// element. The last run may be short.

// CHECK-LABEL: .visible .entry tail(
// CHECK: ld.global.b32
// CHECK: ld.global.b32
// CHECK: st.global.b32
// CHECK: ld.global.v4.b32
// CHECK-COUNT-4: ld.global.b32
// CHECK-NOT: ld.global
// CHECK: st.global.v4.b32
// CHECK: ret;
tgx.kernel @tail loop[s0](%x: tensor<?x6xf32> [s0, 6], %row: tensor<6xf32>) attributes {alignments = array<i64: 64, 64, 64>} {
  %0 = tg.add %x, %row : (tensor<?x6xf32>, tensor<6xf32>) -> tensor<?x6xf32>
  tgx.yield %0 : tensor<?x6xf32>
}

// Where a launch finds that rows are whole runs, the row is loaded as in @rows.

// CHECK-LABEL: .visible .entry dynamic(
// CHECK-DAG: ld.global.v4.b32
// CHECK-DAG: ld.global.v4.b32
// CHECK-DAG: ld.global.v4.b32
// CHECK-NOT: ld.global.v4
// CHECK: ret;
tgx.kernel @dynamic loop[s0, s1](%x: tensor<?x?xf32> [s0, s1], %row: tensor<?xf32> [s1], %column: tensor<?x1xf32> [s0, 1]) attributes {alignments = array<i64: 64, 64, 4, 64>} {
  %0 = tg.add %x, %row : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  %1 = tg.mul %0, %column : (tensor<?x?xf32>, tensor<?x1xf32>) -> tensor<?x?xf32>
  tgx.yield %1 : tensor<?x?xf32>
}

// CHECK-LABEL: .visible .entry wide(
// CHECK: ld.global.v2.b32
// CHECK: st.global.v2.b64
// CHECK: ret;
tgx.kernel @wide loop(%x: tensor<1024xf32>) attributes {alignments = array<i64: 64, 64>} {
  %0 = tg.cast %x {element_type = f64} : (tensor<1024xf32>) -> tensor<1024xf64>
  tgx.yield %0 : tensor<1024xf64>
}

// CHECK-LABEL: .visible .entry masked(
// CHECK: ld.global.b64
// CHECK-DAG: ld.global.b32
// CHECK-DAG: ld.global.v4.b32
// CHECK: st.global.v4.b32
// CHECK: ret;
tgx.kernel @masked loop(%mask: tensor<1024xi1>, %x: tensor<1024xf32>) with(%none = dense<0.0> : tensor<f32>) attributes {alignments = array<i64: 64, 64, 64>} {
  %0 = tg.select %mask, %x, %none : (tensor<1024xi1>, tensor<1024xf32>, tensor<f32>) -> tensor<1024xf32>
  tgx.yield %0 : tensor<1024xf32>
}

// CHECK-LABEL: .visible .entry bytes(
// CHECK: ld.global.v4.b32
// CHECK: st.global.v4.b32
// CHECK: ret;
tgx.kernel @bytes loop(%x: tensor<1024xi1>) attributes {alignments = array<i64: 64, 64>} {
  %0 = tg.not %x : tensor<1024xi1>
  tgx.yield %0 : tensor<1024xi1>
}
