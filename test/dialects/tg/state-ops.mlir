// RUN: tgc-opt %s | tgc-opt | FileCheck %s
// RUN: tgc-opt %s --mlir-print-op-generic | tgc-opt | FileCheck %s

// CHECK: tg.variable @w {trainable} : tensor<4x2xf32>
tg.variable @w {trainable} : tensor<4x2xf32>
// CHECK: tg.variable @w_m {slot_of = @w} : tensor<4x2xf32>
tg.variable @w_m {slot_of = @w} : tensor<4x2xf32>
// CHECK: tg.variable @"fc1/b" {trainable} : tensor<2xf32>
tg.variable @"fc1/b" {trainable} : tensor<2xf32>
tg.variable @b_m {slot_of = @"fc1/b"} : tensor<2xf32>
// CHECK: tg.variable @step {role = "step"} : tensor<i64>
tg.variable @step {role = "step"} : tensor<i64>

// CHECK-LABEL: func @read
func.func @read() -> tensor<4x2xf32> {
  // CHECK: tg.read @w : tensor<4x2xf32>
  %w = tg.read @w : tensor<4x2xf32>
  return %w : tensor<4x2xf32>
}

// CHECK-LABEL: func @assign
func.func @assign(%new: tensor<i64>) {
  // CHECK: tg.assign @step, %{{.*}} : tensor<i64>
  tg.assign @step, %new : tensor<i64>
  return
}

// CHECK-LABEL: func @update
func.func @update(%gw: tensor<4x2xf32>, %gb: tensor<2xf32>, %rate: tensor<f32>) {
  // CHECK: tg.update {{\[\[}}@w, @w_m], [@"fc1/b", @b_m]] inputs(%{{.*}}, %{{.*}}) : (tensor<4x2xf32>, tensor<2xf32>) -> () {
  // CHECK-NEXT: ^bb0(%[[W:.*]]: tensor<f32>, %[[M:.*]]: tensor<f32>, %[[G:.*]]: tensor<f32>):
  tg.update [[@w, @w_m], [@"fc1/b", @b_m]] inputs(%gw, %gb) : (tensor<4x2xf32>, tensor<2xf32>) -> () {
  ^bb0(%weight: tensor<f32>, %slot: tensor<f32>, %grad: tensor<f32>):
    %m = tg.add %slot, %grad : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %d = tg.mul %m, %rate : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %moved = tg.sub %weight, %d : (tensor<f32>, tensor<f32>) -> tensor<f32>
    // CHECK: tg.yield %{{.*}}, %{{.*}} : tensor<f32>, tensor<f32>
    tg.yield %moved, %m : tensor<f32>, tensor<f32>
  }
  return
}

// CHECK-LABEL: func @update_without_inputs
func.func @update_without_inputs() {
  // CHECK: tg.update {{\[\[}}@w]] : () -> () {
  tg.update [[@w]] : () -> () {
  ^bb0(%weight: tensor<f32>):
    %half = tg.constant dense<0.5> : tensor<f32>
    %less = tg.mul %weight, %half : (tensor<f32>, tensor<f32>) -> tensor<f32>
    tg.yield %less : tensor<f32>
  }
  return
}
