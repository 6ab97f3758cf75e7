// expect: error: expected an operation, found 'tg.conv2d'; tg.conv has the number of dimensions of its filter [M9]
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<f32> {tg.name = "result"}) {
  %y = "tg.conv2d"(%x) : (tensor<f32>) -> tensor<f32> // <- bad
  return %y : tensor<f32>
}
