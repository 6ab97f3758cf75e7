// expect: error: expected %y to be 'tensor<3x5xf32>', as in line 4, found 'tensor<3x6xf32>' [M0]
func.func @f(%x: tensor<3x4xf32> {tg.name = "x"}, %w: tensor<4x5xf32> {tg.name = "w"})
    -> (tensor<3x6xf32> {tg.name = "result"}) {
  %y = tg.matmul %x, %w : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
  %z = tg.relu %y : tensor<3x6xf32> // <- bad
  return %z : tensor<3x6xf32>
}
