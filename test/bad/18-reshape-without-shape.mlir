// expect: error: 'tg.reshape' op
// expect: shape
func.func @f(%x: tensor<4xf32> {tg.name = "x"})
    -> (tensor<2x2xf32> {tg.name = "result"}) {
  %y = tg.reshape %x : (tensor<4xf32>) -> tensor<2x2xf32> // <- bad
  return %y : tensor<2x2xf32>
}
