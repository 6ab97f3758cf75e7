// expect: error: 'tg.reshape' op operand #0 must be
func.func @f(%x: tensor<4xi16777215> {tg.name = "x"})
    -> (tensor<2x2xi16777215> {tg.name = "result"}) {
  %y = tg.reshape %x {shape = [2, 2]} : (tensor<4xi16777215>) -> tensor<2x2xi16777215> // <- bad
  return %y : tensor<2x2xi16777215>
}
