// RUN: tgc-opt %s --tg-partition-devices="devices=gpu:0,gpu:1,cpu:0" | FileCheck %s

// The first device holds the variables; other devices get their values. Ops
// without a device run on the first one.
// CHECK-LABEL: func.func @step.0.0(
// CHECK-SAME: -> (tensor<4xf32> {tg.name = "[[W:.*]]"}) attributes {tg.device = "gpu:0", tg.role = "test"}
// CHECK-NEXT: tg.read @w
// CHECK-LABEL: func.func @step.1.1(
// CHECK-SAME: {tg.name = "[[W]]"}
// CHECK-SAME: attributes {tg.device = "gpu:1"
// CHECK-NOT: tg.read
// CHECK: tg.mul
// CHECK-LABEL: func.func @step.1.2(
// CHECK-SAME: attributes {tg.device = "cpu:0"
// CHECK-NOT: tg.read
// CHECK: tg.exp
// CHECK-LABEL: func.func @step.2.0(
// CHECK-SAME: attributes {tg.device = "gpu:0", tg.role = "train"}
// CHECK: tg.add
// CHECK: tg.assign @w
module {
  tg.variable @w : tensor<4xf32>
  func.func @step(%x: tensor<4xf32> {tg.name = "x"}) -> (tensor<4xf32> {tg.name = "y"}) {
    %w = tg.read @w : tensor<4xf32>
    %a = tg.mul %w, %x {tg.device = "gpu:1"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %b = tg.exp %w {tg.device = "cpu:0"} : tensor<4xf32>
    %c = tg.add %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    tg.assign @w, %c : tensor<4xf32>
    return %c : tensor<4xf32>
  }
}
