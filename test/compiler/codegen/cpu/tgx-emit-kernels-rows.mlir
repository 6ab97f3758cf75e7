// A row reduction uses vectors along the row, then reduces across lanes.
// RUN: tgc-opt %s --tgx-emit-kernels=level=2 | FileCheck %s --check-prefixes=CHECK,V2
// RUN: tgc-opt %s --tgx-emit-kernels=level=3 | FileCheck %s --check-prefixes=CHECK,V3
// RUN: tgc-opt %s --tgx-emit-kernels=level=4 | FileCheck %s --check-prefixes=CHECK,V4

// CHECK: func.func @rows(
// CHECK: scf.for
// V2: scf.for {{.*}} iter_args({{.*}}) -> (vector<4xf32>,
// V2: arith.addf {{.*}} : vector<4xf32>
// V2: scf.for {{.*}} iter_args({{.*}}) -> (f32)
// V2: vector.shuffle {{.*}} : vector<4xf32>
// V2: arith.addf {{.*}} : vector<2xf32>
// V3: scf.for {{.*}} iter_args({{.*}}) -> (vector<8xf32>,
// V3: arith.addf {{.*}} : vector<8xf32>
// V3: scf.for {{.*}} iter_args({{.*}}) -> (f32)
// V3: vector.shuffle {{.*}} : vector<8xf32>
// V3: arith.addf {{.*}} : vector<4xf32>
// V4: scf.for {{.*}} iter_args({{.*}}) -> (vector<16xf32>,
// V4: arith.addf {{.*}} : vector<16xf32>
// V4: llvm.intr.masked.load {{.*}} -> vector<16xf32>
// V4: vector.shuffle {{.*}} : vector<16xf32>
// V4: arith.addf {{.*}} : vector<8xf32>
// CHECK: func.func @rows.tiles(
tgx.kernel @rows reduction[s0, s1](%x: tensor<?x?xf32> [s0, s1]) {
  %y = tg.reduce_sum %x {axes = [1]} : (tensor<?x?xf32>) -> tensor<?xf32>
  tgx.yield %y : tensor<?xf32>
}
