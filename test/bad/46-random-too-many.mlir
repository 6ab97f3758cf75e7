// expect: error: 'tg.random_uniform' op
// expect: [C3]
func.func @f(%s: tensor<i64> {tg.name = "s"})
    -> (tensor<17179869184xf32> {tg.name = "result"}) {
  %y = tg.random_uniform %s, %s {shape = [17179869184], stream = 1} : (tensor<i64>, tensor<i64>) -> tensor<17179869184xf32> // <- bad
  return %y : tensor<17179869184xf32>
}
