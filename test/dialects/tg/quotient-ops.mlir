// RUN: tgc-opt %s | tgc-opt | FileCheck %s
// RUN: tgc-opt %s --mlir-print-op-generic | tgc-opt | FileCheck %s

// CHECK-LABEL: func @div
func.func @div(%a: tensor<?x10xf32>, %b: tensor<10xf32>, %i: tensor<4xui8>, %j: tensor<ui8>) {
  // CHECK: tg.div %{{.*}}, %{{.*}} : (tensor<?x10xf32>, tensor<10xf32>) -> tensor<?x10xf32>
  %y = tg.div %a, %b : (tensor<?x10xf32>, tensor<10xf32>) -> tensor<?x10xf32>
  // CHECK: tg.div %{{.*}}, %{{.*}} : (tensor<4xui8>, tensor<ui8>) -> tensor<4xui8>
  %z = tg.div %i, %j : (tensor<4xui8>, tensor<ui8>) -> tensor<4xui8>
  return
}

// CHECK-LABEL: func @remainder
func.func @remainder(%a: tensor<?x10xf32>, %b: tensor<10xf32>, %i: tensor<4xui8>, %j: tensor<ui8>) {
  // CHECK: tg.remainder %{{.*}}, %{{.*}} : (tensor<?x10xf32>, tensor<10xf32>) -> tensor<?x10xf32>
  %y = tg.remainder %a, %b : (tensor<?x10xf32>, tensor<10xf32>) -> tensor<?x10xf32>
  // CHECK: tg.remainder %{{.*}}, %{{.*}} : (tensor<4xui8>, tensor<ui8>) -> tensor<4xui8>
  %z = tg.remainder %i, %j : (tensor<4xui8>, tensor<ui8>) -> tensor<4xui8>
  return
}
