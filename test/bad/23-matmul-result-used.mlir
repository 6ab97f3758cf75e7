// expect: error: 'tg.matmul' op expected result 1 to be 'tensor<3x5xf32>', found 'tensor<3x4xf32>' [G2]
func.func @f(%x: tensor<3x4xf32> {tg.name = "x"}, %w: tensor<4x5xf32> {tg.name = "w"})
    -> (tensor<3x5xf32> {tg.name = "result"}) {
  %y = tg.matmul %x, %w : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x4xf32> // <- bad
  %z = tg.relu %y : tensor<3x5xf32>
  return %z : tensor<3x5xf32>
}
