// expect: error: 'tg.random_normal' op
// expect: [C1]
func.func @f(%s: tensor<i64> {tg.name = "s"})
    -> (tensor<4xf32> {tg.name = "result"}) {
  %y = tg.random_normal %s, %s {shape = [4], stream = 4294967296} : (tensor<i64>, tensor<i64>) -> tensor<4xf32> // <- bad
  return %y : tensor<4xf32>
}
