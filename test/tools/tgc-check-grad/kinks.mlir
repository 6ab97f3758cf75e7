// The form of a softplus by a maximum has a wrong gradient at 0, where a model
// starts that is initialized with zeros. No op is wrong, so the notes of the
// wrong derivative name the op that is at a kink. The form by a comparison is
// right everywhere.
// RUN: not tgc check-grad %s --functions=maximum 2>&1 | FileCheck %s
// RUN: tgc check-grad %s --functions=select | FileCheck %s --check-prefix=RIGHT

module @kinks {
  // CHECK: kinks.mlir:[[#@LINE+4]]:3: error: expected the derivative for variable 'w' at [{{[0-3]}}] to be 0.5, found 1: a relative error of 5.0e-01
  // CHECK: kinks.mlir:[[#@LINE+14]]:12: note: 4 of 4 derivatives of 'tg.maximum' are at kinks, where it has several: start from other values, such as trained weights or a random init
  // CHECK-NOT: note:
  // CHECK: tg.maximum operand 0 - 0 of 4, 4 at kinks
  tg.variable @w {trainable} : tensor<4xf32>

  func.func @init() attributes {tg.role = "init"} {
    %zero = tg.constant dense<0.0> : tensor<4xf32>
    tg.assign @w, %zero : tensor<4xf32>
    return
  }

  func.func @maximum() -> (tensor<4xf32> {tg.name = "g"}) {
    %zero = tg.constant dense<0.0> : tensor<f32>
    %x = tg.read @w : tensor<4xf32>
    %top = tg.maximum %x, %zero : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    %abs = tg.abs %x : tensor<4xf32>
    %power = tg.neg %abs : tensor<4xf32>
    %exp = tg.exp %power : tensor<4xf32>
    %log = tg.log1p %exp : tensor<4xf32>
    %softplus = tg.add %top, %log : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %sum = tg.reduce_sum %softplus : (tensor<4xf32>) -> tensor<f32>
    %g = tg.gradient %sum variables [@w] : (tensor<f32>) -> tensor<4xf32>
    return %g : tensor<4xf32>
  }

  // RIGHT: {{^ +}}w {{.*}} 4 of 4
  // RIGHT-NOT: kinks
  // RIGHT: all derivatives are right
  func.func @select() -> (tensor<4xf32> {tg.name = "g"}) {
    %zero = tg.constant dense<0.0> : tensor<f32>
    %x = tg.read @w : tensor<4xf32>
    %above = tg.compare ge, %x, %zero : (tensor<4xf32>, tensor<f32>) -> tensor<4xi1>
    %top = tg.select %above, %x, %zero : (tensor<4xi1>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    %negative = tg.neg %x : tensor<4xf32>
    %power = tg.select %above, %negative, %x : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %exp = tg.exp %power : tensor<4xf32>
    %log = tg.log1p %exp : tensor<4xf32>
    %softplus = tg.add %top, %log : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %sum = tg.reduce_sum %softplus : (tensor<4xf32>) -> tensor<f32>
    %g = tg.gradient %sum variables [@w] : (tensor<f32>) -> tensor<4xf32>
    return %g : tensor<4xf32>
  }
}
