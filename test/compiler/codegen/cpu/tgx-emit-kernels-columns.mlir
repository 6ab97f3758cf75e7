// A column reduction uses vectors of adjacent columns, row by row.
// RUN: tgc-opt %s --tgx-emit-kernels=level=2 | FileCheck %s --check-prefixes=CHECK,V2
// RUN: tgc-opt %s --tgx-emit-kernels=level=3 | FileCheck %s --check-prefixes=CHECK,V3
// RUN: tgc-opt %s --tgx-emit-kernels=level=4 | FileCheck %s --check-prefixes=CHECK,V4

// Lanes of a vector are never added to each other.

// CHECK: func.func @columns(
// CHECK-NOT: vector.shuffle
// V2: scf.for {{.*}} iter_args({{.*}}) -> (vector<4xf32>,
// V2: llvm.load {{.*}} -> vector<4xf32>
// V2: arith.addf {{.*}} : vector<4xf32>
// V3: scf.for {{.*}} iter_args({{.*}}) -> (vector<8xf32>,
// V3: llvm.load {{.*}} -> vector<8xf32>
// V3: arith.addf {{.*}} : vector<8xf32>
// V4: scf.for {{.*}} iter_args({{.*}}) -> (vector<16xf32>,
// V4: llvm.load {{.*}} -> vector<16xf32>
// V4: arith.addf {{.*}} : vector<16xf32>
// V4: llvm.intr.masked.load {{.*}} -> vector<16xf32>
// CHECK-NOT: vector.shuffle
// CHECK: func.func @columns.tiles(
tgx.kernel @columns reduction[s0, s1](%x: tensor<?x?xf32> [s0, s1]) {
  %y = tg.reduce_sum %x {axes = [0]} : (tensor<?x?xf32>) -> tensor<?xf32>
  tgx.yield %y : tensor<?xf32>
}
