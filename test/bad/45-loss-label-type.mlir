// expect: error: 'tg.softmax_cross_entropy' op
func.func @f(%x: tensor<4x3xf32> {tg.name = "x"}, %t: tensor<4xi1> {tg.name = "t"})
    -> (tensor<4xf32> {tg.name = "result"}) {
  %y = tg.softmax_cross_entropy %x, %t : (tensor<4x3xf32>, tensor<4xi1>) -> tensor<4xf32> // <- bad
  return %y : tensor<4xf32>
}
