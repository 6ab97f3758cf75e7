// RUN: tgc-opt %s | tgc-opt | FileCheck %s
// RUN: tgc-opt %s --mlir-print-op-generic | tgc-opt | FileCheck %s

// CHECK-LABEL: func @constant
func.func @constant() -> (tensor<2xf32>, tensor<i64>, tensor<2x3xi1>, tensor<4xui8>) {
  // CHECK: tg.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %c = tg.constant dense<[1.0, 2.0]> : tensor<2xf32>
  // CHECK: tg.constant dense<7> : tensor<i64>
  %n = tg.constant dense<7> : tensor<i64>
  // CHECK: tg.constant dense<true> : tensor<2x3xi1>
  %p = tg.constant dense<true> : tensor<2x3xi1>
  // CHECK: tg.constant dense<[0, 1, 2, 255]> : tensor<4xui8>
  %b = tg.constant dense<[0, 1, 2, 255]> : tensor<4xui8>
  return %c, %n, %p, %b : tensor<2xf32>, tensor<i64>, tensor<2x3xi1>, tensor<4xui8>
}

// CHECK-LABEL: func @constant_of_a_resource
func.func @constant_of_a_resource() -> tensor<2xi32> {
  // CHECK: tg.constant dense_resource<two> : tensor<2xi32>
  %c = tg.constant dense_resource<two> : tensor<2xi32>
  return %c : tensor<2xi32>
}

// CHECK-LABEL: func @iota
func.func @iota(%n: tensor<i64>) -> (tensor<?x4xi32>, tensor<3xi64>) {
  // CHECK: tg.iota %{{.*}} {axis = 0 : i64, element_type = i32, shape = [-1, 4]} : (tensor<i64>) -> tensor<?x4xi32>
  %y = tg.iota %n {axis = 0, element_type = i32, shape = [-1, 4]} : (tensor<i64>) -> tensor<?x4xi32>
  // CHECK: tg.iota {axis = 0 : i64, shape = [3]} : () -> tensor<3xi64>
  %z = tg.iota {axis = 0, element_type = i64, shape = [3]} : () -> tensor<3xi64>
  return %y, %z : tensor<?x4xi32>, tensor<3xi64>
}

// CHECK-LABEL: func @dim
func.func @dim(%x: tensor<?x10xf32>) -> tensor<i64> {
  // CHECK: tg.dim %{{.*}} {axis = 0 : i64} : (tensor<?x10xf32>) -> tensor<i64>
  %n = tg.dim %x {axis = 0} : (tensor<?x10xf32>) -> tensor<i64>
  return %n : tensor<i64>
}

// CHECK-LABEL: func @ensure_shape_bounds
func.func @ensure_shape_bounds(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // CHECK: tg.ensure_shape %{{.*}} {bounds = [64, 0], shape = [-1, -1]} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %y = tg.ensure_shape %x {bounds = [64, 0], shape = [-1, -1]} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// CHECK-LABEL: func @ensure_shape(
func.func @ensure_shape(%x: tensor<?x128xf32>) -> (tensor<32x128xf32>, tensor<?x?xf32>) {
  // CHECK: tg.ensure_shape %{{.*}} {shape = [32, 128]} : (tensor<?x128xf32>) -> tensor<32x128xf32>
  %y = tg.ensure_shape %x {shape = [32, 128]} : (tensor<?x128xf32>) -> tensor<32x128xf32>
  // CHECK: tg.ensure_shape %{{.*}} {shape = [-1, -1]} : (tensor<32x128xf32>) -> tensor<?x?xf32>
  %z = tg.ensure_shape %y {shape = [-1, -1]} : (tensor<32x128xf32>) -> tensor<?x?xf32>
  return %y, %z : tensor<32x128xf32>, tensor<?x?xf32>
}

// CHECK-LABEL: func @reshape
func.func @reshape(%x: tensor<?x10x32xf32>, %n: tensor<i64>, %s: tensor<6xf32>) -> (tensor<?x320xf32>, tensor<?x?xf32>, tensor<2x3xf32>, tensor<12xf32>) {
  // CHECK: tg.reshape %{{.*}} {shape = [-1, 320]} : (tensor<?x10x32xf32>) -> tensor<?x320xf32>
  %y = tg.reshape %x {shape = [-1, 320]} : (tensor<?x10x32xf32>) -> tensor<?x320xf32>
  // CHECK: tg.reshape %{{.*}}, %{{.*}}, %{{.*}} {shape = [-1, -1]} : (tensor<?x10x32xf32>, tensor<i64>, tensor<i64>) -> tensor<?x?xf32>
  %z = tg.reshape %x, %n, %n {shape = [-1, -1]} : (tensor<?x10x32xf32>, tensor<i64>, tensor<i64>) -> tensor<?x?xf32>
  // CHECK: tg.reshape %{{.*}} {shape = [2, -1]} : (tensor<6xf32>) -> tensor<2x3xf32>
  %t = tg.reshape %s {shape = [2, -1]} : (tensor<6xf32>) -> tensor<2x3xf32>
  // CHECK: tg.reshape %{{.*}} {shape = [12]} : (tensor<?x10x32xf32>) -> tensor<12xf32>
  %u = tg.reshape %x {shape = [12]} : (tensor<?x10x32xf32>) -> tensor<12xf32>
  return %y, %z, %t, %u : tensor<?x320xf32>, tensor<?x?xf32>, tensor<2x3xf32>, tensor<12xf32>
}

// CHECK-LABEL: func @transpose
func.func @transpose(%x: tensor<?x3x4xf32>) -> tensor<3x?x4xf32> {
  // CHECK: tg.transpose %{{.*}} {permutation = [1, 0, 2]} : (tensor<?x3x4xf32>) -> tensor<3x?x4xf32>
  %y = tg.transpose %x {permutation = [1, 0, 2]} : (tensor<?x3x4xf32>) -> tensor<3x?x4xf32>
  return %y : tensor<3x?x4xf32>
}

// CHECK-LABEL: func @broadcast_to
func.func @broadcast_to(%x: tensor<10xf32>, %n: tensor<i64>, %z: tensor<?x1xf32>) -> (tensor<?x10xf32>, tensor<2x?x5xf32>) {
  // CHECK: tg.broadcast_to %{{.*}}, %{{.*}} {shape = [-1, 10]} : (tensor<10xf32>, tensor<i64>) -> tensor<?x10xf32>
  %y = tg.broadcast_to %x, %n {shape = [-1, 10]} : (tensor<10xf32>, tensor<i64>) -> tensor<?x10xf32>
  // CHECK: tg.broadcast_to %{{.*}} {shape = [2, -1, 5]} : (tensor<?x1xf32>) -> tensor<2x?x5xf32>
  %w = tg.broadcast_to %z {shape = [2, -1, 5]} : (tensor<?x1xf32>) -> tensor<2x?x5xf32>
  return %y, %w : tensor<?x10xf32>, tensor<2x?x5xf32>
}

// CHECK-LABEL: func @pad
func.func @pad(%x: tensor<?x10xf32>, %v: tensor<f32>) -> tensor<?x14xf32> {
  // CHECK: tg.pad %{{.*}}, %{{.*}} {high = [1, 2], low = [0, 2]} : (tensor<?x10xf32>, tensor<f32>) -> tensor<?x14xf32>
  %y = tg.pad %x, %v {high = [1, 2], low = [0, 2]} : (tensor<?x10xf32>, tensor<f32>) -> tensor<?x14xf32>
  return %y : tensor<?x14xf32>
}

// CHECK-LABEL: func @concat
func.func @concat(%a: tensor<?x50xf32>, %b: tensor<?x100xf32>) -> tensor<?x150xf32> {
  // CHECK: tg.concat %{{.*}}, %{{.*}} {axis = 1 : i64} : (tensor<?x50xf32>, tensor<?x100xf32>) -> tensor<?x150xf32>
  %y = tg.concat %a, %b {axis = 1} : (tensor<?x50xf32>, tensor<?x100xf32>) -> tensor<?x150xf32>
  return %y : tensor<?x150xf32>
}

// CHECK-LABEL: func @reverse
func.func @reverse(%x: tensor<?x10xf32>) -> tensor<?x10xf32> {
  // CHECK: tg.reverse %{{.*}} {axes = [1]} : tensor<?x10xf32>
  %y = tg.reverse %x {axes = [1]} : tensor<?x10xf32>
  return %y : tensor<?x10xf32>
}

{-#
  dialect_resources: {
    builtin: {
      two: "0x080000000700000009000000"
    }
  }
#-}
