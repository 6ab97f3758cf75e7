// expect: error: 'tg.gradient' op
// expect: [C3]
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<f64> {tg.name = "result"}) {
  %y = tg.gradient %x wrt(%x) : (tensor<f32>, tensor<f32>) -> tensor<f64> // <- bad
  return %y : tensor<f64>
}
