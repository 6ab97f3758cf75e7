// expect: error: 'tg.gather' op expected operand 'indices' to be a ranked tensor of indices (i32 or i64), found 'tensor<2xf32>' [G6]
func.func @f(%x: tensor<3x4xf32> {tg.name = "x"}, %i: tensor<2xf32> {tg.name = "i"})
    -> (tensor<2x4xf32> {tg.name = "result"}) {
  %y = tg.gather %x, %i {axis = 0} : (tensor<3x4xf32>, tensor<2xf32>) -> tensor<2x4xf32> // <- bad
  return %y : tensor<2x4xf32>
}
