// expect: error: redefinition of SSA value '%x'
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<f32> {tg.name = "result"}) {
  %x = tg.constant dense<0.0> : tensor<f32> // <- bad
  return %x : tensor<f32>
}
