// expect: error: expected an operation, found 'tg.reduce_mean'; a mean is tg.reduce_sum, divided by the number of elements with tg.div [M9]
func.func @f(%x: tensor<4xf32> {tg.name = "x"})
    -> (tensor<f32> {tg.name = "result"}) {
  %y = tg.reduce_mean %x : (tensor<4xf32>) -> tensor<f32> // <- bad
  return %y : tensor<f32>
}
