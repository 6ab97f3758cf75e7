// expect: 'tg.reshape' op expected attribute 'shape' to be a list of integers, found [2.0, 2.0] [G6]
func.func @f(%x: tensor<4xf32> {tg.name = "x"})
    -> (tensor<2x2xf32> {tg.name = "result"}) {
  %y = tg.reshape %x {shape = [2.0, 2.0]} : (tensor<4xf32>) -> tensor<2x2xf32> // <- bad
  return %y : tensor<2x2xf32>
}
