// RUN: tgc-opt %s --pass-pipeline='builtin.module(func.func(tg-prepare-kernels),tg-fuse-kernels)' | FileCheck %s

// Slices with different static starts share a kernel that takes the start as an
// argument; the size -1 extends to the end for every start.

// CHECK-LABEL: func.func @columns
// CHECK: tgx.call @[[K:[a-z0-9_]+]](%{{.*}}) [s0] -> (s0, 1)
// CHECK: tgx.call @[[K]](%{{.*}}) [s0] -> (s0, 2)
// CHECK: tgx.kernel @[[K]] loop[s0, s1]
// CHECK: tg.slice {{.*}}sizes = [-1, 6], starts = [0, -1]
func.func @columns(%x: tensor<?x8xf32> {tg.name = "x"}) -> (tensor<?x6xf32> {tg.name = "y"}, tensor<?x6xf32> {tg.name = "z"}) {
  %0 = tg.slice %x {sizes = [-1, 6], starts = [0, 1]} : (tensor<?x8xf32>) -> tensor<?x6xf32>
  %1 = tg.neg %0 : tensor<?x6xf32>
  %2 = tg.slice %x {sizes = [-1, 6], starts = [0, 2]} : (tensor<?x8xf32>) -> tensor<?x6xf32>
  %3 = tg.neg %2 : tensor<?x6xf32>
  return %1, %3 : tensor<?x6xf32>, tensor<?x6xf32>
}
