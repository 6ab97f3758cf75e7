// expect: error: 'tg.reshape' op operand #0 must be
func.func @f(%x: tensor<4xf80> {tg.name = "x"})
    -> (tensor<2x2xf80> {tg.name = "result"}) {
  %y = tg.reshape %x {shape = [2, 2]} : (tensor<4xf80>) -> tensor<2x2xf80> // <- bad
  return %y : tensor<2x2xf80>
}
