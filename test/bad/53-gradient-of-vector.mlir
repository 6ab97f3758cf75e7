// expect: error: 'tg.gradient' op expected operand 'target' to be a scalar of floats, found
func.func @f(%x: tensor<4xf32> {tg.name = "x"})
    -> (tensor<4xf32> {tg.name = "result"}) {
  %y = tg.gradient %x wrt(%x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> // <- bad
  return %y : tensor<4xf32>
}
