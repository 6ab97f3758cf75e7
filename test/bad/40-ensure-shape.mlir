// expect: error: 'tg.ensure_shape' op
// expect: [C2]
func.func @f(%x: tensor<3xf32> {tg.name = "x"})
    -> (tensor<4xf32> {tg.name = "result"}) {
  %y = tg.ensure_shape %x {shape = [4]} : (tensor<3xf32>) -> tensor<4xf32> // <- bad
  return %y : tensor<4xf32>
}
