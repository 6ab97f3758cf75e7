// expect: error: tensor literal is invalid
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<2x2xf32> {tg.name = "result"}) {
  %y = tg.constant dense<[[1.0, 2.0], [3.0]]> : tensor<2x2xf32> // <- bad
  return %y : tensor<2x2xf32>
}
