// expect: error: 'tg.reshape' op operand #0 must be
func.func @f(%x: tensor<4xi7> {tg.name = "x"})
    -> (tensor<2x2xi7> {tg.name = "result"}) {
  %y = tg.reshape %x {shape = [2, 2]} : (tensor<4xi7>) -> tensor<2x2xi7> // <- bad
  return %y : tensor<2x2xi7>
}
