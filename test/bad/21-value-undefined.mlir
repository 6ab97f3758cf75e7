// expect: error: expected a value that is defined above, found '%z'; there is '%x' [M0]
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<f32> {tg.name = "result"}) {
  %y = tg.abs %z : tensor<f32> // <- bad
  return %y : tensor<f32>
}
