// RUN: tgc-opt %s --tg-check-module --split-input-file --verify-diagnostics

module {
  // expected-error @+1 {{expected a name like fc1/W of up to 255 characters, found 'a//b' [M1]}}
  tg.variable @"a//b" : tensor<f32>
  func.func @m1() {
    return
  }
}

// -----

module {
  // expected-error @+1 {{found 'a/../b' [M1]}}
  tg.variable @"a/../b" : tensor<f32>
  func.func @m1_parent() {
    return
  }
}

// -----

module {
  // expected-error @+1 {{found '1x' [M1]}}
  func.func @m1_name(%x: tensor<f32> {tg.name = "1x"}) {
    return
  }
}

// -----

module {
  // expected-error @+1 {{result 1: expected a tg.name, found none [M2]}}
  func.func @m2(%x: tensor<f32> {tg.name = "x"}) -> tensor<f32> {
    return %x : tensor<f32>
  }
}

// -----

module {
  // expected-error @+1 {{argument 2: expected unique names, found 'x' twice, first at argument 1 [M2]}}
  func.func @m2_twice(%x: tensor<f32> {tg.name = "x"}, %y: tensor<f32> {tg.name = "x"}) {
    return
  }
}

// -----

module {
  // expected-error @+1 {{result 1: expected unique names, found 'x' twice, first at argument 1 [M2]}}
  func.func @m2_of_input_and_output(%x: tensor<f32> {tg.name = "x"}) -> (tensor<f32> {tg.name = "x"}) {
    return %x : tensor<f32>
  }
}

// -----

// expected-error @+1 {{expected at least one public function, found none [M3]}}
module {
  func.func private @m3() {
    return
  }
}

// -----

module {
  // expected-error @+1 {{expected a body of one block, found 0 [M3]}}
  func.func private @m3_body()
  func.func @public() {
    return
  }
}

// -----

module {
  func.func @public() {
    return
  }
  func.func @m3_call() {
    // expected-error @+1 {{expected to call a private function, found a public one [M3]}}
    func.call @public() : () -> ()
    return
  }
}

// -----

module {
  func.func @m3_recursion() {
    func.call @first() : () -> ()
    return
  }
  func.func private @first() {
    func.call @second() : () -> ()
    return
  }
  func.func private @second() {
    // expected-error @+1 {{expected no recursion, found a recursive call of @first [M3]}}
    func.call @first() : () -> ()
    return
  }
}

// -----

module {
  func.func @m4() attributes {tg.role = "init"} {
    return
  }
  // expected-error @+1 {{expected at most one init function, found @m4 and @m4_twice [M4]}}
  func.func @m4_twice() attributes {tg.role = "init"} {
    return
  }
}

// -----

module {
  // expected-error @+1 {{expected an init function without results, found 1 [M4]}}
  func.func @m4_result() -> (tensor<f32> {tg.name = "y"}) attributes {tg.role = "init"} {
    %y = tg.constant dense<0.0> : tensor<f32>
    return %y : tensor<f32>
  }
}

// -----

module {
  // expected-error @+1 {{expected an init function to have no argument or one, a tensor<i64> named 'seed', found a tensor<i64> named 'start' [M4]}}
  func.func @m4_argument(%s: tensor<i64> {tg.name = "start"}) attributes {tg.role = "init"} {
    return
  }
}

// -----

module {
  tg.variable @w : tensor<f32>
  // expected-error @+1 {{expected the init function to assign 'w' [M5]}}
  func.func @m5() attributes {tg.role = "init"} {
    return
  }
}

// -----

module {
  tg.variable @w : tensor<f32>
  func.func @m5_read() attributes {tg.role = "init"} {
    // expected-error @+1 {{expected the init function to assign 'w' before it is read [M5]}}
    %w = tg.read @w : tensor<f32>
    tg.assign @w, %w : tensor<f32>
    return
  }
}

// -----

module {
  tg.variable @w : tensor<f32>
  func.func @m6() attributes {tg.role = "test"} {
    func.call @helper() : () -> ()
    return
  }
  func.func private @helper() {
    %zero = tg.constant dense<0.0> : tensor<f32>
    // expected-error @+1 {{changes a variable, expected a test function to change none [M6]}}
    tg.assign @w, %zero : tensor<f32>
    return
  }
}

// -----

module {
  // expected-error @+1 {{argument 1: expected tg.dims with 2 entries, found 1 [M7]}}
  func.func @m7(%x: tensor<?x4xf32> {tg.name = "x", tg.dims = ["n"]}) {
    return
  }
}

// -----

module {
  // expected-error @+1 {{argument 1: expected 'm' to name a ?, found 4 [M7]}}
  func.func @m7_static(%x: tensor<?x4xf32> {tg.name = "x", tg.dims = ["n", "m"]}) {
    return
  }
}

// -----

module {
  // expected-error @+1 {{argument 1: expected a name of letters, digits and _, found 'n-1' [M7]}}
  func.func @m7_name(%x: tensor<?xf32> {tg.name = "x", tg.dims = ["n-1"]}) {
    return
  }
}

// -----

module {
  // expected-error @+1 {{result 1: expected 'm' to name an extent of an argument [M7]}}
  func.func @m7_result(%x: tensor<?xf32> {tg.name = "x", tg.dims = ["n"]}) -> (tensor<?xf32> {tg.name = "y", tg.dims = ["m"]}) {
    return %x : tensor<?xf32>
  }
}

// -----

module {
  // expected-error @+1 {{expected tg.role as init, train or test, found tg.role as "serve" [M8]}}
  func.func @m8() attributes {tg.role = "serve"} {
    return
  }
}

// -----

module {
  // expected-error @+1 {{argument 1: expected tg.name, a string, or tg.dims, a list of strings, found tg.dim [M8]}}
  func.func @m8_argument(%x: tensor<?xf32> {tg.name = "x", tg.dim = ["n"]}) {
    return
  }
}

// -----

module {
  func.func @m9() {
    // expected-error @+1 {{is no op of a model, expected only tg ops, func.func, func.return and func.call [M9]}}
    %zero = arith.constant 0 : i64
    return
  }
}

// -----

module {
  func.func @public() {
    return
  }
  // expected-error @+1 {{expected a public or a private function, found a nested one [M3]}}
  func.func nested @m3_nested() {
    return
  }
}

// -----

module {
  func.func @public() {
    return
  }
  // expected-error @+1 {{expected a public init function, found a private one [M4]}}
  func.func private @m4_private() attributes {tg.role = "init"} {
    return
  }
}

// -----

module {
  // expected-error @+1 {{argument 1: expected tg.name, a string, or tg.dims, a list of strings, found tg.name [M8]}}
  func.func @m8_name_of_another_kind(%x: tensor<f32> {tg.name = 1}) {
    return
  }
}

// -----

module {
  // expected-error @+1 {{argument 1: expected tg.random as seed or call, found "step" [M10]}}
  func.func @f(%a: tensor<i64> {tg.name = "a", tg.random = "step"}) -> (tensor<i64> {tg.name = "y"}) {
    return %a : tensor<i64>
  }
}

// -----

module {
  // expected-error @+1 {{argument 1: expected tg.random at a 'tensor<i64>', found 'tensor<i32>' [M10]}}
  func.func @f(%a: tensor<i32> {tg.name = "a", tg.random = "seed"}) -> (tensor<i32> {tg.name = "y"}) {
    return %a : tensor<i32>
  }
}

// -----

module {
  // expected-error @+1 {{argument 2: expected tg.random = "seed" once, first at argument 1 [M10]}}
  func.func @f(%a: tensor<i64> {tg.name = "a", tg.random = "seed"}, %b: tensor<i64> {tg.name = "b", tg.random = "seed"}) -> (tensor<i64> {tg.name = "y"}) {
    return %a : tensor<i64>
  }
}

// -----

module {
  // expected-error @+1 {{argument 1: expected tg.random at a public function other than init, found it at init [M10]}}
  func.func @init(%seed: tensor<i64> {tg.name = "seed", tg.random = "seed"}) attributes {tg.role = "init"} {
    return
  }
}

// -----

module {
  func.func @f() -> (tensor<i64> {tg.name = "y"}) {
    %y = tg.constant dense<1> : tensor<i64>
    return %y : tensor<i64>
  }
  // expected-error @+1 {{expected functions of different names, found 'f' twice [M2]}}
  func.func @g() -> (tensor<i64> {tg.name = "y"}) attributes {tg.name = "f"} {
    %y = tg.constant dense<1> : tensor<i64>
    return %y : tensor<i64>
  }
}

// -----

// expected-error @+1 {{expected no attribute "tg.role" on a module [M8]}}
module attributes {tg.role = "test"} {
  func.func @m8_module() {
    return
  }
}

// -----

module {
  func.func @m9_outside() {
    return
  }
  // expected-error @+1 {{is at the top level of the module, expected it in a function [M9]}}
  %c = tg.constant dense<1.0> : tensor<f32>
}

// -----

// expected-error @+1 {{expected tg.device like "gpu:1", found "GPU:x" [G5]}}
func.func @device_g5_function(%x: tensor<4xf32> {tg.name = "x"})
    -> (tensor<4xf32> {tg.name = "y"}) attributes {tg.device = "GPU:x"} {
  return %x : tensor<4xf32>
}
