// expect: error: 'tg.gradient' op
// expect: [C2]
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<f32> {tg.name = "result"}) {
  %y:2 = tg.gradient %x wrt(%x, %x) : (tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>) // <- bad
  return %y#0 : tensor<f32>
}
