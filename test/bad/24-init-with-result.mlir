// expect: error:
// expect: [M4]
func.func @f() // <- bad
    -> (tensor<f32> {tg.name = "result"}) attributes {tg.role = "init"} {
  %y = tg.constant dense<0.0> : tensor<f32>
  return %y : tensor<f32>
}
