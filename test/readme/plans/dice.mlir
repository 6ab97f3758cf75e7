module @dice {
  func.func @roll(%seed: tensor<i64> {tg.name = "seed", tg.random = "seed"}, %call: tensor<i64> {tg.name = "call", tg.random = "call"})
      -> (tensor<f32> {tg.name = "dice"}) {
    %dice = tg.random_uniform %seed, %call {shape = [], stream = 1} : (tensor<i64>, tensor<i64>) -> tensor<f32>
    return %dice : tensor<f32>
  }
}
