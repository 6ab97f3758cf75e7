// expect: error: 'tg.variable' op
// expect: [C2]
tg.variable @w {trainable} : tensor<i32> // <- bad
func.func @f() {
  return
}
