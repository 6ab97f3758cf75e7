// expect: error: 'tg.broadcast_to' op
// expect: [C1]
func.func @f(%x: tensor<1x1xf32> {tg.name = "x"})
    -> (tensor<4xf32> {tg.name = "result"}) {
  %y = tg.broadcast_to %x {shape = [4]} : (tensor<1x1xf32>) -> tensor<4xf32> // <- bad
  return %y : tensor<4xf32>
}
