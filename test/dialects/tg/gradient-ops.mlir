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

// CHECK-LABEL: func @custom_gradient
func.func @custom_gradient(%x: tensor<10xf32>) -> tensor<10xf32> {
  // CHECK: %[[Y:.*]] = tg.custom_gradient %{{.*}} : (tensor<10xf32>) -> tensor<10xf32> {
  // CHECK-NEXT: ^bb0(%[[IN:.*]]: tensor<10xf32>):
  // CHECK-NEXT: %[[OUT:.*]] = tg.host_call "my_relu"(%[[IN]]) {pure}
  // CHECK-NEXT: tg.yield %[[OUT]] : tensor<10xf32>
  // CHECK-NEXT: } gradient {
  // CHECK-NEXT: ^bb0(%{{.*}}: tensor<10xf32>, %{{.*}}: tensor<10xf32>, %{{.*}}: tensor<10xf32>):
  %y = tg.custom_gradient %x : (tensor<10xf32>) -> tensor<10xf32> {
  ^bb0(%in: tensor<10xf32>):
    %out = tg.host_call "my_relu"(%in) {pure} : (tensor<10xf32>) -> tensor<10xf32>
    tg.yield %out : tensor<10xf32>
  } gradient {
  ^bb0(%in: tensor<10xf32>, %out: tensor<10xf32>, %grad: tensor<10xf32>):
    %in_grad = tg.host_call "my_relu_grad"(%out, %grad) {pure} : (tensor<10xf32>, tensor<10xf32>) -> tensor<10xf32>
    tg.yield %in_grad : tensor<10xf32>
  }
  return %y : tensor<10xf32>
}

// Inputs and results of integer type have no cotangents.
// CHECK-LABEL: func @custom_gradient_of_integers
func.func @custom_gradient_of_integers(%x: tensor<?xf32>, %i: tensor<?xi32>) -> (tensor<?xf32>, tensor<?xi1>) {
  // CHECK: tg.custom_gradient %{{.*}}, %{{.*}} : (tensor<?xf32>, tensor<?xi32>) -> (tensor<?xf32>, tensor<?xi1>)
  %y:2 = tg.custom_gradient %x, %i : (tensor<?xf32>, tensor<?xi32>) -> (tensor<?xf32>, tensor<?xi1>) {
  ^bb0(%a: tensor<?xf32>, %n: tensor<?xi32>):
    %f = tg.cast %n {element_type = f32} : (tensor<?xi32>) -> tensor<?xf32>
    %m = tg.mul %a, %f : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %p = tg.compare lt, %a, %f : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xi1>
    tg.yield %m, %p : tensor<?xf32>, tensor<?xi1>
  } gradient {
  ^bb0(%a: tensor<?xf32>, %n: tensor<?xi32>, %m: tensor<?xf32>, %p: tensor<?xi1>, %g: tensor<?xf32>):
    tg.yield %g : tensor<?xf32>
  }
  return %y#0, %y#1 : tensor<?xf32>, tensor<?xi1>
}
