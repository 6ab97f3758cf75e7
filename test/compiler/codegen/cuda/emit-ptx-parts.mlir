// Parts of a kernel that differ in extents and memory alone share their code.
// RUN: emit-ptx %s | FileCheck %s

// 3 + 1 + 8 blocks; a block belongs to one part.
// CHECK: // launch updates: 13 parameters, threads affine_map<() -> (1536)> in blocks of 128

// A thread searches its part, and loads and stores for it.

// CHECK-LABEL: .visible .entry updates(
// CHECK-NOT: ld.global.b32
// CHECK: setp.{{[a-z]+}}.{{[sub]}}{{32|64}} {{.*}}, {{3|4}};
// CHECK-COUNT-3: ld.global.b32
// CHECK-NOT: ld.global.b32
// CHECK: st.global.b32
// CHECK-NOT: {{ld|st}}.global.b32
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
