// expect: error: 'tg.reshape' op operand #0 must be
func.func @f(%x: tensor<4xf8E4M3FN> {tg.name = "x"})
    -> (tensor<2x2xf8E4M3FN> {tg.name = "result"}) {
  %y = tg.reshape %x {shape = [2, 2]} : (tensor<4xf8E4M3FN>) -> tensor<2x2xf8E4M3FN> // <- bad
  return %y : tensor<2x2xf8E4M3FN>
}
