// expect: error: 'tg.gradient' op expected operand 'target' to be a scalar of floats, found 'tensor<i32>' [G6]
func.func @f(%x: tensor<i32> {tg.name = "x"}, %z: tensor<f32> {tg.name = "z"})
    -> (tensor<f32> {tg.name = "result"}) {
  %y = tg.gradient %x wrt(%z) : (tensor<i32>, tensor<f32>) -> tensor<f32> // <- bad
  return %y : tensor<f32>
}
