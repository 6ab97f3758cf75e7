// expect: error: inferred shape of elements literal
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<3xf32> {tg.name = "result"}) {
  %y = tg.constant dense<[1.0, 2.0]> : tensor<3xf32> // <- bad
  return %y : tensor<3xf32>
}
