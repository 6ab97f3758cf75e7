// expect: error: 'tg.gradient' op operand #0 must be
func.func @f(%x: tensor<i32> {tg.name = "x"}, %z: tensor<f32> {tg.name = "z"})
    -> (tensor<f32> {tg.name = "result"}) {
  %y = tg.gradient %x wrt(%z) : (tensor<i32>, tensor<f32>) -> tensor<f32> // <- bad
  return %y : tensor<f32>
}
