// RUN: tgc-opt %s | tgc-opt | FileCheck %s
// RUN: tgc-opt %s --mlir-print-op-generic | tgc-opt | FileCheck %s

// CHECK-LABEL: func @slice
func.func @slice(%x: tensor<?x10xf32>, %t: tensor<i64>) -> (tensor<1x4xf32>, tensor<?x3xf32>) {
  // CHECK: tg.slice %{{.*}}, %{{.*}} {sizes = [1, -1], starts = [-1, 2], strides = [1, 2]} : (tensor<?x10xf32>, tensor<i64>) -> tensor<1x4xf32>
  %y = tg.slice %x, %t {sizes = [1, -1], starts = [-1, 2], strides = [1, 2]} : (tensor<?x10xf32>, tensor<i64>) -> tensor<1x4xf32>
  // CHECK: tg.slice %{{.*}}, %{{.*}} {sizes = [-1, 3], starts = [0, 7]} : (tensor<?x10xf32>, tensor<i64>) -> tensor<?x3xf32>
  %z = tg.slice %x, %t {sizes = [-1, 3], starts = [0, 7]} : (tensor<?x10xf32>, tensor<i64>) -> tensor<?x3xf32>
  return %y, %z : tensor<1x4xf32>, tensor<?x3xf32>
}

// CHECK-LABEL: func @slice_of_nothing_at_the_end
func.func @slice_of_nothing_at_the_end(%x: tensor<10xf32>) -> tensor<0xf32> {
  // CHECK: tg.slice %{{.*}} {sizes = [0], starts = [10]} : (tensor<10xf32>) -> tensor<0xf32>
  %y = tg.slice %x {sizes = [0], starts = [10]} : (tensor<10xf32>) -> tensor<0xf32>
  return %y : tensor<0xf32>
}

// CHECK-LABEL: func @update_slice
func.func @update_slice(%x: tensor<?x10xf32>, %u: tensor<1x10xf32>, %t: tensor<i64>) -> tensor<?x10xf32> {
  // CHECK: tg.update_slice %{{.*}}, %{{.*}}, %{{.*}} {starts = [-1, 0]} : (tensor<?x10xf32>, tensor<1x10xf32>, tensor<i64>) -> tensor<?x10xf32>
  %y = tg.update_slice %x, %u, %t {starts = [-1, 0]} : (tensor<?x10xf32>, tensor<1x10xf32>, tensor<i64>) -> tensor<?x10xf32>
  return %y : tensor<?x10xf32>
}

// CHECK-LABEL: func @gather
func.func @gather(%x: tensor<1000x64xf32>, %i: tensor<?x20xi32>, %b: tensor<2x5x7xi1>, %k: tensor<2x3xi64>) -> (tensor<?x20x64xf32>, tensor<2x5x3xi1>) {
  // CHECK: tg.gather %{{.*}}, %{{.*}} : (tensor<1000x64xf32>, tensor<?x20xi32>) -> tensor<?x20x64xf32>
  %y = tg.gather %x, %i {axis = 0, batch_dims = 0} : (tensor<1000x64xf32>, tensor<?x20xi32>) -> tensor<?x20x64xf32>
  // CHECK: tg.gather %{{.*}}, %{{.*}} {axis = 2 : i64, batch_dims = 1 : i64} : (tensor<2x5x7xi1>, tensor<2x3xi64>) -> tensor<2x5x3xi1>
  %z = tg.gather %b, %k {axis = 2, batch_dims = 1} : (tensor<2x5x7xi1>, tensor<2x3xi64>) -> tensor<2x5x3xi1>
  return %y, %z : tensor<?x20x64xf32>, tensor<2x5x3xi1>
}

// CHECK-LABEL: func @scatter
func.func @scatter(%x: tensor<1000x64xf32>, %i: tensor<?x20xi32>, %u: tensor<?x20x64xf32>) -> tensor<1000x64xf32> {
  // CHECK: tg.scatter %{{.*}}, %{{.*}}, %{{.*}} : (tensor<1000x64xf32>, tensor<?x20xi32>, tensor<?x20x64xf32>) -> tensor<1000x64xf32>
  %y = tg.scatter %x, %i, %u : (tensor<1000x64xf32>, tensor<?x20xi32>, tensor<?x20x64xf32>) -> tensor<1000x64xf32>
  return %y : tensor<1000x64xf32>
}

// CHECK-LABEL: func @scatter_combine
func.func @scatter_combine(%x: tensor<9xf32>, %i: tensor<2xi32>, %u: tensor<2xf32>) -> tensor<9xf32> {
  // CHECK: tg.scatter %{{.*}}, %{{.*}}, %{{.*}} : (tensor<9xf32>, tensor<2xi32>, tensor<2xf32>) -> tensor<9xf32>
  %y = tg.scatter %x, %i, %u {combine = "add"} : (tensor<9xf32>, tensor<2xi32>, tensor<2xf32>) -> tensor<9xf32>
  return %y : tensor<9xf32>
}

// CHECK-LABEL: func @scatter_set
func.func @scatter_set(%x: tensor<9xi1>, %i: tensor<2xi32>, %u: tensor<2xi1>) -> tensor<9xi1> {
  // CHECK: tg.scatter %{{.*}}, %{{.*}}, %{{.*}} {combine = "set"} : (tensor<9xi1>, tensor<2xi32>, tensor<2xi1>) -> tensor<9xi1>
  %y = tg.scatter %x, %i, %u {combine = "set"} : (tensor<9xi1>, tensor<2xi32>, tensor<2xi1>) -> tensor<9xi1>
  return %y : tensor<9xi1>
}

// CHECK-LABEL: func @nonzero
func.func @nonzero(%p: tensor<?x4xi1>) -> tensor<?x2xi64> {
  // CHECK: tg.nonzero %{{.*}} : (tensor<?x4xi1>) -> tensor<?x2xi64>
  %y = tg.nonzero %p : (tensor<?x4xi1>) -> tensor<?x2xi64>
  return %y : tensor<?x2xi64>
}
