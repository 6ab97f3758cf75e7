// expect: error: 'tg.gradient' op operand #0 must be
func.func @f(%x: tensor<4xf32> {tg.name = "x"})
    -> (tensor<4xf32> {tg.name = "result"}) {
  %y = tg.gradient %x wrt(%x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> // <- bad
  return %y : tensor<4xf32>
}
