// expect: error: 'tg.random_uniform' op expected an attribute 'stream', found 'straem' [G6]
func.func @f(%seed: tensor<i64> {tg.name = "seed"})
    -> (tensor<3xf32> {tg.name = "result"}) {
  %y = tg.random_uniform %seed, %seed {shape = [3], straem = 2} : (tensor<i64>, tensor<i64>) -> tensor<3xf32> // <- bad
  return %y : tensor<3xf32>
}
