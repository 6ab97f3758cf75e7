// RUN: tgc-opt %s --split-input-file --tg-divide-reductions --cse --verify-each | FileCheck %s

// The statistics of an input are shared by all concatenations that contain it.

// CHECK-LABEL: func.func @nested
// CHECK-SAME: %[[X:[a-z0-9_]+]]: tensor<4x3x16xf32>, %[[A:[a-z0-9_]+]]: tensor<4x3x8xf32>, %[[B:[a-z0-9_]+]]: tensor<4x3x4xf32>
// CHECK: %[[MX:.*]], %[[VX:.*]] = tg.moments %[[X]] {axes = [0, 1]}
// CHECK: %[[MA:.*]], %[[VA:.*]] = tg.moments %[[A]] {axes = [0, 1]}
// CHECK: %[[M:.*]] = tg.concat %[[MX]], %[[MA]] {axis = 0 : i64}
// CHECK: %[[V:.*]] = tg.concat %[[VX]], %[[VA]] {axis = 0 : i64}
// CHECK: %[[MB:.*]], %[[VB:.*]] = tg.moments %[[B]] {axes = [0, 1]}
// CHECK-NOT: tg.moments
// CHECK: %[[N:.*]] = tg.concat %[[M]], %[[MB]] {axis = 0 : i64}
// CHECK: %[[W:.*]] = tg.concat %[[V]], %[[VB]] {axis = 0 : i64}
// CHECK: return %[[M]], %[[V]], %[[N]], %[[W]]
func.func @nested(%x: tensor<4x3x16xf32>, %a: tensor<4x3x8xf32>, %b: tensor<4x3x4xf32>) -> (tensor<24xf32>, tensor<24xf32>, tensor<28xf32>, tensor<28xf32>) {
  %0 = tg.concat %x, %a {axis = 2} : (tensor<4x3x16xf32>, tensor<4x3x8xf32>) -> tensor<4x3x24xf32>
  %m, %v = tg.moments %0 {axes = [0, 1]} : (tensor<4x3x24xf32>) -> (tensor<24xf32>, tensor<24xf32>)
  %1 = tg.concat %0, %b {axis = 2} : (tensor<4x3x24xf32>, tensor<4x3x4xf32>) -> tensor<4x3x28xf32>
  %n, %w = tg.moments %1 {axes = [0, 1]} : (tensor<4x3x28xf32>) -> (tensor<28xf32>, tensor<28xf32>)
  return %m, %v, %n, %w : tensor<24xf32>, tensor<24xf32>, tensor<28xf32>, tensor<28xf32>
}

// -----

// Kept dimensions of extent 1 keep the concatenation axis. An entry check
// replaces the extent check of the removed concatenation.

// CHECK-LABEL: func.func @kept
// CHECK: tgx.entry_check
// CHECK: %[[A:.*]] = tg.reduce_max %{{.*}} {axes = [0], keep_dims}
// CHECK: %[[B:.*]] = tg.reduce_max %{{.*}} {axes = [0], keep_dims}
// CHECK: tg.concat %[[A]], %[[B]] {axis = 1 : i64}
func.func @kept(%a: tensor<?x8xf32> {tg.name = "a"}, %b: tensor<?x4xf32> {tg.name = "b"}) -> (tensor<1x12xf32> {tg.name = "y"}) {
  %0 = tg.concat %a, %b {axis = 1} : (tensor<?x8xf32>, tensor<?x4xf32>) -> tensor<?x12xf32>
  %y = tg.reduce_max %0 {axes = [0], keep_dims} : (tensor<?x12xf32>) -> tensor<1x12xf32>
  return %y : tensor<1x12xf32>
}

// -----

// A reduction along the concatenation axis is not divided.

// CHECK-LABEL: func.func @reduced
// CHECK: %[[C:.*]] = tg.concat
// CHECK: tg.reduce_sum %[[C]]
func.func @reduced(%a: tensor<4x8xf32>, %b: tensor<4x4xf32>) -> tensor<4xf32> {
  %0 = tg.concat %a, %b {axis = 1} : (tensor<4x8xf32>, tensor<4x4xf32>) -> tensor<4x12xf32>
  %y = tg.reduce_sum %0 {axes = [1]} : (tensor<4x12xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// Moments are divided even if an input has a single column.

// CHECK-LABEL: func.func @column
// CHECK-COUNT-2: tg.moments
// CHECK-COUNT-2: tg.concat
func.func @column(%a: tensor<4x8xf32>, %b: tensor<4x1xf32>) -> (tensor<9xf32>, tensor<9xf32>) {
  %0 = tg.concat %a, %b {axis = 1} : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x9xf32>
  %mean, %variance = tg.moments %0 {axes = [0]} : (tensor<4x9xf32>) -> (tensor<9xf32>, tensor<9xf32>)
  return %mean, %variance : tensor<9xf32>, tensor<9xf32>
}
