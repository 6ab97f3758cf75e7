// RUN: tgc-opt %s --verify-each | tgc-opt --verify-each | FileCheck %s

// The attribute of ops that take sums. Members with their default are not
// printed.

// CHECK-LABEL: func.func @orders
func.func @orders(%x: tensor<4x6x8xf32>, %a: tensor<4x8xf32>, %b: tensor<8x5xf32>, %i: tensor<2x9x9x4xf32>, %w: tensor<3x3x4x4xf32>) {
  // CHECK: {axes = [2], tg.order = #tg.order<lanes = 16, accumulators = 4, blocks = [64, 8, 64]>}
  %0 = tg.reduce_sum %x {axes = [2], tg.order = #tg.order<blocks = [64, 8, 64], lanes = 16, accumulators = 4>} : (tensor<4x6x8xf32>) -> tensor<4x6xf32>
  // CHECK: {axes = [0], tg.order = #tg.order<lines = [24, 64]>}
  %1 = tg.reduce_prod %x {axes = [0], tg.order = #tg.order<lines = [24, 64]>} : (tensor<4x6x8xf32>) -> tensor<6x8xf32>
  // CHECK: {axes = [0, 2], tg.order = #tg.order<lanes = 8, blocks = [2], lines = [3]>}
  %2 = tg.reduce_max %x {axes = [0, 2], tg.order = #tg.order<lanes = 8, accumulators = 1, blocks = [2], lines = [3]>} : (tensor<4x6x8xf32>) -> tensor<6xf32>
  // CHECK: {axes = [0, 1], tg.order = #tg.order<lines = [12, 64], tile = [4, 0]>}
  %3:2 = tg.moments %x {axes = [0, 1], tg.order = #tg.order<lines = [12, 64], tile = [4, 0]>} : (tensor<4x6x8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  // CHECK: {tg.order = #tg.order<blocks = [100]>}
  %4 = tg.matmul %a, %b {tg.order = #tg.order<blocks = [100]>} : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
  // CHECK: {padding = "same", tg.order = #tg.order<blocks = [], winograd = 2>}
  %5 = tg.conv %i, %w {padding = "same", tg.order = #tg.order<winograd = 2>} : (tensor<2x9x9x4xf32>, tensor<3x3x4x4xf32>) -> tensor<2x9x9x4xf32>
  // CHECK: {axis = 2 : i64, tg.order = #tg.order<lanes = 4, blocks = []>}
  %6 = tg.cumsum %x {axis = 2 : i64, tg.order = #tg.order<lanes = 4>} : tensor<4x6x8xf32>
  return
}
