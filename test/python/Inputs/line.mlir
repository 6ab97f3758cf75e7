// y = w x + b, trained by plain descent, with one variable for each kind of
// access.
module @line {
  tg.variable @w {trainable} : tensor<f32>
  tg.variable @b {trainable} : tensor<f32>
  func.func @init(%seed: tensor<i64> {tg.name = "seed"}) attributes {tg.role = "init"} {
    %one = tg.constant dense<1.0> : tensor<f32>
    %zero = tg.constant dense<0.0> : tensor<f32>
    tg.assign @w, %one : tensor<f32>
    tg.assign @b, %zero : tensor<f32>
    return
  }
  func.func @train(%x: tensor<?xf32> {tg.name = "x", tg.dims = ["batch"]},
                   %target: tensor<?xf32> {tg.name = "target", tg.dims = ["batch"]},
                   %rate: tensor<f32> {tg.name = "rate"})
      -> (tensor<f32> {tg.name = "loss"}) attributes {tg.role = "train"} {
    %w = tg.read @w : tensor<f32>
    %b = tg.read @b : tensor<f32>
    %wx = tg.mul %x, %w : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
    %y = tg.add %wx, %b : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
    %difference = tg.sub %y, %target : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %square = tg.mul %difference, %difference : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %loss = tg.reduce_sum %square : (tensor<?xf32>) -> tensor<f32>
    %g:2 = tg.gradient %loss variables [@w, @b] : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
    %dw = tg.mul %g#0, %rate : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %db = tg.mul %g#1, %rate : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %w1 = tg.sub %w, %dw : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %b1 = tg.sub %b, %db : (tensor<f32>, tensor<f32>) -> tensor<f32>
    tg.assign @w, %w1 : tensor<f32>
    tg.assign @b, %b1 : tensor<f32>
    return %loss : tensor<f32>
  }
  func.func @test(%x: tensor<?xf32> {tg.name = "x", tg.dims = ["batch"]})
      -> (tensor<?xf32> {tg.name = "y", tg.dims = ["batch"]}) attributes {tg.role = "test"} {
    %w = tg.read @w : tensor<f32>
    %b = tg.read @b : tensor<f32>
    %wx = tg.mul %x, %w : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
    %y = tg.add %wx, %b : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
    return %y : tensor<?xf32>
  }
}
