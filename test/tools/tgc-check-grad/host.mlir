// Host functions in f32 with custom gradients, correct and wrong ones, and
// functions that fail.
// RUN: rm -rf %t && mkdir %t
// RUN: clang -xc++ -shared -fPIC -Wall -Werror -I%root/include %S/Inputs/functions.cpp -o %t/functions.so -lstdc++
// RUN: tgc check-grad %s --functions=right --host=%t/functions.so | FileCheck %s --check-prefix=RIGHT
// RUN: not tgc check-grad %s --functions=wrong --host=%t/functions.so 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not tgc check-grad %s --functions=throws --host=%t/functions.so 2>&1 | FileCheck %s --check-prefix=THROWS
// RUN: not tgc check-grad %s --functions=fails --host=%t/functions.so 2>&1 | FileCheck %s --check-prefix=FAILS
// RUN: not tgc check-grad %s --functions=writes_beyond --host=%t/functions.so 2>&1 | FileCheck %s --check-prefix=BEYOND
// RUN: not tgc check-grad %s --functions=right 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not tgc check-grad %s --host=%t/nothing.so 2>&1 | FileCheck %s --check-prefix=LOAD

// RIGHT: right: gradient at
// RIGHT: tg.custom_gradient operand 0 {{.*}} 3 of 3
// RIGHT: all derivatives are right
// WRONG: host.mlir:[[#@LINE+36]]:10: error: 'tg.custom_gradient' op expected its derivative for operand 0 at [{{[0-2]}}] to be
// WRONG: host.mlir:[[#@LINE+7]]:3: error: expected the derivative for variable 'w' at
// THROWS: host.mlir:{{.*}}: error: the function cannot be run on these inputs: 'tg.host_call' op host function 'throws' failed: the disk is full [R1]
// FAILS: host function 'fails' failed: it returned status 7 [R1]
// BEYOND: host function 'writes_beyond' failed: it wrote beyond its result 0 [R1]
// NONE: host.mlir:{{.*}}: error: the function cannot be run on these inputs: 'tg.host_call' op expected a host function 'square', found none of that name [R1]
// LOAD: tgc: error: --host '{{.*}}nothing.so': {{.*}}No such file
module @calls {
  tg.variable @w {trainable} : tensor<3xf32>

  func.func @init() attributes {tg.role = "init"} {
    %start = tg.constant dense<[1.0, 0.5, -2.0]> : tensor<3xf32>
    tg.assign @w, %start : tensor<3xf32>
    return
  }

  func.func @right() -> (tensor<3xf32> {tg.name = "gradient"}) {
    %w = tg.read @w : tensor<3xf32>
    %y = tg.custom_gradient %w : (tensor<3xf32>) -> tensor<3xf32> {
    ^bb0(%x: tensor<3xf32>):
      %s = tg.host_call "square"(%x) {pure} : (tensor<3xf32>) -> tensor<3xf32>
      tg.yield %s : tensor<3xf32>
    } gradient {
    ^bb0(%x: tensor<3xf32>, %s: tensor<3xf32>, %g: tensor<3xf32>):
      %slope = tg.add %x, %x : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      %d = tg.mul %g, %slope : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      tg.yield %d : tensor<3xf32>
    }
    %e = tg.exp %y : tensor<3xf32>
    %loss = tg.reduce_sum %e : (tensor<3xf32>) -> tensor<f32>
    %g = tg.gradient %loss variables [@w] : (tensor<f32>) -> tensor<3xf32>
    return %g : tensor<3xf32>
  }

  func.func @wrong() -> (tensor<3xf32> {tg.name = "gradient"}) {
    %w = tg.read @w : tensor<3xf32>
    %y = tg.custom_gradient %w : (tensor<3xf32>) -> tensor<3xf32> {
    ^bb0(%x: tensor<3xf32>):
      %s = tg.host_call "square"(%x) {pure} : (tensor<3xf32>) -> tensor<3xf32>
      tg.yield %s : tensor<3xf32>
    } gradient {
    ^bb0(%x: tensor<3xf32>, %s: tensor<3xf32>, %g: tensor<3xf32>):
      %slope = tg.exp %x : tensor<3xf32>
      %d = tg.mul %g, %slope : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      tg.yield %d : tensor<3xf32>
    }
    %e = tg.exp %y : tensor<3xf32>
    %loss = tg.reduce_sum %e : (tensor<3xf32>) -> tensor<f32>
    %g = tg.gradient %loss variables [@w] : (tensor<f32>) -> tensor<3xf32>
    return %g : tensor<3xf32>
  }

  func.func @throws() -> (tensor<3xf32> {tg.name = "gradient"}) {
    %w = tg.read @w : tensor<3xf32>
    %y = tg.custom_gradient %w : (tensor<3xf32>) -> tensor<3xf32> {
    ^bb0(%x: tensor<3xf32>):
      %s = tg.host_call "throws"(%x) {pure} : (tensor<3xf32>) -> tensor<3xf32>
      tg.yield %s : tensor<3xf32>
    } gradient {
    ^bb0(%x: tensor<3xf32>, %s: tensor<3xf32>, %g: tensor<3xf32>):
      %slope = tg.add %x, %x : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      %d = tg.mul %g, %slope : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      tg.yield %d : tensor<3xf32>
    }
    %e = tg.exp %y : tensor<3xf32>
    %loss = tg.reduce_sum %e : (tensor<3xf32>) -> tensor<f32>
    %g = tg.gradient %loss variables [@w] : (tensor<f32>) -> tensor<3xf32>
    return %g : tensor<3xf32>
  }

  func.func @fails() -> (tensor<3xf32> {tg.name = "gradient"}) {
    %w = tg.read @w : tensor<3xf32>
    %y = tg.custom_gradient %w : (tensor<3xf32>) -> tensor<3xf32> {
    ^bb0(%x: tensor<3xf32>):
      %s = tg.host_call "fails"(%x) {pure} : (tensor<3xf32>) -> tensor<3xf32>
      tg.yield %s : tensor<3xf32>
    } gradient {
    ^bb0(%x: tensor<3xf32>, %s: tensor<3xf32>, %g: tensor<3xf32>):
      %slope = tg.add %x, %x : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      %d = tg.mul %g, %slope : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      tg.yield %d : tensor<3xf32>
    }
    %e = tg.exp %y : tensor<3xf32>
    %loss = tg.reduce_sum %e : (tensor<3xf32>) -> tensor<f32>
    %g = tg.gradient %loss variables [@w] : (tensor<f32>) -> tensor<3xf32>
    return %g : tensor<3xf32>
  }

  func.func @writes_beyond() -> (tensor<3xf32> {tg.name = "gradient"}) {
    %w = tg.read @w : tensor<3xf32>
    %y = tg.custom_gradient %w : (tensor<3xf32>) -> tensor<3xf32> {
    ^bb0(%x: tensor<3xf32>):
      %s = tg.host_call "writes_beyond"(%x) {pure} : (tensor<3xf32>) -> tensor<3xf32>
      tg.yield %s : tensor<3xf32>
    } gradient {
    ^bb0(%x: tensor<3xf32>, %s: tensor<3xf32>, %g: tensor<3xf32>):
      %slope = tg.add %x, %x : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      %d = tg.mul %g, %slope : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
      tg.yield %d : tensor<3xf32>
    }
    %e = tg.exp %y : tensor<3xf32>
    %loss = tg.reduce_sum %e : (tensor<3xf32>) -> tensor<f32>
    %g = tg.gradient %loss variables [@w] : (tensor<f32>) -> tensor<3xf32>
    return %g : tensor<3xf32>
  }
}
