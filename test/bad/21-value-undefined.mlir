// expect: error: use of undeclared SSA value name
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<f32> {tg.name = "result"}) {
  %y = tg.abs %z : tensor<f32> // <- bad
  return %y : tensor<f32>
}
