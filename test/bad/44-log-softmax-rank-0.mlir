// expect: error: 'tg.log_softmax' op
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<f32> {tg.name = "result"}) {
  %y = tg.log_softmax %x {axis = 0} : tensor<f32> // <- bad
  return %y : tensor<f32>
}
