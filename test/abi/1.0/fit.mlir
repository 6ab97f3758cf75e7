// The checkpoint of 1.0 fits what is compiled from the same text today.
// RUN: tgc %s -o %t.so
// RUN: tgc-run %t.so test --load %S/trained.safetensors --input x=%S/x.npy --output y=%t.npy

// y = x w + b, trained by momentum: static and unknown extents, all kinds of
// variables that a step needs, a label that can be out of range.
module @fit {
  tg.variable @w {trainable} : tensor<4x3xf32>
  tg.variable @b {trainable} : tensor<3xf32>
  tg.variable @"w.momentum" {slot_of = @w} : tensor<4x3xf32>
  tg.variable @step {role = "step"} : tensor<i64>

  func.func @init(%seed: tensor<i64> {tg.name = "seed"}) attributes {tg.role = "init"} {
    %zero = tg.constant dense<0> : tensor<i64>
    %z = tg.random_uniform %seed, %zero {shape = [4, 3], stream = 1} : (tensor<i64>, tensor<i64>) -> tensor<4x3xf32>
    %b = tg.constant dense<0.0> : tensor<3xf32>
    tg.assign @w, %z : tensor<4x3xf32>
    tg.assign @b, %b : tensor<3xf32>
    tg.assign @step, %zero : tensor<i64>
    return
  }

  func.func @train(%x: tensor<?x4xf32> {tg.name = "x", tg.dims = ["batch", ""]},
                   %y: tensor<?x3xf32> {tg.name = "y", tg.dims = ["batch", ""]},
                   %rate: tensor<f32> {tg.name = "rate"})
      -> (tensor<f32> {tg.name = "loss"}) attributes {tg.role = "train"} {
    %w = tg.read @w : tensor<4x3xf32>
    %b = tg.read @b : tensor<3xf32>
    %m = tg.read @"w.momentum" : tensor<4x3xf32>
    %step = tg.read @step : tensor<i64>
    %h = tg.matmul %x, %w : (tensor<?x4xf32>, tensor<4x3xf32>) -> tensor<?x3xf32>
    %p = tg.add %h, %b : (tensor<?x3xf32>, tensor<3xf32>) -> tensor<?x3xf32>
    %d = tg.sub %p, %y : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
    %sq = tg.mul %d, %d : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
    %loss = tg.reduce_sum %sq : (tensor<?x3xf32>) -> tensor<f32>
    %gw, %gb = tg.gradient %loss wrt(%w, %b) : (tensor<f32>, tensor<4x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
    %half = tg.constant dense<0.5> : tensor<f32>
    %keep = tg.mul %m, %half : (tensor<4x3xf32>, tensor<f32>) -> tensor<4x3xf32>
    %m1 = tg.add %keep, %gw : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
    %dw = tg.mul %m1, %rate : (tensor<4x3xf32>, tensor<f32>) -> tensor<4x3xf32>
    %db = tg.mul %gb, %rate : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
    %w1 = tg.sub %w, %dw : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
    %b1 = tg.sub %b, %db : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    %one = tg.constant dense<1> : tensor<i64>
    %step1 = tg.add %step, %one : (tensor<i64>, tensor<i64>) -> tensor<i64>
    tg.assign @w, %w1 : tensor<4x3xf32>
    tg.assign @b, %b1 : tensor<3xf32>
    tg.assign @"w.momentum", %m1 : tensor<4x3xf32>
    tg.assign @step, %step1 : tensor<i64>
    return %loss : tensor<f32>
  }

  func.func @test(%x: tensor<?x4xf32> {tg.name = "x", tg.dims = ["batch", ""]})
      -> (tensor<?x3xf32> {tg.name = "y"}) attributes {tg.role = "test"} {
    %w = tg.read @w : tensor<4x3xf32>
    %b = tg.read @b : tensor<3xf32>
    %h = tg.matmul %x, %w : (tensor<?x4xf32>, tensor<4x3xf32>) -> tensor<?x3xf32>
    %y = tg.add %h, %b : (tensor<?x3xf32>, tensor<3xf32>) -> tensor<?x3xf32>
    return %y : tensor<?x3xf32>
  }

  func.func @row(%i: tensor<?xi32> {tg.name = "index"}) -> (tensor<?x3xf32> {tg.name = "row"}) {
    %w = tg.read @w : tensor<4x3xf32>
    %y = tg.gather %w, %i {axis = 0} : (tensor<4x3xf32>, tensor<?xi32>) -> tensor<?x3xf32>
    return %y : tensor<?x3xf32>
  }
}
