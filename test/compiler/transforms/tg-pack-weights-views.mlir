// RUN: tgc-opt %s --verify-each --pass-pipeline='builtin.module(func.func(tg-prepare-kernels),tg-fuse-kernels,tg-pack-weights)' | FileCheck %s

// The contraction reads a 1x1 filter as a matrix: the variable behind the view
// is packed.

// CHECK-LABEL: func.func @pointwise
// CHECK: %[[W:[a-z0-9_]+]] = tg.read @w
// CHECK: %[[PANELS:[a-z0-9_]+]] = tgx.call @[[PACK:[a-z0-9_]+]](%[[W]]) {{.*}} -> tensor<2x32x64xf32>
// CHECK: tgx.call @{{.*}}(%{{.*}}, %[[PANELS]])
tg.variable @w : tensor<1x1x32x80xf32>
func.func @pointwise(%x: tensor<?x14x20x32xf32> {tg.name = "x"}) -> (tensor<?x14x20x80xf32> {tg.name = "y"}) {
  %w = tg.read @w : tensor<1x1x32x80xf32>
  %y = tg.conv %x, %w {padding = "same"} : (tensor<?x14x20x32xf32>, tensor<1x1x32x80xf32>) -> tensor<?x14x20x80xf32>
  return %y : tensor<?x14x20x80xf32>
}

// Columns that span several dimensions of the variable are not packed.

// CHECK-LABEL: func.func @split
// CHECK: tgx.call @[[PLAIN:[a-z0-9_]+]](
// CHECK: tgx.kernel @[[PLAIN]] contraction{{.*}}, %{{.*}}: tensor<32x80xf32>)
tg.variable @v : tensor<32x8x10xf32>
func.func @split(%x: tensor<14x32xf32> {tg.name = "x"}) -> (tensor<14x80xf32> {tg.name = "y"}) {
  %v = tg.read @v : tensor<32x8x10xf32>
  %w = tg.reshape %v {shape = [32, 80]} : (tensor<32x8x10xf32>) -> tensor<32x80xf32>
  %y = tg.matmul %x, %w : (tensor<14x32xf32>, tensor<32x80xf32>) -> tensor<14x80xf32>
  return %y : tensor<14x80xf32>
}

// CHECK: tgx.pack %{{.*}} as(#cpu.panels<axis = 3, width = 64>) : (tensor<1x1x32x80xf32>) -> tensor<2x32x64xf32>
// CHECK: tgx.unpack %{{.*}} as(#cpu.panels<axis = 1, width = 64>) : (tensor<2x32x64xf32>) -> tensor<32x80xf32>
