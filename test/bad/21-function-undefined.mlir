// expect: error: 'func.call' op 'g' does not reference a valid function
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<f32> {tg.name = "result"}) {
  %y = func.call @g(%x) : (tensor<f32>) -> tensor<f32> // <- bad
  return %y : tensor<f32>
}
