// expect: error: 'tg.softmax_cross_entropy' op labels of class numbers must be integers, found f32
// expect: [C3]
func.func @f(%x: tensor<3x4xf32> {tg.name = "x"}, %t: tensor<3xf32> {tg.name = "t"})
    -> (tensor<3xf32> {tg.name = "result"}) {
  %y = tg.softmax_cross_entropy %x, %t : (tensor<3x4xf32>, tensor<3xf32>) -> tensor<3xf32> // <- bad
  return %y : tensor<3xf32>
}
