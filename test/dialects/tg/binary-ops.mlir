// RUN: tgc-opt %s | tgc-opt | FileCheck %s
// RUN: tgc-opt %s --mlir-print-op-generic | tgc-opt | FileCheck %s

// CHECK-LABEL: func @add
func.func @add(%a: tensor<?x10xf32>, %b: tensor<10xf32>, %i: tensor<4xui8>, %j: tensor<ui8>) {
  // CHECK: tg.add %{{.*}}, %{{.*}} : (tensor<?x10xf32>, tensor<10xf32>) -> tensor<?x10xf32>
  %y = tg.add %a, %b : (tensor<?x10xf32>, tensor<10xf32>) -> tensor<?x10xf32>
  // CHECK: tg.add %{{.*}}, %{{.*}} : (tensor<4xui8>, tensor<ui8>) -> tensor<4xui8>
  %z = tg.add %i, %j : (tensor<4xui8>, tensor<ui8>) -> tensor<4xui8>
  return
}

// CHECK-LABEL: func @sub
func.func @sub(%a: tensor<?x10xf32>, %b: tensor<10xf32>, %i: tensor<4xui8>, %j: tensor<ui8>) {
  // CHECK: tg.sub %{{.*}}, %{{.*}} : (tensor<?x10xf32>, tensor<10xf32>) -> tensor<?x10xf32>
  %y = tg.sub %a, %b : (tensor<?x10xf32>, tensor<10xf32>) -> tensor<?x10xf32>
  // CHECK: tg.sub %{{.*}}, %{{.*}} : (tensor<4xui8>, tensor<ui8>) -> tensor<4xui8>
  %z = tg.sub %i, %j : (tensor<4xui8>, tensor<ui8>) -> tensor<4xui8>
  return
}

// CHECK-LABEL: func @mul
func.func @mul(%a: tensor<?x10xf32>, %b: tensor<10xf32>, %i: tensor<4xui8>, %j: tensor<ui8>) {
  // CHECK: tg.mul %{{.*}}, %{{.*}} : (tensor<?x10xf32>, tensor<10xf32>) -> tensor<?x10xf32>
  %y = tg.mul %a, %b : (tensor<?x10xf32>, tensor<10xf32>) -> tensor<?x10xf32>
  // CHECK: tg.mul %{{.*}}, %{{.*}} : (tensor<4xui8>, tensor<ui8>) -> tensor<4xui8>
  %z = tg.mul %i, %j : (tensor<4xui8>, tensor<ui8>) -> tensor<4xui8>
  return
}

// CHECK-LABEL: func @maximum
func.func @maximum(%a: tensor<?x10xf32>, %b: tensor<10xf32>, %i: tensor<4xui8>, %j: tensor<ui8>) {
  // CHECK: tg.maximum %{{.*}}, %{{.*}} : (tensor<?x10xf32>, tensor<10xf32>) -> tensor<?x10xf32>
  %y = tg.maximum %a, %b : (tensor<?x10xf32>, tensor<10xf32>) -> tensor<?x10xf32>
  // CHECK: tg.maximum %{{.*}}, %{{.*}} : (tensor<4xui8>, tensor<ui8>) -> tensor<4xui8>
  %z = tg.maximum %i, %j : (tensor<4xui8>, tensor<ui8>) -> tensor<4xui8>
  return
}

// CHECK-LABEL: func @minimum
func.func @minimum(%a: tensor<?x10xf32>, %b: tensor<10xf32>, %i: tensor<4xui8>, %j: tensor<ui8>) {
  // CHECK: tg.minimum %{{.*}}, %{{.*}} : (tensor<?x10xf32>, tensor<10xf32>) -> tensor<?x10xf32>
  %y = tg.minimum %a, %b : (tensor<?x10xf32>, tensor<10xf32>) -> tensor<?x10xf32>
  // CHECK: tg.minimum %{{.*}}, %{{.*}} : (tensor<4xui8>, tensor<ui8>) -> tensor<4xui8>
  %z = tg.minimum %i, %j : (tensor<4xui8>, tensor<ui8>) -> tensor<4xui8>
  return
}

// CHECK-LABEL: func @pow
func.func @pow(%a: tensor<?x4xf64>, %b: tensor<f64>) {
  // CHECK: tg.pow %{{.*}}, %{{.*}} : (tensor<?x4xf64>, tensor<f64>) -> tensor<?x4xf64>
  %y = tg.pow %a, %b : (tensor<?x4xf64>, tensor<f64>) -> tensor<?x4xf64>
  return
}

// CHECK-LABEL: func @and
func.func @and(%a: tensor<?x4xi1>, %b: tensor<4xi1>, %i: tensor<8xi32>) {
  // CHECK: tg.and %{{.*}}, %{{.*}} : (tensor<?x4xi1>, tensor<4xi1>) -> tensor<?x4xi1>
  %y = tg.and %a, %b : (tensor<?x4xi1>, tensor<4xi1>) -> tensor<?x4xi1>
  // CHECK: tg.and %{{.*}}, %{{.*}} : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
  %z = tg.and %i, %i : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
  return
}

// CHECK-LABEL: func @or
func.func @or(%a: tensor<?x4xi1>, %b: tensor<4xi1>, %i: tensor<8xi32>) {
  // CHECK: tg.or %{{.*}}, %{{.*}} : (tensor<?x4xi1>, tensor<4xi1>) -> tensor<?x4xi1>
  %y = tg.or %a, %b : (tensor<?x4xi1>, tensor<4xi1>) -> tensor<?x4xi1>
  // CHECK: tg.or %{{.*}}, %{{.*}} : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
  %z = tg.or %i, %i : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
  return
}

// CHECK-LABEL: func @xor
func.func @xor(%a: tensor<?x4xi1>, %b: tensor<4xi1>, %i: tensor<8xi32>) {
  // CHECK: tg.xor %{{.*}}, %{{.*}} : (tensor<?x4xi1>, tensor<4xi1>) -> tensor<?x4xi1>
  %y = tg.xor %a, %b : (tensor<?x4xi1>, tensor<4xi1>) -> tensor<?x4xi1>
  // CHECK: tg.xor %{{.*}}, %{{.*}} : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
  %z = tg.xor %i, %i : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
  return
}

// CHECK-LABEL: func @only_a_static_one_broadcasts
func.func @only_a_static_one_broadcasts(%a: tensor<?x1xf32>, %b: tensor<1x?xf32>, %c: tensor<3x1x?xf32>) {
  // CHECK: tg.add %{{.*}}, %{{.*}} : (tensor<?x1xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  %y = tg.add %a, %b : (tensor<?x1xf32>, tensor<1x?xf32>) -> tensor<?x?xf32>
  // CHECK: tg.add %{{.*}}, %{{.*}} : (tensor<?x1xf32>, tensor<3x1x?xf32>) -> tensor<3x?x?xf32>
  %z = tg.add %a, %c : (tensor<?x1xf32>, tensor<3x1x?xf32>) -> tensor<3x?x?xf32>
  return
}

// CHECK-LABEL: func @the_static_extent_wins
func.func @the_static_extent_wins(%a: tensor<?xf32>, %b: tensor<4xf32>) {
  // CHECK: tg.add %{{.*}}, %{{.*}} : (tensor<?xf32>, tensor<4xf32>) -> tensor<4xf32>
  %y = tg.add %a, %b : (tensor<?xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}
