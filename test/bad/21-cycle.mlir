// expect: error: operand #0 does not dominate this use
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<f32> {tg.name = "result"}) {
  %y = tg.abs %z : tensor<f32> // <- bad
  %z = tg.abs %y : tensor<f32>
  return %y : tensor<f32>
}
