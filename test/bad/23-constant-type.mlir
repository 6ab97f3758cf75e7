// expect: error: expected elements of shape [3], that of the type, found lists of shape [2] [M0]
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<3xf32> {tg.name = "result"}) {
  %y = tg.constant dense<[1.0, 2.0]> : tensor<3xf32> // <- bad
  return %y : tensor<3xf32>
}
