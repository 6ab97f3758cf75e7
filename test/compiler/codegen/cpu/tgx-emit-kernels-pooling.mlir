// Windows in element rules.
// RUN: tgc-opt %s --tgx-emit-kernels=level=4 | FileCheck %s

// Windows that never reach over an end need no loops of their own, whose lanes
// lie along the channels, and no comparison of places.
// CHECK-LABEL: func.func @inside(
// CHECK-NOT: scf.if
// CHECK-COUNT-8: llvm.load {{.*}} -> vector<16xf32>
// CHECK-NOT: scf.if
// CHECK: arith.trunci {{.*}} : vector<16xi32> to vector<16xi8>
// CHECK-LABEL: func.func @inside.tiles(
tgx.kernel @inside loop[s0](%x: tensor<?x8x8x64xf32> [s0, 8, 8, 64]) {
  %y, %i = tg.max_pool %x {strides = [2, 2], window = [2, 2]} : (tensor<?x8x8x64xf32>) -> (tensor<?x4x4x64xf32>, tensor<?x4x4x64xui8>)
  tgx.yield %y, %i : tensor<?x4x4x64xf32>, tensor<?x4x4x64xui8>
}

// Windows at the ends take the places that are elements one by one.
// CHECK-LABEL: func.func @across(
// CHECK: scf.if {{.*}} -> (vector<16xf32>)
// CHECK-COUNT-9: llvm.load {{.*}} -> vector<16xf32>
// CHECK: } else {
// CHECK: scf.for
// CHECK: scf.for
// CHECK: llvm.load {{.*}} -> vector<16xf32>
// CHECK-LABEL: func.func @across.tiles(
tgx.kernel @across loop[s0](%x: tensor<?x8x8x64xf32> [s0, 8, 8, 64]) {
  %y = tg.avg_pool %x {padding = "same", window = [3, 3]} : (tensor<?x8x8x64xf32>) -> tensor<?x8x8x64xf32>
  tgx.yield %y : tensor<?x8x8x64xf32>
}
