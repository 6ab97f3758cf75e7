// expect: 'tg.reduce_sum' op expected attribute 'axes' to be a list of integers, found 0 [G6]
func.func @f(%x: tensor<4xf32> {tg.name = "x"})
    -> (tensor<f32> {tg.name = "result"}) {
  %y = tg.reduce_sum %x {axes = 0} : (tensor<4xf32>) -> tensor<f32> // <- bad
  return %y : tensor<f32>
}
