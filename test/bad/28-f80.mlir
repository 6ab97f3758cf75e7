// expect: error: 'tg.reshape' op expected operand 'input' to be a ranked tensor without encoding of f32, f64, i8, i16, i32, i64, ui8 or i1, found
// expect: [G1]
func.func @f(%x: tensor<4xf80> {tg.name = "x"})
    -> (tensor<2x2xf80> {tg.name = "result"}) {
  %y = tg.reshape %x {shape = [2, 2]} : (tensor<4xf80>) -> tensor<2x2xf80> // <- bad
  return %y : tensor<2x2xf80>
}
