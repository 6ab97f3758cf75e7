// expect: error: expected a new name of a function or variable, found 'w' again [M0]
tg.variable @w : tensor<f32>
func.func @w() { // <- bad
  return
}
