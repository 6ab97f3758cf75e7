// A row reduction uses vectors along the row, with the lanes of its order at
// every level, then reduces across lanes. The remainder is masked.
// RUN: tgc-opt %s --tgx-emit-kernels=level=2 | FileCheck %s
// RUN: tgc-opt %s --tgx-emit-kernels=level=3 | FileCheck %s
// RUN: tgc-opt %s --tgx-emit-kernels=level=4 | FileCheck %s
// RUN: tgc-opt %s --tgx-emit-kernels=optimization=0 | FileCheck %s

// CHECK: func.func @rows(
// CHECK: scf.for
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<16xf32>,
// CHECK: arith.addf {{.*}} : vector<16xf32>
// CHECK: llvm.intr.masked.load {{.*}} -> vector<16xf32>
// CHECK: vector.shuffle {{.*}} : vector<16xf32>
// CHECK: arith.addf {{.*}} : vector<8xf32>
// CHECK: func.func @rows.tiles(
tgx.kernel @rows reduction[s0, s1](%x: tensor<?x?xf32> [s0, s1]) {
  %y = tg.reduce_sum %x {axes = [1]} : (tensor<?x?xf32>) -> tensor<?xf32>
  tgx.yield %y : tensor<?xf32>
}

// The order that an op states is the order of the additions.
// CHECK: func.func @ordered(
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<4xf32>, vector<4xf32>)
// CHECK-NOT: vector<16xf32>
// CHECK: func.func @ordered.tiles(
tgx.kernel @ordered reduction[s0, s1](%x: tensor<?x?xf32> [s0, s1]) {
  %y = tg.reduce_sum %x {axes = [1], tg.order = #tg.order<lanes = 4, accumulators = 2, blocks = [64]>} : (tensor<?x?xf32>) -> tensor<?xf32>
  tgx.yield %y : tensor<?xf32>
}
