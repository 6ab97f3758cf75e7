// expect: error: 'tg.reduce_sum' op
// expect: [G5]
// expect: has no attribute 'axis'; did you mean 'axes'? [G5]
func.func @f(%x: tensor<4xf32> {tg.name = "x"})
    -> (tensor<f32> {tg.name = "result"}) {
  %y = tg.reduce_sum %x {axis = [0]} : (tensor<4xf32>) -> tensor<f32> // <- bad
  return %y : tensor<f32>
}
