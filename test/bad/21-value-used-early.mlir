// expect: error: expected operand 1 to be defined above this use, found it below [M0]
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<f32> {tg.name = "result"}) {
  %y = tg.abs %z : tensor<f32> // <- bad
  %z = tg.abs %x : tensor<f32>
  return %y : tensor<f32>
}
