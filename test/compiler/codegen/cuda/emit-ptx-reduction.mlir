// A thread reduces one group.
// RUN: emit-ptx %s | FileCheck %s

// CHECK: // launch losses: {{.*}} threads affine_map<()[s0] -> (s0)>
// CHECK: // launch columns: {{.*}} threads affine_map<()[s0] -> (7)>

// Two passes over the classes: the maximum, and both sums.

// CHECK-LABEL: .visible .entry losses(
// CHECK: max.NaN.f32
// CHECK: sub.rn.f32
// CHECK: fma.rn.f32
// CHECK: st.global.b32
// CHECK: st.global.b32
// CHECK: ret;
tgx.kernel @losses reduction[s0](%x: tensor<?x10xf32> [s0, 10], %label: tensor<?x1xi64> [s0, 1]) with(%zero = dense<0.0> : tensor<f32>) {
  %max = tg.reduce_max %x {axes = [1], keep_dims} : (tensor<?x10xf32>) -> tensor<?x1xf32>
  %z = tg.sub %x, %max : (tensor<?x10xf32>, tensor<?x1xf32>) -> tensor<?x10xf32>
  %e = tg.exp %z : tensor<?x10xf32>
  %sum = tg.reduce_sum %e {axes = [1]} : (tensor<?x10xf32>) -> tensor<?xf32>
  %class = tg.iota {axis = 0, shape = [10]} : () -> tensor<10xi64>
  %is = tg.compare eq, %class, %label : (tensor<10xi64>, tensor<?x1xi64>) -> tensor<?x10xi1>
  %only = tg.select %is, %z, %zero : (tensor<?x10xi1>, tensor<?x10xf32>, tensor<f32>) -> tensor<?x10xf32>
  %at = tg.reduce_sum %only {axes = [1]} : (tensor<?x10xf32>) -> tensor<?xf32>
  tgx.yield %sum, %at : tensor<?xf32>, tensor<?xf32>
}

// Blocks of 24 lines, of 64 blocks and of 64 of these.

// CHECK-LABEL: .visible .entry columns(
// CHECK: add.rn.f32 [[SUM:%r[0-9]+]], [[SUM]], [[SECOND:%r[0-9]+]];
// CHECK: add.rn.f32 [[SECOND]], [[SECOND]], [[FIRST:%r[0-9]+]];
// CHECK: add.rn.f32 [[FIRST]], [[FIRST]], [[CHAIN:%r[0-9]+]];
// CHECK: ld.global.b32 [[ELEMENT:%r[0-9]+]]
// CHECK: add.rn.f32 [[CHAIN]], [[CHAIN]], [[ELEMENT]];
// CHECK: st.global.b32 {{.*}}, [[SUM]];
// CHECK: ret;
tgx.kernel @columns reduction[s0](%x: tensor<?x7xf32> [s0, 7]) {
  %0 = tg.reduce_sum %x {axes = [0]} : (tensor<?x7xf32>) -> tensor<7xf32>
  tgx.yield %0 : tensor<7xf32>
}
