// expect: error: 'tg.gradient' op
// expect: [C4]
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<f32> {tg.name = "result"}) {
  %s = tg.stop_gradient %x : tensor<f32>
  %y = tg.gradient %s wrt(%x) : (tensor<f32>, tensor<f32>) -> tensor<f32> // <- bad
  return %y : tensor<f32>
}
