// expect: error: 'tg.reshape' op
// expect: [C2]
func.func @f(%x: tensor<4xf32> {tg.name = "x"})
    -> (tensor<1x3xf32> {tg.name = "result"}) {
  %y = tg.reshape %x {shape = [-1, 3]} : (tensor<4xf32>) -> tensor<1x3xf32> // <- bad
  return %y : tensor<1x3xf32>
}
