// expect: error: hexadecimal float constant out of range for type
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<f32> {tg.name = "result"}) {
  %y = tg.constant dense<0x7FC00000000> : tensor<f32> // <- bad
  return %y : tensor<f32>
}
