// RUN: tgc-opt %s | tgc-opt | FileCheck %s
// RUN: tgc-opt %s --mlir-print-op-generic | tgc-opt | FileCheck %s

// CHECK-LABEL: func @resize
func.func @resize(%x: tensor<?x28x28x32xf32>, %n: tensor<i64>) -> (tensor<?x56x56x32xf32>, tensor<?x?x14x32xf32>) {
  // CHECK: tg.resize %{{.*}} {coordinates = "half_pixel", mode = "linear", sizes = [56, 56]} : (tensor<?x28x28x32xf32>) -> tensor<?x56x56x32xf32>
  %y = tg.resize %x {coordinates = "half_pixel", mode = "linear", sizes = [56, 56]} : (tensor<?x28x28x32xf32>) -> tensor<?x56x56x32xf32>
  // CHECK: tg.resize %{{.*}}, %{{.*}} {coordinates = "asymmetric", mode = "nearest", sizes = [-1, 14]} : (tensor<?x28x28x32xf32>, tensor<i64>) -> tensor<?x?x14x32xf32>
  %z = tg.resize %x, %n {coordinates = "asymmetric", mode = "nearest", sizes = [-1, 14]} : (tensor<?x28x28x32xf32>, tensor<i64>) -> tensor<?x?x14x32xf32>
  return %y, %z : tensor<?x56x56x32xf32>, tensor<?x?x14x32xf32>
}

// CHECK-LABEL: func @resize_grad
func.func @resize_grad(%g: tensor<?x56x?x32xf64>) -> tensor<?x28x28x32xf64> {
  // CHECK: tg.resize_grad %{{.*}} {coordinates = "align_corners", input_sizes = [28, 28], mode = "linear"} : (tensor<?x56x?x32xf64>) -> tensor<?x28x28x32xf64>
  %d = tg.resize_grad %g {coordinates = "align_corners", input_sizes = [28, 28], mode = "linear"} : (tensor<?x56x?x32xf64>) -> tensor<?x28x28x32xf64>
  return %d : tensor<?x28x28x32xf64>
}
