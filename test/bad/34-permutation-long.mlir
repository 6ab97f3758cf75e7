// expect: error: 'tg.transpose' op
// expect: [C1]
func.func @f(%x: tensor<2x2xf32> {tg.name = "x"})
    -> (tensor<2x2xf32> {tg.name = "result"}) {
  %y = tg.transpose %x {permutation = [0, 1, 2]} : (tensor<2x2xf32>) -> tensor<2x2xf32> // <- bad
  return %y : tensor<2x2xf32>
}
