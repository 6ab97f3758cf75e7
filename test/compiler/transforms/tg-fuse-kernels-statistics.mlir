// RUN: tgc-opt %s --pass-pipeline='builtin.module(func.func(tg-prepare-kernels),tg-fuse-kernels)' --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %s

// Fusion avoids reading the product and the sum back: 2 x 4 x 8 floats are
// saved. The input of the product is not computed by a kernel and does not
// count.

// CHECK-DAG: (S) 1 kernels
// CHECK-DAG: (S) 2 merges
// CHECK-DAG: (S) 256 saved-bytes
func.func @dense(%x: tensor<4x4xf32> {tg.name = "x"}, %w: tensor<4x8xf32> {tg.name = "w"}, %b: tensor<8xf32> {tg.name = "b"}) -> (tensor<4x8xf32> {tg.name = "y"}) {
  %0 = tg.matmul %x, %w : (tensor<4x4xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = tg.add %0, %b : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %2 = tg.relu %1 : tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}
