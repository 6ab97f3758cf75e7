// expect: error: expected a value that is defined above, found '%imgae'; did you mean '%image'? [M0]
func.func @f(%image: tensor<f32> {tg.name = "x"})
    -> (tensor<f32> {tg.name = "result"}) {
  %y = tg.abs %imgae : tensor<f32> // <- bad
  return %y : tensor<f32>
}
