// If all elements tie, for example for zero weights, the one-sided derivatives
// belong to two orders, and the rule chooses a third: a kink. A gradient of
// another magnitude than all of them is still an error.
// RUN: tgc check-grad %s --functions=rows,long,behind | FileCheck %s
// RUN: not tgc check-grad %s --functions=wrong 2>&1 | FileCheck %s --check-prefix=WRONG

// CHECK: rows: gradient at
// CHECK: {{^ +}}w - 0 of 24, 9 at kinks
// CHECK: tg.top_k operand 0 - 0 of 24, 5 at kinks
// CHECK: long: gradient at
// CHECK: {{^ +}}v - 0 of 300, 9 at kinks
// CHECK: tg.top_k operand 0 - 0 of 300, 5 at kinks
// CHECK: behind: gradient at
// CHECK: {{^ +}}w - 0 of 24, 9 at kinks
// CHECK: tg.matmul operand 1 {{.*}} 5 of 24
// CHECK: all derivatives are right
module @ties {
  // WRONG: ties.mlir:[[#@LINE+50]]:10: error: 'tg.custom_gradient' op expected its derivative for operand 0
  // WRONG: ties.mlir:[[#@LINE+1]]:3: error: expected the derivative for variable 'w'
  tg.variable @w {trainable} : tensor<4x6xf32>
  tg.variable @v {trainable} : tensor<300xf32>

  func.func @init() attributes {tg.role = "init"} {
    %zero = tg.constant dense<0.0> : tensor<4x6xf32>
    tg.assign @w, %zero : tensor<4x6xf32>
    %half = tg.constant dense<0.5> : tensor<300xf32>
    tg.assign @v, %half : tensor<300xf32>
    return
  }

  func.func @rows(%c: tensor<4x6xf32> {tg.name = "c"})
      -> (tensor<4x6xf32> {tg.name = "g"}) {
    %w = tg.read @w : tensor<4x6xf32>
    %v, %i = tg.top_k %w {k = 6} : (tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xi64>)
    %p = tg.mul %v, %c : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %loss = tg.reduce_sum %p : (tensor<4x6xf32>) -> tensor<f32>
    %g = tg.gradient %loss variables [@w] : (tensor<f32>) -> tensor<4x6xf32>
    return %g : tensor<4x6xf32>
  }

  func.func @long(%c: tensor<300xf32> {tg.name = "c"})
      -> (tensor<300xf32> {tg.name = "g"}) {
    %v = tg.read @v : tensor<300xf32>
    %s, %i = tg.top_k %v {k = -1} : (tensor<300xf32>) -> (tensor<300xf32>, tensor<300xi64>)
    %p = tg.mul %s, %c : (tensor<300xf32>, tensor<300xf32>) -> tensor<300xf32>
    %loss = tg.reduce_sum %p : (tensor<300xf32>) -> tensor<f32>
    %g = tg.gradient %loss variables [@v] : (tensor<f32>) -> tensor<300xf32>
    return %g : tensor<300xf32>
  }

  // For nearby values of w each row of the product has its own order.
  func.func @behind(%x: tensor<5x4xf32> {tg.name = "x"}, %c: tensor<5x6xf32> {tg.name = "c"})
      -> (tensor<4x6xf32> {tg.name = "g"}) {
    %w = tg.read @w : tensor<4x6xf32>
    %l = tg.matmul %x, %w : (tensor<5x4xf32>, tensor<4x6xf32>) -> tensor<5x6xf32>
    %v, %i = tg.top_k %l {k = 6} : (tensor<5x6xf32>) -> (tensor<5x6xf32>, tensor<5x6xi64>)
    %p = tg.mul %v, %c : (tensor<5x6xf32>, tensor<5x6xf32>) -> tensor<5x6xf32>
    %loss = tg.reduce_sum %p : (tensor<5x6xf32>) -> tensor<f32>
    %g = tg.gradient %loss variables [@w] : (tensor<f32>) -> tensor<4x6xf32>
    return %g : tensor<4x6xf32>
  }

  // The maximum of each row: one custom gradient gives all of it to every tied
  // element, another one ten times that.
  func.func @wrong(%c: tensor<4xf32> {tg.name = "c"})
      -> (tensor<4x6xf32> {tg.name = "g"}) {
    %w = tg.read @w : tensor<4x6xf32>
    %v = tg.custom_gradient %w : (tensor<4x6xf32>) -> tensor<4xf32> {
    ^bb0(%a: tensor<4x6xf32>):
      %m = tg.reduce_max %a {axes = [1]} : (tensor<4x6xf32>) -> tensor<4xf32>
      tg.yield %m : tensor<4xf32>
    } gradient {
    ^bb0(%a: tensor<4x6xf32>, %m: tensor<4xf32>, %d: tensor<4xf32>):
      %ten = tg.constant dense<10.0> : tensor<f32>
      %e = tg.mul %d, %ten : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
      %r = tg.reshape %e {shape = [4, 1]} : (tensor<4xf32>) -> tensor<4x1xf32>
      %s = tg.broadcast_to %r {shape = [4, 6]} : (tensor<4x1xf32>) -> tensor<4x6xf32>
      tg.yield %s : tensor<4x6xf32>
    }
    %p = tg.mul %v, %c : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %loss = tg.reduce_sum %p : (tensor<4xf32>) -> tensor<f32>
    %g = tg.gradient %loss variables [@w] : (tensor<f32>) -> tensor<4x6xf32>
    return %g : tensor<4x6xf32>
  }
}
