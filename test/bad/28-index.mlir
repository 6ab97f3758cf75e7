// expect: error: 'tg.reshape' op operand #0 must be
func.func @f(%x: tensor<4xindex> {tg.name = "x"})
    -> (tensor<2x2xindex> {tg.name = "result"}) {
  %y = tg.reshape %x {shape = [2, 2]} : (tensor<4xindex>) -> tensor<2x2xindex> // <- bad
  return %y : tensor<2x2xindex>
}
