// expect: error: float literal 1.0e999999 is infinite, expected a value of f64
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<f32> {tg.name = "result"}) {
  %y = tg.constant dense<1.0e999999> : tensor<f32> // <- bad
  return %y : tensor<f32>
}
