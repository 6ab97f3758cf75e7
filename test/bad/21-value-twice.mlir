// expect: error: expected a new name of a value, found '%x' again [M0]
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<f32> {tg.name = "result"}) {
  %x = tg.constant dense<0.0> : tensor<f32> // <- bad
  return %x : tensor<f32>
}
