// Kernels of one op with an emitter of its own.
// RUN: emit-ptx %s | FileCheck %s

// CHECK: // launch sums: {{.*}} threads affine_map<()[s0] -> (s0)>
// CHECK: // launch scatter: {{.*}} threads affine_map<()[s0] -> (36)>
// CHECK: // launch histogram: {{.*}} threads affine_map<()[s0, s1] -> (65536)>
// CHECK: // launch first: {{.*}} threads affine_map<()[s0] -> (128)>
// CHECK: // launch count: {{.*}} threads affine_map<()[s0] -> ((s0 ceildiv 16384) * 128)>

// Sums within a step of 16 elements, and a carried sum of f64.

// CHECK-LABEL: .visible .entry sums(
// CHECK-COUNT-16: ld.global.b32
// CHECK: add.rn.f32
// CHECK: cvt.rn.f32.f64
// CHECK: st.global.b32
// CHECK: add.rn.f64
// CHECK: ret;
tgx.kernel @sums custom[s0](%x: tensor<?x64xf32> [s0, 64]) {
  %0 = tg.cumsum %x {axis = 1 : i64} : tensor<?x64xf32>
  tgx.yield %0 : tensor<?x64xf32>
}

// A thread compares the owner of each index with its own number, and updates
// memory without atomic operations.

// CHECK-LABEL: .visible .entry scatter(
// CHECK-NOT: {{atom|red}}.
// CHECK: add.rn.f32
// CHECK-NOT: {{atom|red}}.
// CHECK: ret;
tgx.kernel @scatter custom[s0](%base: tensor<9x4xf32>, %index: tensor<?xi32> [s0], %update: tensor<?x4xf32> [s0, 4]) {
  %0 = tg.scatter %base, %index, %update : (tensor<9x4xf32>, tensor<?xi32>, tensor<?x4xf32>) -> tensor<9x4xf32>
  tgx.yield %0 : tensor<9x4xf32>
}

// The number of owners is found at the begin of a thread.

// CHECK-LABEL: .visible .entry histogram(
// CHECK: clz.b64
// CHECK: ret;
tgx.kernel @histogram custom[s0, s1](%base: tensor<?xi64> [s1], %index: tensor<?xi32> [s0], %update: tensor<?xi64> [s0]) {
  %0 = tg.scatter %base, %index, %update : (tensor<?xi64>, tensor<?xi32>, tensor<?xi64>) -> tensor<?xi64>
  tgx.yield %0 : tensor<?xi64>
}

// Threads of a block wait for each other, and change slots by atomic
// operations.

// CHECK-LABEL: .visible .entry first(
// CHECK: bar.sync 0;
// CHECK-DAG: atom.{{.*}}.cas.b64
// CHECK-DAG: atom.{{.*}}min.s64
// CHECK: bar.sync 0;
// CHECK: ret;
tgx.kernel @first custom[s0](%index: tensor<?xi32> [s0]) {
  %0 = tgx.first_equal %index : (tensor<?xi32>) -> tensor<?xi64>
  tgx.yield %0 : tensor<?xi64>
}

// CHECK-LABEL: .visible .entry count(
// CHECK: bar.sync 0;
// CHECK: {{atom|red}}.{{.*}}add.u64
// CHECK: ret;
tgx.kernel @count custom[s0](%mask: tensor<?xi1> [s0]) {
  %0 = tgx.count_true %mask : (tensor<?xi1>) -> tensor<?xi64>
  tgx.yield %0 : tensor<?xi64>
}
