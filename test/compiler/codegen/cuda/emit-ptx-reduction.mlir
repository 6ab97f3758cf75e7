// The forms of reductions: a thread or a warp keeps a line in registers, warps
// read a line side by side, slots sum blocks of lines of a column.
// RUN: emit-ptx %s > %t
// RUN: FileCheck %s < %t
// RUN: not grep -E "(div|rem)\.[us]64" %t

// CHECK: // launch losses: {{.*}} threads affine_map<()[s0] -> (s0)> in blocks of 128
// CHECK: // launch softmax: {{.*}} threads affine_map<()[s0] -> (s0 * 32)> in blocks of 128
// CHECK: // launch long: {{.*}} threads affine_map<()[s0] -> (s0 * 128)> in blocks of 128
// CHECK: // launch columns: {{.*}} threads affine_map<()[s0] -> (512)> in blocks of 512
// CHECK: // launch many: {{.*}} threads affine_map<()[s0] -> (40000)> in blocks of 128

// A thread loads the 10 elements of its line once, for the maximum and for both
// sums.

// CHECK-LABEL: .visible .entry losses(
// CHECK-COUNT-10: ld.global.b32
// CHECK-NOT: ld.global.b32
// CHECK: max.NaN.f32
// CHECK: sub.rn.f32
// CHECK: fma.rn.f32
// CHECK-NOT: ld.global.b32
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

// A warp keeps the 64 elements of a line, two a thread: neighbouring threads
// load neighbouring elements, and no phase loads them again. Four accumulators
// are folded, and then 16 lanes.

// CHECK-LABEL: .visible .entry softmax(
// CHECK: ld.global.b32 [[LOW:%r[0-9]+]], [[[X:%rd[0-9]+]]];
// CHECK-NEXT: ld.global.b32 [[HIGH:%r[0-9]+]], [[[X]]+128];
// CHECK-NOT: ld.global.b32
// CHECK: shfl.sync.down.b32 {{.*}}, 16, 31, -1;
// CHECK: shfl.sync.down.b32 {{.*}}, 16, 31, -1;
// CHECK: shfl.sync.down.b32 {{.*}}, 8, 31, -1;
// CHECK: shfl.sync.down.b32 {{.*}}, 4, 31, -1;
// CHECK: shfl.sync.down.b32 {{.*}}, 2, 31, -1;
// CHECK: shfl.sync.down.b32 {{.*}}, 1, 31, -1;
// CHECK: shfl.sync.idx.b32 {{.*}}, 0, 31, -1;
// CHECK-NOT: ld.global.b32
// CHECK: bar.warp.sync
// CHECK: st.global.b32 [[[Y:%rd[0-9]+]]],
// CHECK: st.global.b32 [[[Y]]+128],
// CHECK: ret;
tgx.kernel @softmax reduction[s0](%x: tensor<?x64xf32> [s0, 64]) {
  %0 = tg.reduce_max %x {axes = [1], keep_dims} : (tensor<?x64xf32>) -> tensor<?x1xf32>
  %1 = tg.sub %x, %0 : (tensor<?x64xf32>, tensor<?x1xf32>) -> tensor<?x64xf32>
  %2 = tg.exp %1 : tensor<?x64xf32>
  %3 = tg.reduce_sum %2 {axes = [1], keep_dims} : (tensor<?x64xf32>) -> tensor<?x1xf32>
  %4 = tg.div %2, %3 : (tensor<?x64xf32>, tensor<?x1xf32>) -> tensor<?x64xf32>
  tgx.yield %4 : tensor<?x64xf32>
}

// Four warps share the three blocks of a line. Loads of four steps precede
// their additions. The lanes of the blocks are merged in shared memory.

// CHECK-LABEL: .visible .entry long(
// CHECK: .maxntid 128
// CHECK: .shared .align 16 .b8 [[ARRAY:.*]][512];
// CHECK-COUNT-8: ld.global.b32
// CHECK-COUNT-8: add.rn.f32
// CHECK: shfl.sync.down.b32 {{.*}}, 16, 31, -1;
// CHECK: st.shared.b32
// CHECK: bar.sync 0;
// CHECK: ld.shared.b32
// CHECK: bar.sync 0;
// CHECK: shfl.sync.down.b32 {{.*}}, 8, 31, -1;
// CHECK: shfl.sync.down.b32 {{.*}}, 1, 31, -1;
// CHECK: st.global.b32
// CHECK: ret;
tgx.kernel @long reduction[s0](%x: tensor<?x10000xf32> [s0, 10000]) {
  %0 = tg.reduce_sum %x {axes = [1]} : (tensor<?x10000xf32>) -> tensor<?xf32>
  tgx.yield %0 : tensor<?xf32>
}

// 64 slots of 8 threads, of which 7 have a column. Blocks of 24 lines, of 64
// blocks, which the slots share, and of 64 of these.

// CHECK-LABEL: .visible .entry columns(
// CHECK: .maxntid 512
// CHECK: add.rn.f32 [[SUM:%r[0-9]+]], [[SUM]], [[SECOND:%r[0-9]+]];
// CHECK: add.rn.f32 [[SECOND]], [[SECOND]], [[FIRST:%r[0-9]+]];
// CHECK: st.shared.b32 {{.*}}, [[CHAIN:%r[0-9]+]];
// CHECK: bar.sync 0;
// CHECK-COUNT-8: ld.global.b32
// CHECK-COUNT-7: add.rn.f32
// CHECK: add.rn.f32 [[CHAIN]],
// CHECK: ld.shared.b32 [[PART:%r[0-9]+]]
// CHECK: add.rn.f32 [[FIRST]], [[FIRST]], [[PART]];
// CHECK: st.global.b32 {{.*}}, [[SUM]];
// CHECK: ret;
tgx.kernel @columns reduction[s0](%x: tensor<?x7xf32> [s0, 7]) {
  %0 = tg.reduce_sum %x {axes = [0]} : (tensor<?x7xf32>) -> tensor<7xf32>
  tgx.yield %0 : tensor<7xf32>
}

// A thread for each of many columns.

// CHECK-LABEL: .visible .entry many(
// CHECK-NOT: bar.sync
// CHECK-NOT: shared
// CHECK-COUNT-8: ld.global.b32
// CHECK: ret;
tgx.kernel @many reduction[s0](%x: tensor<?x40000xf32> [s0, 40000]) {
  %0 = tg.reduce_sum %x {axes = [0]} : (tensor<?x40000xf32>) -> tensor<40000xf32>
  tgx.yield %0 : tensor<40000xf32>
}
