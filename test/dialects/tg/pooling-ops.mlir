// RUN: tgc-opt %s | tgc-opt | FileCheck %s
// RUN: tgc-opt %s --mlir-print-op-generic | tgc-opt | FileCheck %s

// CHECK-LABEL: func @max_pool
func.func @max_pool(%x: tensor<?x28x28x32xf32>) -> (tensor<?x14x14x32xf32>, tensor<?x14x14x32xui8>) {
  // CHECK: tg.max_pool %{{.*}} {strides = [2, 2], window = [2, 2]} : (tensor<?x28x28x32xf32>) -> (tensor<?x14x14x32xf32>, tensor<?x14x14x32xui8>)
  %y, %i = tg.max_pool %x {padding = "valid", strides = [2, 2], window = [2, 2]} : (tensor<?x28x28x32xf32>) -> (tensor<?x14x14x32xf32>, tensor<?x14x14x32xui8>)
  return %y, %i : tensor<?x14x14x32xf32>, tensor<?x14x14x32xui8>
}

// Windows of more than 256 positions have i32 indices.
// CHECK-LABEL: func @max_pool_wide
func.func @max_pool_wide(%x: tensor<2x?x40x3xi16>) -> (tensor<2x?x24x3xi16>, tensor<2x?x24x3xi32>) {
  // CHECK: tg.max_pool %{{.*}} {dilations = [1, 1], window = [17, 17]} : (tensor<2x?x40x3xi16>) -> (tensor<2x?x24x3xi16>, tensor<2x?x24x3xi32>)
  %y, %i = tg.max_pool %x {dilations = [1, 1], window = [17, 17]} : (tensor<2x?x40x3xi16>) -> (tensor<2x?x24x3xi16>, tensor<2x?x24x3xi32>)
  return %y, %i : tensor<2x?x24x3xi16>, tensor<2x?x24x3xi32>
}

// CHECK-LABEL: func @max_pool_of_three_dimensions
func.func @max_pool_of_three_dimensions(%x: tensor<2x9x9x9x3xui8>) -> tensor<2x4x4x4x3xui8> {
  // CHECK: tg.max_pool %{{.*}} {dilations = [2, 1, 1], padding = "explicit", pads = [1, 1, 0, 0, 0, 0], strides = [2, 2, 2], window = [2, 2, 2]} : (tensor<2x9x9x9x3xui8>) -> (tensor<2x5x4x4x3xui8>, tensor<2x5x4x4x3xui8>)
  %y, %i = tg.max_pool %x {dilations = [2, 1, 1], padding = "explicit", pads = [1, 1, 0, 0, 0, 0], strides = [2, 2, 2], window = [2, 2, 2]} : (tensor<2x9x9x9x3xui8>) -> (tensor<2x5x4x4x3xui8>, tensor<2x5x4x4x3xui8>)
  %z = tg.slice %y {sizes = [2, 4, 4, 4, 3], starts = [0, 0, 0, 0, 0]} : (tensor<2x5x4x4x3xui8>) -> tensor<2x4x4x4x3xui8>
  return %z : tensor<2x4x4x4x3xui8>
}

// CHECK-LABEL: func @max_pool_grad
func.func @max_pool_grad(%g: tensor<?x14x?x32xf32>, %i: tensor<?x14x?x32xui8>, %n: tensor<i64>) -> tensor<?x28x?x32xf32> {
  // CHECK: tg.max_pool_grad %{{.*}}, %{{.*}}, %{{.*}} {input_sizes = [28, -1], strides = [2, 2], window = [2, 2]} : (tensor<?x14x?x32xf32>, tensor<?x14x?x32xui8>, tensor<i64>) -> tensor<?x28x?x32xf32>
  %d = tg.max_pool_grad %g, %i, %n {input_sizes = [28, -1], strides = [2, 2], window = [2, 2]} : (tensor<?x14x?x32xf32>, tensor<?x14x?x32xui8>, tensor<i64>) -> tensor<?x28x?x32xf32>
  return %d : tensor<?x28x?x32xf32>
}

// CHECK-LABEL: func @avg_pool
func.func @avg_pool(%x: tensor<?x28x5xf64>) -> (tensor<?x28x5xf64>, tensor<?x28x5xf64>) {
  // CHECK: tg.avg_pool %{{.*}} {padding = "same", window = [3]} : (tensor<?x28x5xf64>) -> tensor<?x28x5xf64>
  %y = tg.avg_pool %x {padding = "same", window = [3]} : (tensor<?x28x5xf64>) -> tensor<?x28x5xf64>
  // CHECK: tg.avg_pool %{{.*}} {count_padding, padding = "same", window = [3]} : (tensor<?x28x5xf64>) -> tensor<?x28x5xf64>
  %z = tg.avg_pool %x {count_padding, padding = "same", window = [3]} : (tensor<?x28x5xf64>) -> tensor<?x28x5xf64>
  return %y, %z : tensor<?x28x5xf64>, tensor<?x28x5xf64>
}

// CHECK-LABEL: func @avg_pool_grad
func.func @avg_pool_grad(%g: tensor<?x28x28x32xf32>) -> tensor<?x28x28x32xf32> {
  // CHECK: tg.avg_pool_grad %{{.*}} {input_sizes = [28, 28], padding = "same", window = [3, 3]} : (tensor<?x28x28x32xf32>) -> tensor<?x28x28x32xf32>
  %d = tg.avg_pool_grad %g {input_sizes = [28, 28], padding = "same", window = [3, 3]} : (tensor<?x28x28x32xf32>) -> tensor<?x28x28x32xf32>
  return %d : tensor<?x28x28x32xf32>
}
