// expect: error: 'tg.random_uniform' op
func.func @f(%s: tensor<i64> {tg.name = "s"})
    -> (tensor<4xi32> {tg.name = "result"}) {
  %y = tg.random_uniform %s, %s {element_type = i32, shape = [4], stream = 1} : (tensor<i64>, tensor<i64>) -> tensor<4xi32> // <- bad
  return %y : tensor<4xi32>
}
