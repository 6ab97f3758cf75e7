// A contraction keeps tiles of sums in registers and applies the relu to them.
// RUN: tgc-opt %s --tgx-emit-kernels=level=2 | FileCheck %s --check-prefixes=CHECK,V2
// RUN: tgc-opt %s --tgx-emit-kernels=level=3 | FileCheck %s --check-prefixes=CHECK,V3
// RUN: tgc-opt %s --tgx-emit-kernels=level=4 | FileCheck %s --check-prefixes=CHECK,V4

// CHECK: func.func @dense(
// CHECK: scf.for
// V2: scf.for {{.*}} iter_args({{.*}}) -> (vector<4xf32>,
// V2: llvm.intr.fmuladd{{.*}} vector<4xf32>
// V2: arith.cmpf ole, {{.*}} : vector<4xf32>
// V3: scf.for {{.*}} iter_args({{.*}}) -> (vector<8xf32>,
// V3: llvm.intr.fmuladd{{.*}} vector<8xf32>
// V3: arith.cmpf ole, {{.*}} : vector<8xf32>
// V4: scf.for {{.*}} iter_args({{.*}}) -> (vector<16xf32>,
// V4: llvm.intr.fmuladd{{.*}} vector<16xf32>
// V4: arith.cmpf ole, {{.*}} : vector<16xf32>
// V4: llvm.intr.masked.store {{.*}} : vector<16xf32>
// CHECK: func.func @dense.tiles(
tgx.kernel @dense contraction[s0](%x: tensor<?x64xf32> [s0, 64], %w: tensor<64x100xf32>) {
  %p = tg.matmul %x, %w : (tensor<?x64xf32>, tensor<64x100xf32>) -> tensor<?x100xf32>
  %y = tg.relu %p : tensor<?x100xf32>
  tgx.yield %y : tensor<?x100xf32>
}
