// expect: error: 'tg.softmax' op expected operand 'input' to be a ranked tensor of floats, found 'tensor<3x4xi32>' [G6]
func.func @f(%x: tensor<3x4xi32> {tg.name = "x"})
    -> (tensor<3x4xi32> {tg.name = "result"}) {
  %y = "tg.softmax"(%x) {axis = 1} : (tensor<3x4xi32>) -> tensor<3x4xi32> // <- bad
  return %y : tensor<3x4xi32>
}
