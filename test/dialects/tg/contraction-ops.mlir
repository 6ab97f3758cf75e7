// RUN: tgc-opt %s | tgc-opt | FileCheck %s
// RUN: tgc-opt %s --mlir-print-op-generic | tgc-opt | FileCheck %s

// CHECK-LABEL: func @matmul
func.func @matmul(%a: tensor<?x784xf32>, %b: tensor<784x100xf32>, %c: tensor<100x784xf32>, %d: tensor<784x?xf32>) {
  // CHECK: tg.matmul %{{.*}}, %{{.*}} : (tensor<?x784xf32>, tensor<784x100xf32>) -> tensor<?x100xf32>
  %y = tg.matmul %a, %b : (tensor<?x784xf32>, tensor<784x100xf32>) -> tensor<?x100xf32>
  // CHECK: tg.matmul %{{.*}}, %{{.*}} {transpose_rhs} : (tensor<?x784xf32>, tensor<100x784xf32>) -> tensor<?x100xf32>
  %z = tg.matmul %a, %c {transpose_rhs} : (tensor<?x784xf32>, tensor<100x784xf32>) -> tensor<?x100xf32>
  // CHECK: tg.matmul %{{.*}}, %{{.*}} {transpose_lhs} : (tensor<784x?xf32>, tensor<784x100xf32>) -> tensor<?x100xf32>
  %u = tg.matmul %d, %b {transpose_lhs} : (tensor<784x?xf32>, tensor<784x100xf32>) -> tensor<?x100xf32>
  // CHECK: tg.matmul %{{.*}}, %{{.*}} {transpose_lhs, transpose_rhs} : (tensor<784x?xf32>, tensor<100x784xf32>) -> tensor<?x100xf32>
  %v = tg.matmul %d, %c {transpose_lhs, transpose_rhs} : (tensor<784x?xf32>, tensor<100x784xf32>) -> tensor<?x100xf32>
  return
}

// CHECK-LABEL: func @leading_dimensions_broadcast
func.func @leading_dimensions_broadcast(%a: tensor<?x1x3x4xf64>, %b: tensor<5x4x6xf64>, %c: tensor<4x6xf64>) {
  // CHECK: tg.matmul %{{.*}}, %{{.*}} : (tensor<?x1x3x4xf64>, tensor<5x4x6xf64>) -> tensor<?x5x3x6xf64>
  %y = tg.matmul %a, %b : (tensor<?x1x3x4xf64>, tensor<5x4x6xf64>) -> tensor<?x5x3x6xf64>
  // CHECK: tg.matmul %{{.*}}, %{{.*}} : (tensor<?x1x3x4xf64>, tensor<4x6xf64>) -> tensor<?x1x3x6xf64>
  %z = tg.matmul %a, %c : (tensor<?x1x3x4xf64>, tensor<4x6xf64>) -> tensor<?x1x3x6xf64>
  return
}

// CHECK-LABEL: func @integers
func.func @integers(%a: tensor<2x0xi32>, %b: tensor<0x3xi32>) {
  // CHECK: tg.matmul %{{.*}}, %{{.*}} {element_type = i32} : (tensor<2x0xi32>, tensor<0x3xi32>) -> tensor<2x3xi32>
  %y = tg.matmul %a, %b {element_type = i32} : (tensor<2x0xi32>, tensor<0x3xi32>) -> tensor<2x3xi32>
  return
}

// CHECK-LABEL: func @bytes
func.func @bytes(%a: tensor<2x4xui8>, %b: tensor<4x3xui8>) {
  // CHECK: tg.matmul %{{.*}}, %{{.*}} : (tensor<2x4xui8>, tensor<4x3xui8>) -> tensor<2x3xi32>
  %y = tg.matmul %a, %b : (tensor<2x4xui8>, tensor<4x3xui8>) -> tensor<2x3xi32>
  return
}
