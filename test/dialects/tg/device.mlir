// RUN: tgc-opt %s --split-input-file --verify-roundtrip | FileCheck %s
// RUN: tgc-opt %s --split-input-file --tg-expand-gradients | FileCheck %s --check-prefix=GRAD
// RUN: tgc-opt %s --split-input-file --tg-prepare-kernels | FileCheck %s --check-prefix=PLACED

// CHECK-LABEL: @placed_ops
// CHECK: tg.abs %{{.*}} {tg.device = "cpu:1"}
// CHECK: tg.neg %{{.*}} {tg.device = "gpu:0"}
// PLACED-LABEL: @placed_ops
// PLACED-NOT: tg.device
func.func @placed_ops(%x: tensor<4xf32>) -> tensor<4xf32> {
  %magnitude = tg.abs %x {tg.device = "cpu:1"} : tensor<4xf32>
  %result = tg.neg %magnitude {tg.device = "gpu:0"} : tensor<4xf32>
  return %result : tensor<4xf32>
}

// -----

// A gradient without a device is computed on the devices of the differentiated
// ops.
// GRAD-LABEL: @gradients_beside_their_ops
// GRAD: tg.mul {{.*}} {tg.device = "cpu:1"}
// GRAD: tg.reduce_sum
// GRAD: tg.broadcast_to {{.*}}tg.device = "cpu:2"
// GRAD: tg.mul {{.*}} {tg.device = "cpu:1"}
func.func @gradients_beside_their_ops(%x: tensor<4xf32>, %w: tensor<4xf32>)
    -> tensor<4xf32> {
  %product = tg.mul %x, %w {tg.device = "cpu:1"}
      : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %loss = tg.reduce_sum %product {tg.device = "cpu:2"}
      : (tensor<4xf32>) -> tensor<f32>
  %gradient = tg.gradient %loss wrt(%w)
      : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  return %gradient : tensor<4xf32>
}

// -----

// GRAD-LABEL: @gradients_where_they_are_asked_for
// GRAD: tg.reduce_sum
// GRAD: tg.broadcast_to {{.*}}tg.device = "cpu:0"
// GRAD: tg.mul {{.*}} {tg.device = "cpu:0"}
func.func @gradients_where_they_are_asked_for(%x: tensor<4xf32>,
                                              %w: tensor<4xf32>)
    -> tensor<4xf32> {
  %product = tg.mul %x, %w {tg.device = "cpu:1"}
      : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %loss = tg.reduce_sum %product : (tensor<4xf32>) -> tensor<f32>
  %gradient = tg.gradient %loss wrt(%w) {tg.device = "cpu:0"}
      : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  return %gradient : tensor<4xf32>
}
