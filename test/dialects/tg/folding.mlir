// RUN: tgc-opt %s --canonicalize | FileCheck %s

// Ops that return their input fold away.
// CHECK-LABEL: func @identities
// CHECK-SAME: (%[[X:.*]]: tensor<2x3xf32>, %[[U:.*]]: tensor<?x3xf32>, %[[V:.*]]: tensor<f32>)
func.func @identities(%x: tensor<2x3xf32>, %u: tensor<?x3xf32>, %v: tensor<f32>)
    -> (tensor<2x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<2x3xf32>) {
  // CHECK-NEXT: return %[[X]], %[[U]], %[[U]], %[[X]]
  %0 = tg.reshape %x {shape = [2, -1]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = tg.broadcast_to %0 {shape = [2, 3]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = tg.slice %1 {sizes = [2, 3], starts = [0, 0]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = tg.transpose %u {permutation = [0, 1]} : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %4 = tg.ensure_shape %3 {shape = [-1, 3]} : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %5 = tg.reverse %u {axes = []} : tensor<?x3xf32>
  %6 = tg.concat %5 {axis = 0} : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %7 = tg.pad %x, %v {high = [0, 0], low = [0, 0]} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return %2, %4, %6, %7 : tensor<2x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<2x3xf32>
}

// Equal types with a `?` do not imply equal extents.
// CHECK-LABEL: func @not_identities
func.func @not_identities(%u: tensor<?x?xf32>, %x: tensor<3xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xf32>) {
  // CHECK: tg.reshape
  %n = tg.dim %u {axis = 0} : (tensor<?x?xf32>) -> tensor<i64>
  %m = tg.dim %u {axis = 1} : (tensor<?x?xf32>) -> tensor<i64>
  %0 = tg.reshape %u, %m, %n {shape = [-1, -1]} : (tensor<?x?xf32>, tensor<i64>, tensor<i64>) -> tensor<?x?xf32>
  // CHECK: tg.slice
  %1 = tg.slice %u {sizes = [-1, -1], starts = [1, 0]} : (tensor<?x?xf32>) -> tensor<?x?xf32>
  // CHECK: tg.ensure_shape
  %2 = tg.ensure_shape %x {shape = [-1]} : (tensor<3xf32>) -> tensor<?xf32>
  return %0, %1, %2 : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?xf32>
}

// CHECK-LABEL: func @static_dim
func.func @static_dim(%x: tensor<?x10xf32>) -> (tensor<i64>, tensor<i64>) {
  // CHECK-DAG: %[[TEN:.*]] = tg.constant dense<10> : tensor<i64>
  // CHECK-DAG: %[[N:.*]] = tg.dim %{{.*}} {axis = 0 : i64}
  %n = tg.dim %x {axis = 0} : (tensor<?x10xf32>) -> tensor<i64>
  %m = tg.dim %x {axis = 1} : (tensor<?x10xf32>) -> tensor<i64>
  // CHECK: return %[[N]], %[[TEN]]
  return %n, %m : tensor<i64>, tensor<i64>
}
