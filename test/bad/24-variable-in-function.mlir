// expect: error:
func.func @f() {
  tg.variable @w : tensor<f32> // <- bad
  return
}
