// An elementwise loop: vectors and a remainder.
// RUN: tgc-opt %s --tgx-emit-kernels=level=2 | FileCheck %s --check-prefixes=CHECK,V2
// RUN: tgc-opt %s --tgx-emit-kernels=level=3 | FileCheck %s --check-prefixes=CHECK,V3
// RUN: tgc-opt %s --tgx-emit-kernels=level=4 | FileCheck %s --check-prefixes=CHECK,V4

// The main loop handles two vectors an iteration, the next loop one vector. The
// remainder is scalar, or one masked vector.

// CHECK: func.func @add(
// CHECK: scf.for
// V2: scf.for {{.*}} step %c8_i64
// V2-COUNT-2: arith.mulf {{.*}} : vector<4xf32>
// V2: scf.for {{.*}} step %c4_i64
// V2: arith.mulf {{.*}} : vector<4xf32>
// V2: scf.for {{.*}} step %c1_i64
// V2: arith.mulf {{.*}} : f32
// V2-NOT: masked
// V3: scf.for {{.*}} step %c16_i64
// V3-COUNT-2: arith.mulf {{.*}} : vector<8xf32>
// V3: scf.for {{.*}} step %c8_i64
// V3: arith.mulf {{.*}} : vector<8xf32>
// V3: scf.for {{.*}} step %c1_i64
// V3: arith.mulf {{.*}} : f32
// V3-NOT: masked
// V4: scf.for {{.*}} step %c32_i64
// V4-COUNT-2: arith.mulf {{.*}} : vector<16xf32>
// V4: scf.for {{.*}} step %c16_i64
// V4: arith.mulf {{.*}} : vector<16xf32>
// V4: scf.if
// V4-COUNT-2: llvm.intr.masked.load {{.*}} -> vector<16xf32>
// V4: arith.mulf {{.*}} : vector<16xf32>
// V4: llvm.intr.masked.store {{.*}} : vector<16xf32>
// CHECK: func.func @add.tiles(
tgx.kernel @add loop[s0](%x: tensor<?xf32> [s0], %z: tensor<?xf32> [s0]) {
  %p = tg.mul %x, %z : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %y = tg.add %p, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  tgx.yield %y : tensor<?xf32>
}

// Padding columns use a masked load that reads only the row. On targets where
// masked bytes would become branches, vectors with all lanes inside are loaded
// whole, and elements at the borders one by one.

// CHECK-LABEL: func.func @pad(
// V2: %[[IN:.*]] = arith.andi
// V2: scf.if %[[IN]] -> (vector<4xf32>)
// V2: llvm.load {{.*}} -> vector<4xf32>
// V2: else
// V2-COUNT-4: llvm.load {{.*}} -> f32
// V4-NOT: llvm.load {{.*}} -> f32
// V4: %[[LOADED:.*]] = llvm.intr.masked.load {{.*}} -> vector<16xf32>
// V4: arith.select %{{.*}}, %[[LOADED]], %{{.*}} : vector<16xi1>, vector<16xf32>
// V4-NOT: llvm.load {{.*}} -> f32
// CHECK: func.func @pad.tiles(
tgx.kernel @pad loop[s0](%x: tensor<?x40xf32> [s0, 40]) {
  %v = tg.constant dense<2.0> : tensor<f32>
  %y = tg.pad %x, %v {high = [0, 2], low = [0, 3]} : (tensor<?x40xf32>, tensor<f32>) -> tensor<?x45xf32>
}

// The same for an update over elements of the base.
// CHECK-LABEL: func.func @update(
// V2: scf.if %{{.*}} -> (vector<4xf32>)
// V2: llvm.load {{.*}} -> vector<4xf32>
// V2: else
// V2-COUNT-4: llvm.load {{.*}} -> f32
// V4-NOT: llvm.load {{.*}} -> f32
// V4: %[[KEPT:.*]] = llvm.load {{.*}} -> vector<16xf32>
// V4: %[[LOADED:.*]] = llvm.intr.masked.load {{.*}} -> vector<16xf32>
// V4: arith.select %{{.*}}, %[[LOADED]], %[[KEPT]] : vector<16xi1>, vector<16xf32>
// CHECK: func.func @update.tiles(
tgx.kernel @update loop[s0](%x: tensor<?x40xf32> [s0, 40], %u: tensor<?x13xf32> [s0, 13]) {
  %y = tg.update_slice %x, %u {starts = [0, 5]} : (tensor<?x40xf32>, tensor<?x13xf32>) -> tensor<?x40xf32>
  tgx.yield %y : tensor<?x40xf32>
}
