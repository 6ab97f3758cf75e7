// The functions that a kernel becomes, and the ops that are removed.
// RUN: tgc-opt %s --tgx-emit-kernels | FileCheck %s --implicit-check-not=tgx.function --implicit-check-not=tg.variable
// RUN: tgc-opt %s --tgx-emit-kernels=optimization=0 | FileCheck %s --check-prefix=SCALAR
// RUN: not tgc-opt %s --tgx-emit-kernels=level=5 2>&1 | FileCheck %s --check-prefix=LEVEL
// RUN: not tgc-opt %s --tgx-emit-kernels=optimization=4 2>&1 | FileCheck %s --check-prefix=OPTIMIZATION
// LEVEL: error: option 'level': expected 2, 3 or 4, found 5
// OPTIMIZATION: error: option 'optimization': expected 0 to 3, found 4

// CHECK: func.func @double(%[[TASK:.*]]: !llvm.ptr, %[[FIRST:.*]]: i64, %[[LAST:.*]]: i64, %{{.*}}: i32)
// CHECK: scf.for %{{.*}} = %[[FIRST]] to %[[LAST]]
// CHECK: func.func @double.tiles(%{{.*}}: !llvm.ptr) -> i64
// SCALAR: func.func @double(
// SCALAR-NOT: vector
// SCALAR: arith.addf %{{.*}} : f32
// SCALAR-NOT: vector
// SCALAR: func.func @double.tiles(
tg.variable @w : tensor<4xf32>
tgx.kernel @double loop(%x: tensor<4xf32>) {
  %y = tg.add %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  tgx.yield %y : tensor<4xf32>
}
tgx.function @train attributes {
    role = "train", symbols = [], computed = affine_map<() -> ()>, inputs = [], outputs = []} {
  %w = tgx.slab @w : tensor<4xf32>
  tgx.launch @double(%w) into (%w) {extents = affine_map<() -> ()>} : tensor<4xf32> into tensor<4xf32>
}

// A long sum is split: tiles write partial sums to the partials buffer.

// CHECK: func.func @sum(
// CHECK-SAME: tgx.partials_bytes = #
// The lanes of a sum are those of its order, at every optimization level.
// SCALAR: func.func @sum(
// SCALAR: arith.addf %{{.*}} : vector<16xf32>
tgx.kernel @sum reduction[s0](%x: tensor<?xf32> [s0]) {
  %y = tg.reduce_sum %x : (tensor<?xf32>) -> tensor<f32>
  tgx.yield %y : tensor<f32>
}
