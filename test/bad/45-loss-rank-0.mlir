// expect: error: 'tg.softmax_cross_entropy' op
// expect: [C1]
func.func @f(%x: tensor<f32> {tg.name = "x"}, %t: tensor<i32> {tg.name = "t"})
    -> (tensor<f32> {tg.name = "result"}) {
  %y = tg.softmax_cross_entropy %x, %t : (tensor<f32>, tensor<i32>) -> tensor<f32> // <- bad
  return %y : tensor<f32>
}
