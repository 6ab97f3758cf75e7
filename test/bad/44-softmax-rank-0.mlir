// expect: error: 'tg.softmax' op
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<f32> {tg.name = "result"}) {
  %y = tg.softmax %x {axis = 0} : tensor<f32> // <- bad
  return %y : tensor<f32>
}
