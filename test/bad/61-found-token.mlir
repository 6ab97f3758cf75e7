// expect: error: expected a value like %x, found '(' [M0]
func.func @f(%x: tensor<f32> {tg.name = "x"})
    -> (tensor<f32> {tg.name = "result"}) {
  %y = tg.relu(%x) : tensor<f32> // <- bad
  return %y : tensor<f32>
}
