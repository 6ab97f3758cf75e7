// target = x * weight, with dropout of the inputs, by gradient descent. The
// learning rate is multiplied by a variable.
module @line {
  tg.variable @weight {trainable} : tensor<4x1xf32>
  tg.variable @scale : tensor<f32>
  tg.variable @step : tensor<i64>
  tg.variable @seed : tensor<i64>

  func.func @init(%seed: tensor<i64> {tg.name = "seed"}) attributes {tg.role = "init"} {
    %zero = tg.constant dense<0> : tensor<i64>
    %one = tg.constant dense<1.0> : tensor<f32>
    %w = tg.random_normal %seed, %zero {shape = [4, 1], stream = 1} : (tensor<i64>, tensor<i64>) -> tensor<4x1xf32>
    tg.assign @weight, %w : tensor<4x1xf32>
    tg.assign @scale, %one : tensor<f32>
    tg.assign @step, %zero : tensor<i64>
    tg.assign @seed, %seed : tensor<i64>
    return
  }

  func.func @train(%x: tensor<?x4xf32> {tg.name = "x", tg.dims = ["batch", ""]},
                   %target: tensor<?xf32> {tg.name = "target", tg.dims = ["batch"]},
                   %rate: tensor<f32> {tg.name = "learning_rate"})
      -> (tensor<f32> {tg.name = "loss"}) attributes {tg.role = "train"} {
    %w = tg.read @weight : tensor<4x1xf32>
    %scale = tg.read @scale : tensor<f32>
    %step = tg.read @step : tensor<i64>
    %seed = tg.read @seed : tensor<i64>
    %batch = tg.dim %x {axis = 0} : (tensor<?x4xf32>) -> tensor<i64>
    %u = tg.random_uniform %seed, %step, %batch {shape = [-1, 4], stream = 3} : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?x4xf32>
    %drop_rate = tg.constant dense<0.2> : tensor<f32>
    %dropped = tg.constant dense<0.0> : tensor<f32>
    %keep = tg.compare ge, %u, %drop_rate : (tensor<?x4xf32>, tensor<f32>) -> tensor<?x4xi1>
    %x1 = tg.select %keep, %x, %dropped : (tensor<?x4xi1>, tensor<?x4xf32>, tensor<f32>) -> tensor<?x4xf32>
    %y0 = tg.matmul %x1, %w : (tensor<?x4xf32>, tensor<4x1xf32>) -> tensor<?x1xf32>
    %y = tg.reshape %y0 {shape = [-1]} : (tensor<?x1xf32>) -> tensor<?xf32>
    %e = tg.sub %y, %target : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %e2 = tg.mul %e, %e : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %sum = tg.reduce_sum %e2 : (tensor<?xf32>) -> tensor<f32>
    %count = tg.cast %batch {element_type = f32} : (tensor<i64>) -> tensor<f32>
    %loss = tg.div %sum, %count : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %g = tg.gradient %loss variables [@weight] : (tensor<f32>) -> tensor<4x1xf32>
    %scaled = tg.mul %rate, %scale : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %d = tg.mul %g, %scaled : (tensor<4x1xf32>, tensor<f32>) -> tensor<4x1xf32>
    %w1 = tg.sub %w, %d : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
    tg.assign @weight, %w1 : tensor<4x1xf32>
    %one = tg.constant dense<1> : tensor<i64>
    %step1 = tg.add %step, %one : (tensor<i64>, tensor<i64>) -> tensor<i64>
    tg.assign @step, %step1 : tensor<i64>
    return %loss : tensor<f32>
  }

  func.func @test(%x: tensor<?x4xf32> {tg.name = "x", tg.dims = ["batch", ""]},
                  %target: tensor<?xf32> {tg.name = "target", tg.dims = ["batch"]})
      -> (tensor<f32> {tg.name = "loss"}, tensor<?xf32> {tg.name = "y", tg.dims = ["batch"]}) attributes {tg.role = "test"} {
    %w = tg.read @weight : tensor<4x1xf32>
    %y0 = tg.matmul %x, %w : (tensor<?x4xf32>, tensor<4x1xf32>) -> tensor<?x1xf32>
    %y = tg.reshape %y0 {shape = [-1]} : (tensor<?x1xf32>) -> tensor<?xf32>
    %e = tg.sub %y, %target : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %e2 = tg.mul %e, %e : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %sum = tg.reduce_sum %e2 : (tensor<?xf32>) -> tensor<f32>
    %batch = tg.dim %x {axis = 0} : (tensor<?x4xf32>) -> tensor<i64>
    %count = tg.cast %batch {element_type = f32} : (tensor<i64>) -> tensor<f32>
    %loss = tg.div %sum, %count : (tensor<f32>, tensor<f32>) -> tensor<f32>
    return %loss, %y : tensor<f32>, tensor<?xf32>
  }
}
