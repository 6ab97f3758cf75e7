// RUN: tgc-opt %s | tgc-opt | FileCheck %s
// RUN: tgc-opt %s --mlir-print-op-generic | tgc-opt | FileCheck %s

// CHECK-LABEL: func @compare_eq
func.func @compare_eq(%a: tensor<?x10xf32>, %b: tensor<f32>) {
  // CHECK: tg.compare eq, %{{.*}}, %{{.*}} : (tensor<?x10xf32>, tensor<f32>) -> tensor<?x10xi1>
  %p = tg.compare eq, %a, %b : (tensor<?x10xf32>, tensor<f32>) -> tensor<?x10xi1>
  return
}

// CHECK-LABEL: func @compare_ne
func.func @compare_ne(%a: tensor<?x10xf32>, %b: tensor<f32>) {
  // CHECK: tg.compare ne, %{{.*}}, %{{.*}} : (tensor<?x10xf32>, tensor<f32>) -> tensor<?x10xi1>
  %p = tg.compare ne, %a, %b : (tensor<?x10xf32>, tensor<f32>) -> tensor<?x10xi1>
  return
}

// CHECK-LABEL: func @compare_lt
func.func @compare_lt(%a: tensor<?x10xf32>, %b: tensor<f32>) {
  // CHECK: tg.compare lt, %{{.*}}, %{{.*}} : (tensor<?x10xf32>, tensor<f32>) -> tensor<?x10xi1>
  %p = tg.compare lt, %a, %b : (tensor<?x10xf32>, tensor<f32>) -> tensor<?x10xi1>
  return
}

// CHECK-LABEL: func @compare_le
func.func @compare_le(%a: tensor<?x10xf32>, %b: tensor<f32>) {
  // CHECK: tg.compare le, %{{.*}}, %{{.*}} : (tensor<?x10xf32>, tensor<f32>) -> tensor<?x10xi1>
  %p = tg.compare le, %a, %b : (tensor<?x10xf32>, tensor<f32>) -> tensor<?x10xi1>
  return
}

// CHECK-LABEL: func @compare_gt
func.func @compare_gt(%a: tensor<?x10xf32>, %b: tensor<f32>) {
  // CHECK: tg.compare gt, %{{.*}}, %{{.*}} : (tensor<?x10xf32>, tensor<f32>) -> tensor<?x10xi1>
  %p = tg.compare gt, %a, %b : (tensor<?x10xf32>, tensor<f32>) -> tensor<?x10xi1>
  return
}

// CHECK-LABEL: func @compare_ge
func.func @compare_ge(%a: tensor<?x10xf32>, %b: tensor<f32>) {
  // CHECK: tg.compare ge, %{{.*}}, %{{.*}} : (tensor<?x10xf32>, tensor<f32>) -> tensor<?x10xi1>
  %p = tg.compare ge, %a, %b : (tensor<?x10xf32>, tensor<f32>) -> tensor<?x10xi1>
  return
}

// CHECK-LABEL: func @compare_truth_values
func.func @compare_truth_values(%a: tensor<4xi1>, %b: tensor<i1>) {
  // CHECK: tg.compare ne, %{{.*}}, %{{.*}} : (tensor<4xi1>, tensor<i1>) -> tensor<4xi1>
  %p = tg.compare ne, %a, %b : (tensor<4xi1>, tensor<i1>) -> tensor<4xi1>
  return
}

// CHECK-LABEL: func @select
func.func @select(%p: tensor<?x10xi1>, %a: tensor<?x10xf32>, %b: tensor<f32>, %c: tensor<i1>) {
  // CHECK: tg.select %{{.*}}, %{{.*}}, %{{.*}} : (tensor<?x10xi1>, tensor<?x10xf32>, tensor<f32>) -> tensor<?x10xf32>
  %y = tg.select %p, %a, %b : (tensor<?x10xi1>, tensor<?x10xf32>, tensor<f32>) -> tensor<?x10xf32>
  // CHECK: tg.select %{{.*}}, %{{.*}}, %{{.*}} : (tensor<i1>, tensor<i1>, tensor<?x10xi1>) -> tensor<?x10xi1>
  %z = tg.select %c, %c, %p : (tensor<i1>, tensor<i1>, tensor<?x10xi1>) -> tensor<?x10xi1>
  return
}

// CHECK-LABEL: func @select_broadcasts_both_values
func.func @select_broadcasts_both_values(%p: tensor<3x1xi1>, %a: tensor<4xf32>, %b: tensor<f32>) {
  // CHECK: tg.select %{{.*}}, %{{.*}}, %{{.*}} : (tensor<3x1xi1>, tensor<4xf32>, tensor<f32>) -> tensor<3x4xf32>
  %y = tg.select %p, %a, %b : (tensor<3x1xi1>, tensor<4xf32>, tensor<f32>) -> tensor<3x4xf32>
  return
}

// CHECK-LABEL: func @cast
func.func @cast(%x: tensor<?xi64>, %y: tensor<f32>) {
  // CHECK: tg.cast %{{.*}} {element_type = f32} : (tensor<?xi64>) -> tensor<?xf32>
  %a = tg.cast %x {element_type = f32} : (tensor<?xi64>) -> tensor<?xf32>
  // CHECK: tg.cast %{{.*}} {element_type = ui8} : (tensor<f32>) -> tensor<ui8>
  %b = tg.cast %y {element_type = ui8} : (tensor<f32>) -> tensor<ui8>
  // CHECK: tg.cast %{{.*}} {element_type = i1} : (tensor<?xi64>) -> tensor<?xi1>
  %c = tg.cast %x {element_type = i1} : (tensor<?xi64>) -> tensor<?xi1>
  return
}

// A single space separates an op from its predicate.
// RUN: tgc-opt %s | not grep "tg.compare  "
