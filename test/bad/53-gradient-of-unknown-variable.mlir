// expect: error:
// expect: @nope
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<f32> {tg.name = "result"}) {
  %y = tg.gradient %x variables [@nope] : (tensor<f32>) -> tensor<f32> // <- bad
  return %y : tensor<f32>
}
