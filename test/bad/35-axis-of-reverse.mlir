// expect: error: 'tg.reverse' op
// expect: [G3]
func.func @f(%x: tensor<2x2xf32> {tg.name = "x"})
    -> (tensor<2x2xf32> {tg.name = "result"}) {
  %y = tg.reverse %x {axes = [0, 0]} : tensor<2x2xf32> // <- bad
  return %y : tensor<2x2xf32>
}
