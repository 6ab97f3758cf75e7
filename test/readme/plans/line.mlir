// y = w * x, and a step towards a target.
module @line {
  tg.variable @w {trainable} : tensor<f32>
  tg.variable @step : tensor<i64>

  func.func @init(%seed: tensor<i64> {tg.name = "seed"}) attributes {tg.role = "init"} {
    %zero = tg.constant dense<0> : tensor<i64>
    %one = tg.constant dense<1.0> : tensor<f32>
    tg.assign @w, %one : tensor<f32>
    tg.assign @step, %zero : tensor<i64>
    return
  }

  func.func @train(%x: tensor<f32> {tg.name = "x"}, %target: tensor<f32> {tg.name = "target"}) attributes {tg.role = "train"} {
    %w = tg.read @w : tensor<f32>
    %step = tg.read @step : tensor<i64>
    %rate = tg.constant dense<0.5> : tensor<f32>
    %one = tg.constant dense<1> : tensor<i64>
    %y = tg.mul %w, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %error = tg.sub %target, %y : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %slope = tg.mul %error, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %move = tg.mul %slope, %rate : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %new_w = tg.add %w, %move : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %new_step = tg.add %step, %one : (tensor<i64>, tensor<i64>) -> tensor<i64>
    tg.assign @w, %new_w : tensor<f32>
    tg.assign @step, %new_step : tensor<i64>
    return
  }

  func.func @test(%x: tensor<f32> {tg.name = "x"}) -> (tensor<f32> {tg.name = "y"}) attributes {tg.role = "test"} {
    %w = tg.read @w : tensor<f32>
    %y = tg.mul %w, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
    return %y : tensor<f32>
  }
}
