// Loops, branches and the ops in them, also each op by itself.
// RUN: tgc check-grad %s --functions=train --dim time=4 | FileCheck %s
// RUN: not tgc check-grad %s --functions=wrong 2>&1 | FileCheck %s --check-prefix=WRONG

module @loops {
  // WRONG: control.mlir:[[#@LINE+62]]:10: error: 'tg.scan' op expected its derivative for variable 'w' {{.*}} to be
  // WRONG: control.mlir:[[#@LINE+67]]:12: error: 'tg.custom_gradient' op expected its derivative for operand 0 at [{{.*}}] to be {{.*}}, found
  // WRONG: control.mlir:[[#@LINE+1]]:3: error: expected the derivative for variable 'w'
  tg.variable @w {trainable} : tensor<4x4xf32>
  tg.variable @b {trainable} : tensor<4xf32>

  // CHECK: train: gradient at
  // CHECK: {{^ +}}x {{.*}}  9 of 32
  // CHECK: {{^ +}}w {{.*}}  9 of 16
  // CHECK: {{^ +}}b {{.*}}  4 of 4
  // CHECK: tg.scan operand 1 {{.*}} of 32
  // CHECK: tg.scan variable 'w' {{.*}} of 16
  // CHECK: tg.matmul operand 1
  // CHECK: tg.tanh operand 0
  // CHECK: tg.while operand 1
  // CHECK: tg.sin operand 0
  // CHECK: tg.if a value that its regions use
  // CHECK: tg.exp operand 0
  // CHECK: all derivatives are right
  func.func @train(%x: tensor<?x2x4xf32> {tg.name = "x", tg.dims = ["time", "", ""]})
      -> (tensor<?x2x4xf32> {tg.name = "gx"}, tensor<4x4xf32> {tg.name = "gw"}, tensor<4xf32> {tg.name = "gb"}) {
    %w = tg.read @w : tensor<4x4xf32>
    %zero = tg.constant dense<0.0> : tensor<2x4xf32>
    %h, %all = tg.scan inits(%zero) inputs(%x) : (tensor<2x4xf32>, tensor<?x2x4xf32>) -> (tensor<2x4xf32>, tensor<?x2x4xf32>) {
    ^bb0(%s: tensor<2x4xf32>, %e: tensor<2x4xf32>):
      %b = tg.read @b : tensor<4xf32>
      %p = tg.matmul %s, %w : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
      %q = tg.add %p, %e : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
      %r = tg.add %q, %b : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
      %n = tg.tanh %r : tensor<2x4xf32>
      tg.yield %n, %n : tensor<2x4xf32>, tensor<2x4xf32>
    }
    %sum = tg.reduce_sum %all : (tensor<?x2x4xf32>) -> tensor<f32>
    %one = tg.constant dense<1.0> : tensor<f32>
    %five = tg.constant dense<5.0> : tensor<f32>
    %count, %grown = tg.while inits(%one, %sum) {max_trip = 8} : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>) cond {
    ^bb0(%i: tensor<f32>, %v: tensor<f32>):
      %more = tg.compare lt, %i, %five : (tensor<f32>, tensor<f32>) -> tensor<i1>
      tg.yield %more : tensor<i1>
    } do {
    ^bb0(%i: tensor<f32>, %v: tensor<f32>):
      %n = tg.add %i, %one : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %t = tg.sin %v : tensor<f32>
      %m = tg.add %t, %one : (tensor<f32>, tensor<f32>) -> tensor<f32>
      tg.yield %n, %m : tensor<f32>, tensor<f32>
    }
    %high = tg.compare lt, %grown, %five : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %loss = tg.if %high : (tensor<i1>) -> tensor<f32> {
      %m = tg.exp %grown : tensor<f32>
      tg.yield %m : tensor<f32>
    } else {
      %scaled = tg.mul %grown, %one : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %m = tg.exp %scaled : tensor<f32>
      tg.yield %m : tensor<f32>
    }
    %gx, %gw, %gb = tg.gradient %loss wrt(%x) variables [@w, @b] : (tensor<f32>, tensor<?x2x4xf32>) -> (tensor<?x2x4xf32>, tensor<4x4xf32>, tensor<4xf32>)
    return %gx, %gw, %gb : tensor<?x2x4xf32>, tensor<4x4xf32>, tensor<4xf32>
  }

  func.func @wrong(%x: tensor<3x4xf32> {tg.name = "x"}) -> (tensor<4x4xf32> {tg.name = "gw"}) {
    %w = tg.read @w : tensor<4x4xf32>
    %zero = tg.constant dense<0.0> : tensor<4xf32>
    %h = tg.scan inits(%zero) inputs(%x) : (tensor<4xf32>, tensor<3x4xf32>) -> tensor<4xf32> {
    ^bb0(%s: tensor<4xf32>, %e: tensor<4xf32>):
      %in = tg.add %s, %e : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      %row = tg.reshape %in {shape = [1, 4]} : (tensor<4xf32>) -> tensor<1x4xf32>
      %p = tg.matmul %row, %w : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
      %q = tg.reshape %p {shape = [4]} : (tensor<1x4xf32>) -> tensor<4xf32>
      %n = tg.custom_gradient %q : (tensor<4xf32>) -> tensor<4xf32> {
      ^bb0(%v: tensor<4xf32>):
        %y = tg.tanh %v : tensor<4xf32>
        tg.yield %y : tensor<4xf32>
      } gradient {
      ^bb0(%v: tensor<4xf32>, %y: tensor<4xf32>, %g: tensor<4xf32>):
        %d = tg.mul %g, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
        tg.yield %d : tensor<4xf32>
      }
      tg.yield %n : tensor<4xf32>
    }
    %loss = tg.reduce_sum %h : (tensor<4xf32>) -> tensor<f32>
    %gw = tg.gradient %loss variables [@w] : (tensor<f32>) -> tensor<4x4xf32>
    return %gw : tensor<4x4xf32>
  }
}
