// expect: error: 'tg.softmax_cross_entropy' op
// expect: [R1]
func.func @f(%x: tensor<2x3xf32> {tg.name = "x"})
    -> (tensor<2xf32> {tg.name = "result"}) {
  %t = tg.constant dense<[0, 3]> : tensor<2xi32>
  %y = tg.softmax_cross_entropy %x, %t : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<2xf32> // <- bad
  return %y : tensor<2xf32>
}
