// RUN: tgc-opt %s --tg-check-module | FileCheck %s

// CHECK-LABEL: module @rules
module @rules {
  tg.variable @"fc1/W.0" {trainable} : tensor<4xf32>
  tg.variable @m {slot_of = @"fc1/W.0"} : tensor<4xf32>

  func.func @init(%seed: tensor<i64> {tg.name = "seed"}) attributes {tg.role = "init"} {
    %zero = tg.constant dense<0.0> : tensor<4xf32>
    tg.assign @"fc1/W.0", %zero : tensor<4xf32>
    // A variable may be read after it is assigned, a slot at any time.
    %w = tg.read @"fc1/W.0" : tensor<4xf32>
    %m = tg.read @m : tensor<4xf32>
    return
  }

  func.func @test(%x: tensor<?x?x4xf32> {tg.name = "x", tg.dims = ["n", "", ""]})
      -> (tensor<?x?x4xf32> {tg.name = "y", tg.dims = ["n", "", ""]}) attributes {tg.role = "test"} {
    %y = func.call @helper(%x) : (tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
    return %y : tensor<?x?x4xf32>
  }

  // A function may have the name of a variable, and may take its random state
  // as arguments.
  func.func @m.draw(%seed: tensor<i64> {tg.name = "seed", tg.random = "seed"}, %call: tensor<i64> {tg.name = "call", tg.random = "call"})
      -> (tensor<4xf32> {tg.name = "y"}) attributes {tg.name = "m"} {
    %y = tg.random_uniform %seed, %call {shape = [4], stream = 1} : (tensor<i64>, tensor<i64>) -> tensor<4xf32>
    return %y : tensor<4xf32>
  }

  func.func private @helper(%x: tensor<?x?x4xf32>) -> tensor<?x?x4xf32> {
    return %x : tensor<?x?x4xf32>
  }
}
