// Parts of a kernel that differ in extents and memory alone share their code.
// RUN: emit-ptx %s | FileCheck %s

// A thread computes four elements: 1 + 1 + 2 blocks, each of one part.
// CHECK: // launch updates: 13 parameters, threads affine_map<() -> (512)> in blocks of 128
// CHECK: // launch aligned: 9 parameters, threads affine_map<() -> (512)> in blocks of 128
// CHECK: // launch moves: 7 parameters, threads affine_map<() -> (512)> in blocks of 128

// A thread searches its part, and loads and stores for it: one element after
// the other where an address of the part is not aligned or the run is short.

// CHECK-LABEL: .visible .entry updates(
// CHECK-NOT: ld.global.b32
// CHECK: setp.{{[a-z]+}}.{{[sub]}}{{32|64}} {{.*}}, 1;
// CHECK: and.b64 {{.*}}, 15;
// CHECK-COUNT-3: ld.global.b32
// CHECK-NOT: ld.global
// CHECK: st.global.b32
// CHECK-COUNT-2: ld.global.v4.b32
// CHECK: ld.global.b32
// CHECK-NOT: ld.global
// CHECK: st.global.v4.b32
// CHECK-NOT: {{ld|st}}.global
// CHECK: ret;
tgx.kernel @updates loop(%r: tensor<f32>, %a: tensor<?xf32> [300], %b: tensor<?xf32> [300], %c: tensor<?xf32> [100], %d: tensor<?xf32> [100], %e: tensor<?xf32> [1000], %f: tensor<?xf32> [1000]) attributes {parts = array<i64: 1, 1, 1>} {
  %0 = tg.mul %b, %r : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %1 = tg.add %a, %0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %2 = tg.mul %d, %r : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %3 = tg.add %c, %2 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %4 = tg.mul %f, %r : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %5 = tg.add %e, %4 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  tgx.yield %1, %3, %5 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// Parts of whole runs in aligned memory have no other code.

// CHECK-LABEL: .visible .entry aligned(
// CHECK-NOT: {{ld|st}}.global.b32
// CHECK-COUNT-2: ld.global.v4.b32
// CHECK-NOT: {{ld|st}}.global.b32
// CHECK: st.global.v4.b32
// CHECK-NOT: {{ld|st}}.global
// CHECK: ret;
tgx.kernel @aligned loop(%a: tensor<?xf32> [512], %b: tensor<?xf32> [512], %c: tensor<?xf32> [1500], %d: tensor<?xf32> [1500]) attributes {parts = array<i64: 1, 1>, alignments = array<i64: 64, 16, 64, 32, 64, 64>} {
  %0 = tg.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %1 = tg.add %c, %d : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  tgx.yield %0, %1 : tensor<?xf32>, tensor<?xf32>
}

// Parts that move elements have a thread for each of them.

// CHECK-LABEL: .visible .entry moves(
// CHECK-NOT: .v4
// CHECK: ret;
tgx.kernel @moves loop(%a: tensor<8x32xf32>, %b: tensor<8x32xf32>) attributes {parts = array<i64: 1, 1>, alignments = array<i64: 64, 64, 64, 64>} {
  %0 = tg.transpose %a {permutation = [1, 0]} : (tensor<8x32xf32>) -> tensor<32x8xf32>
  %1 = tg.transpose %b {permutation = [1, 0]} : (tensor<8x32xf32>) -> tensor<32x8xf32>
  tgx.yield %0, %1 : tensor<32x8xf32>, tensor<32x8xf32>
}
