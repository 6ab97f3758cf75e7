// expect: error: 'tg.reduce_sum' op
// expect: [G3]
func.func @f(%x: tensor<2x2xf32> {tg.name = "x"})
    -> (tensor<2xf32> {tg.name = "result"}) {
  %y = tg.reduce_sum %x {axes = [-1]} : (tensor<2x2xf32>) -> tensor<2xf32> // <- bad
  return %y : tensor<2xf32>
}
