// expect: error: redefinition of symbol named 'w'
tg.variable @w : tensor<f32>
func.func @w() { // <- bad
  return
}
