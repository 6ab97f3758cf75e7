// RUN: tgc-opt %s | tgc-opt | FileCheck %s
// RUN: tgc-opt %s --mlir-print-op-generic | tgc-opt | FileCheck %s

tg.variable @w {trainable} : tensor<4xf32>

// CHECK-LABEL: func @gradient_for_variables
func.func @gradient_for_variables(%loss: tensor<f32>) -> tensor<4xf32> {
  // CHECK: tg.gradient %{{.*}} variables [@w] : (tensor<f32>) -> tensor<4xf32>
  %g = tg.gradient %loss variables [@w] : (tensor<f32>) -> tensor<4xf32>
  return %g : tensor<4xf32>
}

// CHECK-LABEL: func @gradient_for_values
func.func @gradient_for_values(%loss: tensor<f32>, %x: tensor<?x784xf32>) -> tensor<?x784xf32> {
  // CHECK: tg.gradient %{{.*}} wrt(%{{.*}}) : (tensor<f32>, tensor<?x784xf32>) -> tensor<?x784xf32>
  %g = tg.gradient %loss wrt(%x) : (tensor<f32>, tensor<?x784xf32>) -> tensor<?x784xf32>
  return %g : tensor<?x784xf32>
}

// CHECK-LABEL: func @gradient_for_both
func.func @gradient_for_both(%loss: tensor<f32>, %y: tensor<3xf32>) -> (tensor<3xf32>, tensor<4xf32>) {
  // CHECK: tg.gradient %{{.*}} wrt(%{{.*}}) variables [@w] {allow_unconnected} : (tensor<f32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<4xf32>)
  %g:2 = tg.gradient %loss wrt(%y) variables [@w] {allow_unconnected} : (tensor<f32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<4xf32>)
  return %g#0, %g#1 : tensor<3xf32>, tensor<4xf32>
}

// CHECK-LABEL: func @stop_gradient
func.func @stop_gradient(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  // CHECK: tg.stop_gradient %{{.*}} : tensor<?x4xf32>
  %y = tg.stop_gradient %x : tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}
