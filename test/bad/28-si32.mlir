// expect: error: 'tg.reshape' op operand #0 must be
func.func @f(%x: tensor<4xsi32> {tg.name = "x"})
    -> (tensor<2x2xsi32> {tg.name = "result"}) {
  %y = tg.reshape %x {shape = [2, 2]} : (tensor<4xsi32>) -> tensor<2x2xsi32> // <- bad
  return %y : tensor<2x2xsi32>
}
