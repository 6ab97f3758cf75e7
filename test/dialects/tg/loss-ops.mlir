// RUN: tgc-opt %s | tgc-opt | FileCheck %s
// RUN: tgc-opt %s --mlir-print-op-generic | tgc-opt | FileCheck %s

// CHECK-LABEL: func @softmax_cross_entropy
func.func @softmax_cross_entropy(%x: tensor<?x10xf32>, %i: tensor<?xi32>, %b: tensor<32xui8>, %t: tensor<32x10xf32>, %y: tensor<10xf64>, %k: tensor<i64>) {
  // CHECK: tg.softmax_cross_entropy %{{.*}}, %{{.*}} : (tensor<?x10xf32>, tensor<?xi32>) -> tensor<?xf32>
  %l = tg.softmax_cross_entropy %x, %i : (tensor<?x10xf32>, tensor<?xi32>) -> tensor<?xf32>
  // CHECK: tg.softmax_cross_entropy %{{.*}}, %{{.*}} : (tensor<?x10xf32>, tensor<32xui8>) -> tensor<32xf32>
  %m = tg.softmax_cross_entropy %x, %b : (tensor<?x10xf32>, tensor<32xui8>) -> tensor<32xf32>
  // CHECK: tg.softmax_cross_entropy %{{.*}}, %{{.*}} : (tensor<?x10xf32>, tensor<32x10xf32>) -> tensor<32xf32>
  %n = tg.softmax_cross_entropy %x, %t : (tensor<?x10xf32>, tensor<32x10xf32>) -> tensor<32xf32>
  // CHECK: tg.softmax_cross_entropy %{{.*}}, %{{.*}} : (tensor<10xf64>, tensor<i64>) -> tensor<f64>
  %o = tg.softmax_cross_entropy %y, %k : (tensor<10xf64>, tensor<i64>) -> tensor<f64>
  return
}
