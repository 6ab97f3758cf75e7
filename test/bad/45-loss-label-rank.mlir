// expect: error: 'tg.softmax_cross_entropy' op
// expect: [C3]
func.func @f(%x: tensor<4x3xf32> {tg.name = "x"}, %t: tensor<4x3xi32> {tg.name = "t"})
    -> (tensor<4xf32> {tg.name = "result"}) {
  %y = tg.softmax_cross_entropy %x, %t : (tensor<4x3xf32>, tensor<4x3xi32>) -> tensor<4xf32> // <- bad
  return %y : tensor<4xf32>
}
