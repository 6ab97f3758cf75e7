// RUN: tgc-opt %s --pass-pipeline='builtin.module(func.func(tg-prepare-kernels),tg-fuse-kernels)' | FileCheck %s

// Kernels of grouped convolutions carry an algorithm attribute; with one input
// or output channel per group they are depthwise.

// CHECK: tgx.kernel {{.*}}tensor<3x3x1x16xf32>{{.*}} attributes {algorithm = "depthwise"}
// CHECK: tgx.kernel {{.*}}tensor<3x3x4x8xf32>{{.*}} attributes {algorithm = "groups"}
// CHECK: tgx.kernel {{.*}}tensor<3x3x8x8xf32>
// CHECK-NOT: algorithm
func.func @f(%x: tensor<2x6x6x8xf32> {tg.name = "x"}, %d: tensor<3x3x1x16xf32> {tg.name = "d"}, %g: tensor<3x3x4x8xf32> {tg.name = "g"}, %w: tensor<3x3x8x8xf32> {tg.name = "w"}) -> (tensor<2x4x4x16xf32> {tg.name = "a"}, tensor<2x4x4x8xf32> {tg.name = "b"}, tensor<2x4x4x8xf32> {tg.name = "c"}) {
  %a = tg.conv %x, %d {groups = 8 : i64} : (tensor<2x6x6x8xf32>, tensor<3x3x1x16xf32>) -> tensor<2x4x4x16xf32>
  %b = tg.conv %x, %g {groups = 2 : i64} : (tensor<2x6x6x8xf32>, tensor<3x3x4x8xf32>) -> tensor<2x4x4x8xf32>
  %c = tg.conv %x, %w : (tensor<2x6x6x8xf32>, tensor<3x3x8x8xf32>) -> tensor<2x4x4x8xf32>
  return %a, %b, %c : tensor<2x4x4x16xf32>, tensor<2x4x4x8xf32>, tensor<2x4x4x8xf32>
}
