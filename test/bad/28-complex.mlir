// expect: error: 'tg.reshape' op operand #0 must be
func.func @f(%x: tensor<4xcomplex<f32>> {tg.name = "x"})
    -> (tensor<2x2xcomplex<f32>> {tg.name = "result"}) {
  %y = tg.reshape %x {shape = [2, 2]} : (tensor<4xcomplex<f32>>) -> tensor<2x2xcomplex<f32>> // <- bad
  return %y : tensor<2x2xcomplex<f32>>
}
