// expect: error:
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<4xf32> {tg.name = "result"}) {
  %y = tg.constant dense<"0x000"> : tensor<4xf32> // <- bad
  return %y : tensor<4xf32>
}
