// A documented loss whose labels get no gradient: stopped by an op, and missing
// in a custom gradient. The message names the op and the variable.
// RUN: not tgc check-grad %s --functions=stopped 2>&1 | FileCheck %s --check-prefix=STOPPED
// RUN: not tgc check-grad %s --functions=given 2>&1 | FileCheck %s --check-prefix=GIVEN
// RUN: tgc check-grad %s --functions=right | FileCheck %s --check-prefix=RIGHT

// A stopped gradient may be intended.
// RUN: tgc check-grad %s --functions=stopped --hold-stopped | FileCheck %s --check-prefix=HELD

// A custom gradient may also be intended. Its result is the gradient's target.
// RUN: tgc check-grad %s --functions=given --hold-given | FileCheck %s --check-prefix=MEANT
// MEANT: given: gradient at
// MEANT: result 0 of tg.custom_gradient {{.*}}  1 of 1
// MEANT: logits - 0 of 5
// MEANT-NOT: tg.custom_gradient operand
// MEANT: tg.softmax operand 0
// MEANT-NEXT: all derivatives are right

module @entropy {
  // STOPPED: labels.mlir:[[#@LINE+22]]:15: error: 'tg.stop_gradient' op expected its derivative for operand 0 at [{{[0-4]}}] to be {{.*}}, found 0: a relative error of 1.0e+00
  // STOPPED: labels.mlir:[[#@LINE+4]]:3: error: expected the derivative for variable 'logits' {{.*}} to be {{.*}}, found {{.*}}: a relative error of
  // STOPPED: 2 tensors have wrong derivatives
  // GIVEN: labels.mlir:[[#@LINE+28]]:16: error: 'tg.custom_gradient' op expected its derivative for operand 1 at [{{[0-4]}}] to be {{.*}}, found 0: a relative error of 1.0e+00
  // GIVEN: labels.mlir:[[#@LINE+1]]:3: error: expected the derivative for variable 'logits'
  tg.variable @logits {trainable} : tensor<5xf32>

  func.func @init() attributes {tg.role = "init"} {
    %start = tg.constant dense<[1.0, 0.5, 0.4, -0.6, -0.5]> : tensor<5xf32>
    tg.assign @logits, %start : tensor<5xf32>
    return
  }

  // HELD: stopped: gradient at
  // HELD-NEXT: of {{.*}} compared
  // HELD-NEXT: {{^ +}}logits {{.*}}  5 of 5
  // HELD-NOT: stop_gradient
  // HELD: tg.softmax_cross_entropy operand 0
  // HELD-NEXT: all derivatives are right
  func.func @stopped() -> (tensor<5xf32> {tg.name = "gradient"}) {
    %x = tg.read @logits : tensor<5xf32>
    %p = tg.softmax %x {axis = 0} : tensor<5xf32>
    %labels = tg.stop_gradient %p : tensor<5xf32>
    %entropy = tg.softmax_cross_entropy %x, %labels : (tensor<5xf32>, tensor<5xf32>) -> tensor<f32>
    %g = tg.gradient %entropy variables [@logits] : (tensor<f32>) -> tensor<5xf32>
    return %g : tensor<5xf32>
  }

  func.func @given() -> (tensor<5xf32> {tg.name = "gradient"}) {
    %x = tg.read @logits : tensor<5xf32>
    %p = tg.softmax %x {axis = 0} : tensor<5xf32>
    %entropy = tg.custom_gradient %x, %p : (tensor<5xf32>, tensor<5xf32>) -> tensor<f32> {
    ^bb0(%logits: tensor<5xf32>, %labels: tensor<5xf32>):
      %y = tg.softmax_cross_entropy %logits, %labels : (tensor<5xf32>, tensor<5xf32>) -> tensor<f32>
      tg.yield %y : tensor<f32>
    } gradient {
    ^bb0(%logits: tensor<5xf32>, %labels: tensor<5xf32>, %y: tensor<f32>, %grad: tensor<f32>):
      %q = tg.softmax %logits {axis = 0} : tensor<5xf32>
      %d = tg.sub %q, %labels : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
      %dx = tg.mul %grad, %d : (tensor<f32>, tensor<5xf32>) -> tensor<5xf32>
      %zero = tg.constant dense<0.0> : tensor<5xf32>
      tg.yield %dx, %zero : tensor<5xf32>, tensor<5xf32>
    }
    %g = tg.gradient %entropy variables [@logits] : (tensor<f32>) -> tensor<5xf32>
    return %g : tensor<5xf32>
  }

  // RIGHT: all derivatives are right
  func.func @right() -> (tensor<5xf32> {tg.name = "gradient"}) {
    %x = tg.read @logits : tensor<5xf32>
    %p = tg.softmax %x {axis = 0} : tensor<5xf32>
    %entropy = tg.softmax_cross_entropy %x, %p : (tensor<5xf32>, tensor<5xf32>) -> tensor<f32>
    %g = tg.gradient %entropy variables [@logits] : (tensor<f32>) -> tensor<5xf32>
    return %g : tensor<5xf32>
  }
}
