// expect: error: expected an operation, found 'tg.rellu'; did you mean 'tg.relu'? [M9]
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<f32> {tg.name = "result"}) {
  %y = tg.rellu %x : tensor<f32> // <- bad
  return %y : tensor<f32>
}
