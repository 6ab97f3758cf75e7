// expect: error: redefinition of symbol named 'w'
tg.variable @w : tensor<f32>
tg.variable @w : tensor<i64> // <- bad
func.func @f() {
  return
}
