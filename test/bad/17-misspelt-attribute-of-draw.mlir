// expect: error: 'tg.random_uniform' op has no attribute 'straem'; did you mean 'stream'? [G5]
func.func @f(%seed: tensor<i64> {tg.name = "seed"})
    -> (tensor<3xf32> {tg.name = "result"}) {
  %y = tg.random_uniform %seed, %seed {shape = [3], stream = 1, straem = 2} : (tensor<i64>, tensor<i64>) -> tensor<3xf32> // <- bad
  return %y : tensor<3xf32>
}
