module @prep {
  // A number that a seed of the caller determines.
  func.func @number(%x: tensor<f32> {tg.name = "x"}, %seed: tensor<i64> {tg.name = "seed"})
      -> (tensor<f32> {tg.name = "drawn"}) {
    %zero = tg.constant dense<0> : tensor<i64>
    %u = tg.random_uniform %seed, %zero {shape = [], stream = 1} : (tensor<i64>, tensor<i64>) -> tensor<f32>
    %drawn = tg.add %x, %u : (tensor<f32>, tensor<f32>) -> tensor<f32>
    return %drawn : tensor<f32>
  }

  // Samples of the seed of the context.
  func.func @noise(%x: tensor<?xf32> {tg.name = "x", tg.dims = ["n"]},
                   %strength: tensor<f32> {tg.name = "strength"},
                   %seed: tensor<i64> {tg.name = "seed", tg.random = "seed"},
                   %call: tensor<i64> {tg.name = "call", tg.random = "call"})
      -> (tensor<?xf32> {tg.name = "noisy"}) {
    %n = tg.dim %x {axis = 0} : (tensor<?xf32>) -> tensor<i64>
    %u = tg.random_uniform %seed, %call, %n {shape = [-1], stream = 1} : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xf32>
    %scaled = tg.mul %u, %strength : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
    %noisy = tg.add %x, %scaled : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    return %noisy : tensor<?xf32>
  }
}
