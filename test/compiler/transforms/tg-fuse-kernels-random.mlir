// RUN: tgc-opt %s --tg-fuse-kernels | FileCheck %s

// A random sample is an elementwise value, so it is fused into the loop of its
// user.

// CHECK-LABEL: func.func @noisy
// CHECK-COUNT-1: tgx.call
// CHECK-NOT: tgx.call
// CHECK: tgx.kernel @{{.*}} loop
// CHECK: tg.random_uniform
// CHECK: tg.random_normal
// CHECK: tg.mul
// CHECK-NOT: tgx.kernel
func.func @noisy(%x: tensor<4x8xf32> {tg.name = "x"}, %seed: tensor<i64> {tg.name = "seed"}) -> (tensor<4x8xf32> {tg.name = "y"}) {
  %u = tg.random_uniform %seed, %seed {shape = [4, 8], stream = 1} : (tensor<i64>, tensor<i64>) -> tensor<4x8xf32>
  %n = tg.random_normal %seed, %seed {shape = [4, 8], stream = 2} : (tensor<i64>, tensor<i64>) -> tensor<4x8xf32>
  %0 = tg.add %x, %u : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = tg.mul %0, %n : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
