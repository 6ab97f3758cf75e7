// RUN: tgc-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(tg-state-orders))' --verify-each | FileCheck %s --check-prefixes=CHECK,AUTO
// RUN: tgc-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(tg-state-orders{conv-algorithm=direct}))' --verify-each | FileCheck %s --check-prefixes=CHECK,DIRECT

// Axes decide, not extents: the last axes are a line, others are lines.

// CHECK-LABEL: func.func @reductions
func.func @reductions(%x: tensor<?x6x8xf32> {tg.name = "x"}, %y: tensor<1x4xi32> {tg.name = "y"}) {
  // CHECK: {axes = [1, 2], tg.order = #tg.order<lanes = 16, accumulators = 4, blocks = [64, 8, 64]>}
  %0 = tg.reduce_sum %x {axes = [1, 2]} : (tensor<?x6x8xf32>) -> tensor<?xf32>
  // CHECK: {axes = [0, 1], tg.order = #tg.order<lines = [24, 64, 64]>}
  %1 = tg.reduce_prod %x {axes = [0, 1]} : (tensor<?x6x8xf32>) -> tensor<8xf32>
  // CHECK: {axes = [0, 2], tg.order = #tg.order<lanes = 16, accumulators = 4, blocks = [64, 8, 64], lines = [24, 64, 64]>}
  %2 = tg.reduce_max %x {axes = [0, 2]} : (tensor<?x6x8xf32>) -> tensor<6xf32>
  // CHECK: {axes = [0], tg.order = #tg.order<lines = [24, 64, 64]>}
  %3 = tg.reduce_sum %y {axes = [0]} : (tensor<1x4xi32>) -> tensor<4xi32>
  // CHECK: {axes = [], tg.order = #tg.order<blocks = []>}
  %4 = tg.reduce_sum %y {axes = []} : (tensor<1x4xi32>) -> tensor<1x4xi32>
  // CHECK: tg.softmax %{{.*}} {axis = 1 : i64}
  %5 = tg.softmax %x {axis = 1 : i64} : tensor<?x6x8xf32>
  // CHECK: tg.moments %{{.*}} {axes = [0], tg.order = #tg.order<lines = [24, 64, 64]>}
  %6:2 = tg.moments %x {axes = [0]} : (tensor<?x6x8xf32>) -> (tensor<6x8xf32>, tensor<6x8xf32>)
  // Moments of rows are composed of other ops.
  // CHECK: tg.moments %{{.*}} {axes = [2]}
  %7:2 = tg.moments %x {axes = [2]} : (tensor<?x6x8xf32>) -> (tensor<?x6xf32>, tensor<?x6xf32>)
  // CHECK: tg.cumsum %{{.*}} {axis = 2 : i64, tg.order = #tg.order<lanes = 16, blocks = []>}
  %8 = tg.cumsum %x {axis = 2 : i64} : tensor<?x6x8xf32>
  // CHECK: tg.cumsum %{{.*}} {axis = 1 : i64, tg.order = #tg.order<blocks = []>}
  %9 = tg.cumsum %x {axis = 1 : i64} : tensor<?x6x8xf32>
  return
}

// -----

// An order that is stated stays.

// CHECK-LABEL: func.func @stated
func.func @stated(%x: tensor<6x8xf32> {tg.name = "x"}, %i: tensor<2x9x9x64xf32> {tg.name = "i"}, %w: tensor<3x3x64x64xf32> {tg.name = "w"}) {
  // CHECK: {axes = [1], tg.order = #tg.order<lanes = 2, blocks = []>}
  %0 = tg.reduce_sum %x {axes = [1], tg.order = #tg.order<lanes = 2>} : (tensor<6x8xf32>) -> tensor<6xf32>
  // CHECK: tg.conv %{{.*}} {padding = "same", tg.order = #tg.order<blocks = []>}
  %1 = tg.conv %i, %w {padding = "same", tg.order = #tg.order<blocks = []>} : (tensor<2x9x9x64xf32>, tensor<3x3x64x64xf32>) -> tensor<2x9x9x64xf32>
  return
}

// -----

// Products, and convolutions: the number of images does not matter. Filters of
// one position are products of matrices.

// CHECK-LABEL: func.func @products
tg.variable @v : tensor<3x3x64x64xf32>
func.func @products(%a: tensor<?x9xf32> {tg.name = "a"}, %b: tensor<9x4xf32> {tg.name = "b"}, %i: tensor<1x16x16x64xf32> {tg.name = "i"}, %j: tensor<?x16x16x64xf32> {tg.name = "j"}, %p: tensor<1x1x64x64xf32> {tg.name = "p"}) {
  // CHECK: tg.matmul %{{.*}} {tg.order = #tg.order<blocks = [512, 16]>}
  %0 = tg.matmul %a, %b : (tensor<?x9xf32>, tensor<9x4xf32>) -> tensor<?x4xf32>
  %v = tg.read @v : tensor<3x3x64x64xf32>
  // AUTO: tg.conv %{{.*}} {padding = "same", tg.order = #tg.order<blocks = [], winograd = 4>}
  // DIRECT: tg.conv %{{.*}} {padding = "same", tg.order = #tg.order<blocks = []>}
  %1 = tg.conv %i, %v {padding = "same"} : (tensor<1x16x16x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x16x16x64xf32>
  // AUTO: tg.conv %{{.*}} {padding = "same", tg.order = #tg.order<blocks = [], winograd = 4>}
  %2 = tg.conv %j, %v {padding = "same"} : (tensor<?x16x16x64xf32>, tensor<3x3x64x64xf32>) -> tensor<?x16x16x64xf32>
  // AUTO: tg.conv_filter_grad {{.*}}tg.order = #tg.order<blocks = [512, 16], winograd = 4>
  // DIRECT: tg.conv_filter_grad {{.*}}tg.order = #tg.order<blocks = []>
  %3 = tg.conv_filter_grad %j, %2 {filter_sizes = [3, 3], padding = "same"} : (tensor<?x16x16x64xf32>, tensor<?x16x16x64xf32>) -> tensor<3x3x64x64xf32>
  // CHECK: tg.conv_filter_grad {{.*}}tg.order = #tg.order<blocks = [32, 16]>
  %4 = tg.conv_filter_grad %j, %2 {filter_sizes = [3, 3], groups = 64, padding = "same"} : (tensor<?x16x16x64xf32>, tensor<?x16x16x64xf32>) -> tensor<3x3x1x64xf32>
  // CHECK: tg.conv %{{[a-z0-9]+}}, %{{[a-z0-9]+}} :
  %5 = tg.conv %j, %p : (tensor<?x16x16x64xf32>, tensor<1x1x64x64xf32>) -> tensor<?x16x16x64xf32>
  return
}

// -----

// Statistics of a convolution's result add the positions in the order in which
// its kernel computes them: by Winograd tiles, or by lines.

// CHECK-LABEL: func.func @statistics
func.func @statistics(%i: tensor<?x16x16x64xf32> {tg.name = "i"}, %w: tensor<3x3x64x64xf32> {tg.name = "w"}, %d: tensor<3x3x1x64xf32> {tg.name = "d"}) {
  %0 = tg.conv %i, %w {padding = "same"} : (tensor<?x16x16x64xf32>, tensor<3x3x64x64xf32>) -> tensor<?x16x16x64xf32>
  // AUTO: tg.moments %{{.*}} {axes = [0, 1, 2], tg.order = #tg.order<lines = [12, 64, 64], tile = [4, 4]>}
  // DIRECT: tg.moments %{{.*}} {axes = [0, 1, 2], tg.order = #tg.order<lines = [24, 64, 64]>}
  %1:2 = tg.moments %0 {axes = [0, 1, 2]} : (tensor<?x16x16x64xf32>) -> (tensor<64xf32>, tensor<64xf32>)
  %2 = tg.relu %0 : tensor<?x16x16x64xf32>
  %3 = tg.conv %2, %d {groups = 64, padding = "same"} : (tensor<?x16x16x64xf32>, tensor<3x3x1x64xf32>) -> tensor<?x16x16x64xf32>
  %4 = tg.mul %3, %0 : (tensor<?x16x16x64xf32>, tensor<?x16x16x64xf32>) -> tensor<?x16x16x64xf32>
  // The last convolution decides.
  // CHECK: tg.reduce_sum %{{.*}} {axes = [0, 1, 2], tg.order = #tg.order<lines = [1, 64, 64], tile = [1, 0]>}
  %5 = tg.reduce_sum %4 {axes = [0, 1, 2]} : (tensor<?x16x16x64xf32>) -> tensor<64xf32>
  // Other axes have no tiles.
  // CHECK: tg.reduce_sum %{{.*}} {axes = [0, 1], tg.order = #tg.order<lines = [24, 64, 64]>}
  %6 = tg.reduce_sum %4 {axes = [0, 1]} : (tensor<?x16x16x64xf32>) -> tensor<16x64xf32>
  return
}
