// expect: error: 'tg.gradient' op
// expect: [C4]
func.func @f(%x: tensor<f32> {tg.name = "x"}, %z: tensor<f32> {tg.name = "z"})
    -> (tensor<f32> {tg.name = "result"}) {
  %y = tg.gradient %x wrt(%z) : (tensor<f32>, tensor<f32>) -> tensor<f32> // <- bad
  return %y : tensor<f32>
}
